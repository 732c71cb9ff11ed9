// Which fault is on.
#include "reference/core/fault.hpp"

#ifdef ASSAY_WITH_FAULTS

#include <string>

namespace assay::reference {
namespace {

std::string& name() {
  static std::string active;
  return active;
}

}  // namespace

std::string_view active_fault() { return name(); }
void set_active_fault(std::string_view fault) { name() = fault; }

}  // namespace assay::reference

#endif
