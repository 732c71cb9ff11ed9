// Matches driver calls with the fault plan.
#include "reference/runtime/device/fault_plan.hpp"

namespace assay::reference {

std::optional<PlannedFault> PlannedFaults::next(std::string_view call, const std::string& thread) {
  std::optional<PlannedFault> found;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const PlannedFault& planned = plan_[i];
    const bool is_meant = !planned.thread || *planned.thread == thread;
    if (planned.call != call) continue;
    if (!is_meant) continue;
    seen_[i] += 1;
    const bool is_due = planned.occurrence == 0 || planned.occurrence == seen_[i];
    if (is_due && !found) found = planned;
  }
  return found;
}

}  // namespace assay::reference
