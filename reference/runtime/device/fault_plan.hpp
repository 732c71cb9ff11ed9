// Fault injection: the driver calls that are made to fail (FLT-018).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/runtime/device/codes.hpp"

namespace assay::reference {

struct PlannedFault {
  std::string call;         ///< the name of a driver call: `event_record`
  int occurrence = 1;       ///< the first call that fails, counted from 1; 0: every call
  bool has_effect = false;  ///< the call has its effect and still returns the code
  Code code = Code::kInvalidValue;
  bool sticky = false;  ///< every later call that uses the device returns the code, too
  std::optional<std::string> thread = {};  ///< only calls on the thread of this name
  bool clears_register = false;  ///< the code is returned but not stored in the register (FLT-004)
};

using FaultPlan = std::vector<PlannedFault>;

/// Counts calls and selects those that fail.
class PlannedFaults {
 public:
  explicit PlannedFaults(FaultPlan plan = {}) : plan_(std::move(plan)), seen_(plan_.size(), 0) {}

  /// Returns the fault of the present call, if there is one.
  std::optional<PlannedFault> next(std::string_view call, const std::string& thread);

 private:
  FaultPlan plan_;
  std::vector<int> seen_;
};

}  // namespace assay::reference
