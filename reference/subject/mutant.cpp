// Switching a fault on.
#include "reference/subject/mutant.hpp"

#ifdef ASSAY_WITH_FAULTS

#include "reference/core/fault.hpp"
#include "reference/subject/reference_subject.hpp"

namespace assay::reference {

std::unique_ptr<Subject> make_mutant(std::string_view fault) {
  set_active_fault(fault);
  return make_subject();
}

}  // namespace assay::reference

#endif
