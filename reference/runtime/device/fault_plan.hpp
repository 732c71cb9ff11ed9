// Which calls of the driver fail on purpose (FLT-018).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/runtime/device/codes.hpp"

namespace assay::reference {

struct PlannedFault {
  std::string call;  ///< a driver call's name: `event_record`
  int occurrence =
      1;  ///< the first that fails, counted from 1 since the plan was set; 0: every one
  bool has_effect = false;  ///< the call does its work, and answers the code all the same
  Code code = Code::kInvalidValue;
  bool sticky = false;  ///< every later call that touches the device answers the code too
  std::optional<std::string> thread = {};  ///< only calls of the thread of that name
  bool clears_register = false;  ///< the code is answered, and not left in the register (FLT-004)
};

using FaultPlan = std::vector<PlannedFault>;

/// Counts calls, and says which of them fail.
class PlannedFaults {
 public:
  explicit PlannedFaults(FaultPlan plan = {}) : plan_(std::move(plan)), seen_(plan_.size(), 0) {}

  /// The fault of the call that is being made now, if it has one.
  std::optional<PlannedFault> next(std::string_view call, const std::string& thread);

 private:
  FaultPlan plan_;
  std::vector<int> seen_;
};

}  // namespace assay::reference
