// Computes widths by ranges of characters.
#include "harness/text/columns.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/protocol/utf8.hpp"
#include "harness/text/neutral.hpp"

namespace assay {
namespace {

struct Range {
  std::uint32_t first, last;
};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, std::uint32_t code) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

constexpr std::array<Range, 8> kJoined{{{0x300, 0x36f},
                                        {0x483, 0x489},
                                        {0x591, 0x5bd},
                                        {0x64b, 0x65f},
                                        {0x200b, 0x200d},
                                        {0x20d0, 0x20ff},
                                        {0xfe00, 0xfe0f},
                                        {0x1f3fb, 0x1f3ff}}};
constexpr std::array<Range, 11> kWide{{{0x1100, 0x115f},
                                       {0x2e80, 0x303e},
                                       {0x3041, 0xa4cf},
                                       {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},
                                       {0xfe30, 0xfe6f},
                                       {0xff00, 0xff60},
                                       {0xffe0, 0xffe6},
                                       {0x1f300, 0x1f64f},
                                       {0x1f680, 0x1f9ff},
                                       {0x20000, 0x3fffd}}};

std::size_t width_of(std::string_view sequence) {
  const std::uint32_t code = code_point(sequence);
  if (code < 0x300) return 1;
  if (is_in(kJoined, code)) return 0;
  return is_in(kWide, code) ? 2 : 1;
}

std::size_t length_at(std::string_view text) {
  return std::max<std::size_t>(utf8_sequence(text), 1);
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t length = length_at(text);
    columns += width_of(text.substr(0, length));
    text.remove_prefix(length);
  }
  return columns;
}

std::size_t fitting(std::string_view text, std::size_t room) {
  std::size_t end = 0;
  std::size_t used = 0;
  while (end < text.size()) {
    const std::size_t length = length_at(text.substr(end));
    used += width_of(text.substr(end, length));
    if (used > room) break;
    end += length;
  }
  return end;
}

std::string cut_to(std::string_view text, std::size_t room) {
  std::string line = one_line(text);
  if (columns_of(line) <= room) return line;
  if (room == 0) return "";
  line.resize(fitting(line, room - 1));
  return line + "…";
}

}  // namespace assay
