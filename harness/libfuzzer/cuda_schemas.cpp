// Fuzzes the CUDA implementation's parser of operator schemas: a text is rejected with a message,
// or its printed form parses to the same schema.
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"
#include "harness/libfuzzer/fuzzed.hpp"

namespace {

using namespace assay::cuda;
using namespace assay::cuda::dispatch;

void check(std::string_view text, const Contract& contract, bool is_strict) {
  using assay::read_or_refused;
  read_or_refused<Error>([&] { return parse_name(text, contract); });
  read_or_refused<Error>([&] { return parse_schema_or_name(text, contract); });
  const auto schema = read_or_refused<Error>([&] { return parse_schema(text, contract); });
  if (!schema) return;
  const std::string once = schema->text(contract);
  if (!is_strict) return;  // PyTorch's printed schemas do not always parse
  const auto again = read_or_refused<Error>([&] { return parse_schema(once, contract); });
  if (!again || again->text(contract) != once) assay::found("its text does not read back", once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const Release release : {Release::k1_13, Release::k2_11, kNewestRelease}) {
    for (const bool is_strict : {true, false})
      check(assay::text_of(data, size), {release, is_strict}, is_strict);
  }
  return 0;
}
