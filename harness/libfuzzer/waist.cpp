// Lines of the waist: refused with a sentence, or the same when they are written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "harness/protocol/json.hpp"

namespace {

template <typename Read>
void check(std::string_view text, const Read& read) {
  std::string once;
  try {
    once = assay::to_json(read(text));
  } catch (const assay::MalformedMessage& refused) {
    if (std::string_view(refused.what()).empty()) std::abort();
    return;
  }
  // What was accepted must not be refused, or another, when it comes back.
  if (assay::to_json(read(once)) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, [](std::string_view line) { return assay::command_from_json(line); });
  check(text, [](std::string_view line) { return assay::reply_from_json(line); });
  check(text, [](std::string_view line) { return assay::value_from_json(line); });
  return 0;
}
