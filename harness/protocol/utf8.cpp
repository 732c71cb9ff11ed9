// Decodes well-formed UTF-8 sequences.
#include "harness/protocol/utf8.hpp"

#include <algorithm>
#include <array>

namespace assay {
namespace {

struct Lead {
  std::size_t length;
  unsigned second_from;  ///< the range of the second byte
  unsigned second_to;
};

/// Length 0: no sequence begins with this byte.
Lead lead_of(unsigned byte) {
  if (byte < 0xc2) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

bool is_control(unsigned byte) {
  return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

std::string in_hex(std::uint32_t code, std::string_view before, std::string_view after) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (; code != 0 || digits.size() < 2; code >>= 4) digits.insert(0, 1, kDigits[code & 0xf]);
  return std::string(before) + digits + std::string(after);
}

}  // namespace

std::size_t utf8_sequence(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const Lead lead = lead_of(first);
  if (lead.length == 0 || text.size() < lead.length) return 0;
  const unsigned second = byte_at(text, 1);
  if (second < lead.second_from || second > lead.second_to) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  }
  return lead.length;
}

std::uint32_t code_point(std::string_view sequence) {
  const unsigned lead = byte_at(sequence, 0);
  if (sequence.size() == 1) return lead;
  std::uint32_t code = lead & (0x7fu >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (byte_at(sequence, i) & 0x3f);
  return code;
}

std::size_t plain_length(std::string_view text) {
  const auto is_plain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && !is_control(byte);
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
}

bool misleads(std::uint32_t code) {
  struct Range {
    std::uint32_t first, last;
  };
  constexpr std::array<Range, 10> kRanges{{{0x80, 0x9f},
                                           {0x61c, 0x61c},
                                           {0x200e, 0x200f},
                                           {0x2028, 0x202e},
                                           {0x2060, 0x206f},
                                           {0xfeff, 0xfeff},
                                           {0xfff9, 0xfffb},
                                           {0x1d173, 0x1d17a},
                                           {0xe0000, 0xe0fff},
                                           {0xfdd0, 0xfdef}}};
  return std::ranges::any_of(
      kRanges, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::string printable(std::string_view text) {
  std::string safe;
  while (true) {
    const std::size_t plain = plain_length(text);
    safe += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return safe;
    const std::size_t length = utf8_sequence(text);
    if (length < 2) {
      safe += in_hex(byte_at(text, 0), "\\x", "");
    } else if (const std::uint32_t code = code_point(text.substr(0, length)); misleads(code)) {
      safe += in_hex(code, "\\u{", "}");
    } else {
      safe += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

}  // namespace assay
