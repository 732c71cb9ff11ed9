// Implements the checks of event operations.
#include "reference/runtime/events/checks.hpp"

#include <string>

namespace assay::reference {
/// A number; in compat mode, the character with that code ([DEV] of EVT-005).
std::string index_text(const Contract& contract, int index) {
  return contract.strict() ? std::to_string(index) : std::string(1, static_cast<char>(index));
}

void check_event_index(const Contract& contract, int before, int now) {
  check(before == -1 || before == now, [&] {
    return "Event device index " + index_text(contract, before) +
           " does not match recording stream's device index " + index_text(contract, now) + ".";
  });
}

void check_timing(bool holds) {
  check(holds, ErrorKind::kValue,
        [] { return "Both events must be created with argument 'enable_timing=True'."; });
}

void check_recorded(bool holds, ErrorKind kind) {
  check(holds, kind,
        [] { return "Both events must be recorded before calculating elapsed time."; });
}

void check_one_device(const Contract& contract, int from, int to) {
  // [DEV] of EVT-020: PyTorch does not check this.
  check(from == to || !contract.strict(), ErrorKind::kValue, [&] {
    return "both events must be of one device, not of " + std::to_string(from) + " and " +
           std::to_string(to);
  });
}

void check_complete(bool holds) {
  check(holds, [] { return "Both events must be completed before calculating elapsed time."; });
}

}  // namespace assay::reference
