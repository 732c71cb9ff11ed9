// Fuzzes the reference's parser of operator schemas: a text is rejected with a message, or its
// printed form parses to the same schema.
#include "harness/libfuzzer/fuzzed.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace {

using namespace assay::reference;

void check(std::string_view text, const Contract& contract) {
  using assay::read_or_refused;
  read_or_refused<Error>([&] { return parse_name(text, contract); });
  read_or_refused<Error>([&] { return parse_schema_or_name(text, contract); });
  const auto schema = read_or_refused<Error>([&] { return parse_schema(text, contract); });
  if (!schema) return;
  const std::string compat = to_text(*schema, Deviations::kCompat);
  const std::string once = to_text(*schema, Deviations::kStrict);
  if (!contract.strict()) return;  // PyTorch's printed schemas do not always parse
  const auto again = read_or_refused<Error>([&] { return parse_schema(once, contract); });
  if (!again || to_text(*again, Deviations::kStrict) != once)
    assay::found("its text does not read back", once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const Release release : {Release::k1_13, Release::k2_11, kNewestRelease}) {
    for (const Deviations deviations : {Deviations::kStrict, Deviations::kCompat})
      check(assay::text_of(data, size), {release, DeviceRules::kCuda, deviations});
  }
  return 0;
}
