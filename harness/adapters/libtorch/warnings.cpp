// The handler that PyTorch calls.
#include "harness/adapters/libtorch/warnings.hpp"

#include <c10/util/Exception.h>

#include <utility>

namespace assay::libtorch {
namespace {

std::vector<Warning>& given() {
  thread_local std::vector<Warning> warnings;
  return warnings;
}

class Keeper final : public c10::WarningHandler {
 public:
  void process(const c10::SourceLocation&, const std::string& message, bool) override {
    add_warning({"UserWarning", message});
  }
};

}  // namespace

void catch_warnings() {
  static Keeper keeper;
  c10::Warning::set_warning_handler(&keeper);
}

void add_warning(Warning warning) { given().push_back(std::move(warning)); }

std::size_t warnings_given() { return given().size(); }

std::vector<Warning> take_warnings(std::size_t before) {
  const auto first = given().begin() + static_cast<std::ptrdiff_t>(before);
  std::vector<Warning> taken(first, given().end());
  given().erase(first, given().end());
  return taken;
}

}  // namespace assay::libtorch
