// The client for controls of a simulated machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

struct MachineOptions {
  std::optional<std::int64_t> devices = {};
  std::optional<std::int64_t> least = {};
  std::optional<std::int64_t> greatest = {};
  std::optional<std::int64_t> memory = {};
  std::optional<bool> driver = {};
};

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

struct LiveObjects {
  std::int64_t streams = 0;
  std::int64_t events = 0;
  std::int64_t device_blocks = 0;
  std::int64_t host_blocks = 0;
  bool operator==(const LiveObjects&) const = default;
};

struct PermittedOutcomes {
  std::vector<std::vector<Value>> outcomes;
  bool hangs = false;
  std::int64_t states = 0;
};

class SimClient {
 public:
  explicit SimClient(Session& session) : session_(&session) {}

  void machine(const MachineOptions& options) const;
  /// `eager`, `lazy`, `manual`, `random`
  void schedule(const std::string& mode, std::optional<std::int64_t> seed = {}) const;
  std::int64_t step(const Value& stream, std::optional<std::int64_t> times = {}) const;
  void run() const;
  std::int64_t pending(const std::optional<Value>& stream = {}) const;
  std::int64_t now() const;
  void advance(std::int64_t ns) const;
  /// `driver`, `backend`, `trace`
  std::vector<std::string> log(const std::string& level = "driver") const;
  void faults(const std::vector<PlannedFailure>& plan) const;
  LiveObjects live() const;
  std::vector<std::int64_t> contexts() const;
  void counter(const Device& device, std::int64_t level, std::int64_t value) const;
  PermittedOutcomes permitted(const std::string& program) const;

 private:
  Session* session_;
};

}  // namespace assay
