// Well-formed UTF-8 sequences.
#include "harness/protocol/utf8.hpp"

#include <algorithm>

namespace assay {
namespace {

struct Lead {
  std::size_t length;
  unsigned second_from;  ///< what the second byte may be
  unsigned second_to;
};

/// Length 0: no sequence begins with that byte.
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

std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const unsigned byte = byte_at(text, 0);
    const bool is_control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
    if (length == 0 || is_control) {
      safe += "\\x";
      safe += kDigits[byte >> 4];
      safe += kDigits[byte & 0xf];
    } else {
      safe += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return safe;
}

}  // namespace assay
