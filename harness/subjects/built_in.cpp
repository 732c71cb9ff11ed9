// Creates the reference.
#include "harness/subjects/built_in.hpp"

#include "reference/subject/reference_subject.hpp"

namespace assay {

std::unique_ptr<Subject> make_reference() { return reference::make_subject(); }

}  // namespace assay
