// What the programs for libFuzzer share: reading that either succeeds or is refused with words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A finding: the fuzzer keeps the input.
[[noreturn]] inline void found(std::string_view what, std::string_view text) {
  std::cerr << what << ":\n" << text << "\n";
  std::abort();
}

/// What `read` gives; nothing where it throws a Refusal, which must say why. Anything else that it
/// throws ends the process.
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
