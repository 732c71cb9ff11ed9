// Counts the driver's calls against a plan of faults.
#include "reference/runtime/device/fault_plan.hpp"

#include "reference/core/fault.hpp"

namespace assay::reference {

std::optional<PlannedFault> PlannedFaults::next(std::string_view call, const std::string& thread) {
  std::optional<PlannedFault> found;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const PlannedFault& planned = plan_[i];
    const bool is_meant = !planned.thread || *planned.thread == thread;
    if (planned.call != call) continue;
    if (!is_meant && !fault("plan_is_for_all_threads")) continue;
    seen_[i] += 1;
    const bool is_due = planned.occurrence == 0 || planned.occurrence == seen_[i] ||
                        fault("plan_fails_every_occurrence");
    if (is_due && !found) found = planned;
  }
  return found;
}

}  // namespace assay::reference
