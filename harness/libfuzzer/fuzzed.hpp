// Shared by the programs for libFuzzer: parsing that either succeeds or is rejected with a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

namespace assay {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Reports a finding by aborting, so that the fuzzer keeps the input.
[[noreturn]] inline void found(std::string_view what, std::string_view text) {
  std::cerr << what << ":\n" << text << "\n";
  std::abort();
}

/// The result of `read`; nothing if it throws a Refusal, which must have a message. Any other
/// exception ends the process.
template <typename Refusal, typename Read>
auto read_or_refused(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Refusal& refused) {
    if (std::string_view(refused.what()).empty()) std::abort();
    return std::nullopt;
  }
}

}  // namespace assay
