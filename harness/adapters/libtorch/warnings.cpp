// PyTorch's warnings on a thread.
#include "harness/adapters/libtorch/warnings.hpp"

#include <utility>

#include "harness/adapters/libtorch/release.hpp"

namespace assay::libtorch {
namespace {

std::vector<Warning>& given() {
  thread_local std::vector<Warning> warnings;
  return warnings;
}

}  // namespace

void catch_warnings() { hand_warnings_to(&add_warning); }

void add_warning(Warning warning) { given().push_back(std::move(warning)); }

std::size_t warnings_given() { return given().size(); }

std::vector<Warning> take_warnings(std::size_t before) {
  const auto first = given().begin() + static_cast<std::ptrdiff_t>(before);
  std::vector<Warning> taken(first, given().end());
  given().erase(first, given().end());
  return taken;
}

}  // namespace assay::libtorch
