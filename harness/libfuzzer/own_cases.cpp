// Fuzzes users' cases and transcripts: they are read, or rejected with the line.
#include "harness/libfuzzer/fuzzed.hpp"
#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::string_view text = text_of(data, size);
  read_or_refused<MalformedMessage>([&] { return own_programs_from_lines(text); });
  const auto transcript =
      read_or_refused<MalformedMessage>([&] { return transcript_from_lines(text); });
  if (!transcript) return 0;
  const std::string once = to_lines(*transcript);
  if (to_lines(transcript_from_lines(once)) != once) found("another when it is read again", once);
  return 0;
}
