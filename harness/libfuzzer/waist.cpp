// Fuzzes protocol lines: they are rejected with a message, or unchanged when written and reread.
#include "harness/libfuzzer/fuzzed.hpp"
#include "harness/protocol/json.hpp"

namespace {

template <typename Read>
void check(std::string_view text, const Read& read) {
  const auto made = assay::read_or_refused<assay::MalformedMessage>([&] { return read(text); });
  if (!made) return;
  const std::string once = assay::to_json(*made);
  // Accepted input must be accepted unchanged when it is read again.
  const std::string twice = assay::to_json(read(once));
  if (twice != once) assay::found("it is another when it comes back", twice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = assay::text_of(data, size);
  check(text, [](std::string_view line) { return assay::command_from_json(line); });
  check(text, [](std::string_view line) { return assay::reply_from_json(line); });
  check(text, [](std::string_view line) { return assay::value_from_json(line); });
  return 0;
}
