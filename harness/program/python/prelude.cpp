// Accesses the embedded texts.
#include "harness/program/python/prelude.hpp"

#include "harness/protocol/embedded.hpp"

namespace assay {
std::span<const EmbeddedFile> python_prelude();
std::span<const EmbeddedFile> python_forms();
}  // namespace assay

namespace assay::python {

std::string_view prelude() { return python_prelude().front().text; }
std::string_view forms() { return python_forms().front().text; }

}  // namespace assay::python
