// Fault switches: places where the reference can be made wrong on purpose, to prove that the suites
// notice.
#pragma once

#include <string_view>

namespace assay::reference {

#ifdef ASSAY_WITH_FAULTS
/// The one fault that is switched on in this process; empty for none.
std::string_view active_fault();
void set_active_fault(std::string_view name);
/// Names are listed in suites/faults/.
inline bool fault(std::string_view name) { return active_fault() == name; }
#else
constexpr bool fault(std::string_view) { return false; }
#endif

}  // namespace assay::reference
