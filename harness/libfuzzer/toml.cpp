// Fuzzes hand-written files such as waivers: they are read, or rejected with a position.
#include "harness/compare/compare.hpp"
#include "harness/compare/expectations.hpp"
#include "harness/compare/thresholds.hpp"
#include "harness/libfuzzer/fuzzed.hpp"
#include "harness/suite/waivers/support.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace {

template <typename Read>
void check(const Read& read, std::string_view text) {
  try {
    read(text, "f.toml");
  } catch (const std::runtime_error& refused) {
    if (!std::string_view(refused.what()).starts_with("f.toml:"))
      assay::found("it does not say where", refused.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = assay::text_of(data, size);
  check(assay::waivers_from_toml, text);
  check(assay::support_from_toml, text);
  check(assay::compare::thresholds_from_toml, text);
  check(assay::compare::expectations_from_toml, text);
  return 0;
}
