// Fuzzes records of runs, benches, self-tests and litmus programs: they are rejected with a
// message, or can be written, shown and read again.
#include "harness/interchange/formats.hpp"
#include "harness/libfuzzer/fuzzed.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/report/kill_matrix.hpp"
#include "harness/report/litmus_record.hpp"
#include "harness/report/record.hpp"

namespace {

using namespace assay::report;

template <typename Read>
auto check(const Read& read, std::string_view text) {
  auto record = assay::read_or_refused<std::runtime_error>([&] { return read(text); });
  if (!record) return record;
  const std::string once = to_json(*record);
  if (to_json(read(once)) != once) assay::found("another when it is read again", once);
  return record;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = assay::text_of(data, size);
  if (const auto run = check(run_from_json, text)) {
    to_junit(*run);
    to_markdown(*run);
    to_annotations(*run);
  }
  if (const auto bench = check(bench_from_json, text)) {
    to_text(*bench);
    to_markdown(*bench);
    assay::interchange::to_google_json(*bench);
    assay::interchange::to_go_text(*bench);
  }
  check(kill_matrix_from_json, text);
  check(litmus_from_json, text);
  for (const auto& read :
       {assay::interchange::from_google_json, assay::interchange::from_nvbench_json}) {
    assay::read_or_refused<std::runtime_error>([&] {
      return read({{"f.json", std::string(text)}});
    });
  }
  return 0;
}
