// The texts of this folder that are compiled in.
#include "harness/program/python/prelude.hpp"

#include "harness/protocol/embedded.hpp"

namespace assay {
std::span<const EmbeddedFile> python_texts();
}  // namespace assay

namespace assay::python {
namespace {

std::string_view text_named(std::string_view name) {
  for (const EmbeddedFile& file : python_texts()) {
    if (file.name.ends_with(name)) return file.text;
  }
  return {};
}

}  // namespace

std::string_view prelude() { return text_named("prelude.py"); }
std::string_view forms() { return text_named("forms.txt"); }

}  // namespace assay::python
