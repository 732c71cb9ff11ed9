// The client for controls of a simulated machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include <waist/calls/sim.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// A driver call that fails on purpose (FLT-018).
struct PlannedFailure {
  std::string call;
  std::int64_t code = 1;
  std::optional<std::int64_t> occurrence = {};  ///< 0: every occurrence
  std::optional<bool> after = {};               ///< the call still has its effect
  std::optional<bool> sticky = {};
  std::optional<std::string> thread = {};
  std::optional<bool> clears = {};  ///< the code does not remain in the register
};

struct PermittedOutcomes {
  std::vector<std::vector<Value>> outcomes;
  bool hangs = false;
  std::int64_t states = 0;
};

class SimClient : public SimClientCalls {
 public:
  using SimClientCalls::SimClientCalls;
  /// `driver`, `backend`, `trace`
  std::vector<std::string> log(const std::string& level = "driver") const;
  void faults(const std::vector<PlannedFailure>& plan) const;
  PermittedOutcomes permitted(const std::string& program) const;
};

}  // namespace assay
