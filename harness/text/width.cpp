// Measures text by ranges of characters, and breaks it into lines.
#include "harness/text/width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

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

// Breaks texts, first into unbreakable pieces, then into lines.

namespace {

/// A piece is not broken unless it is longer than a line. It ends at a space or line break.
struct Piece {
  std::string text;
  bool ends_line = false;
  bool opens = false;  ///< ends in an opening bracket; lines break before it if possible
};

using Pieces = std::vector<Piece>;

/// Adds a piece, broken if it is longer than a line.
void add(Pieces& pieces, std::string_view text, std::size_t room) {
  while (columns_of(text) > room) {
    const std::size_t end = std::max<std::size_t>(fitting(text, room), 1);
    pieces.push_back({std::string(text.substr(0, end))});
    text.remove_prefix(end);
  }
  pieces.push_back({std::string(text)});
}

Pieces words_of(std::string_view text, std::size_t room) {
  Pieces pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size() - 1) + 1;
    const bool ends_line = text[end - 1] == '\n';
    add(pieces, text.substr(0, ends_line ? end - 1 : end), room);
    pieces.back().ends_line = ends_line;
    text.remove_prefix(end);
  }
  return pieces;
}

/// The end of the string that begins at `at`, after its closing quote; `at` if there is no JSON
/// string there.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return at;
}

std::string shortened(std::string_view string, std::size_t room) {
  if (columns_of(string) <= room) return std::string(string);
  const std::string remark = fmt::format("…\" ({} bytes)", string.size() - 2);
  const std::size_t rest = room > remark.size() + 1 ? room - remark.size() + 2 : 1;
  std::size_t end = fitting(string, rest);
  // Does not split an escape sequence.
  for (std::size_t i = 1; i < end; ++i) {
    if (string[i] != '\\') continue;
    const std::size_t length = string[i + 1] == 'u' ? 6 : 2;
    if (i + length > end) end = i;
    i += length - 1;
  }
  return std::string(string.substr(0, end)) + remark;
}

/// Pieces end after commas, opening brackets and spaces outside strings.
Pieces tokens_of(std::string_view text, std::size_t room) {
  Pieces pieces;
  std::string piece;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '"' ? end_of_string(text, at) : at;
    if (end > at) {
      const std::string_view whole = text.substr(at, end - at);
      std::size_t beside = room - 1 - std::min(room - 1, columns_of(piece));
      // A name and its value are separated only if one line cannot hold both, but can hold each.
      const bool fits_alone = columns_of(whole) > beside && columns_of(whole) < room;
      if (fits_alone || beside < room / 2) {
        add(pieces, std::exchange(piece, ""), room);
        beside = room - 1;
      }
      const std::string string = shortened(whole, beside);
      piece += string;
      at = end;
      continue;
    }
    const char c = text[at++];
    if (c != '\n') piece += c;
    if (std::string_view(",{[ \n").find(c) == std::string_view::npos) continue;
    add(pieces, std::exchange(piece, ""), room);
    pieces.back().ends_line = c == '\n';
    pieces.back().opens = c == '{' || c == '[';
  }
  if (!piece.empty()) add(pieces, piece, room);
  return pieces;
}

std::string without_last_spaces(std::string line) {
  line.erase(line.find_last_not_of(" \t") + 1);
  return line;
}

/// Adds pieces while they fit.
std::string next_line(const Pieces& pieces, std::size_t& at, std::size_t room) {
  std::string line, before_bracket;
  std::size_t bracket = at;
  while (at < pieces.size()) {
    const Piece& piece = pieces[at];
    if (!line.empty() && columns_of(without_last_spaces(line + piece.text)) > room) {
      if (!pieces[at - 1].opens || before_bracket.empty()) break;
      at = bracket;
      return without_last_spaces(before_bracket);
    }
    line += piece.text;
    ++at;
    if (piece.ends_line) break;
    if (piece.opens) continue;
    before_bracket = line;
    bracket = at;
  }
  return without_last_spaces(line);
}

/// `bytes` is the size of the whole text, for the note about truncation.
std::string laid_out(const Pieces& pieces, std::size_t indent, std::size_t room, std::size_t most,
                     std::size_t bytes) {
  const std::string margin(indent, ' ');
  const std::string remark = fmt::format(" … ({} bytes in all)", bytes);
  std::string lines;
  std::size_t at = 0;
  for (std::size_t line = 1; line <= most && at < pieces.size(); ++line) {
    const std::size_t before = at;
    std::string text = next_line(pieces, at, room);
    if (line == most && at < pieces.size()) {
      at = before;
      text = next_line(pieces, at, room > remark.size() ? room - remark.size() : 1);
      if (columns_of(text) + remark.size() > room + 2)
        text.resize(fitting(text, room - std::min(room, remark.size())));
      text += remark;
    }
    lines += margin + text + "\n";
  }
  return lines.empty() ? margin + "\n" : lines;
}

std::size_t room_of(std::size_t indent, std::size_t width) {
  constexpr std::size_t kLeast = 20;
  return width > indent + kLeast ? width - indent : kLeast;
}

}  // namespace

std::string wrapped(std::string_view original, std::size_t indent, std::size_t width,
                    std::size_t most) {
  const std::string text = printable(original);
  const std::size_t room = room_of(indent, width);
  return laid_out(words_of(text, room), indent, room, most, text.size());
}

std::string wrapped_json(std::string_view original, std::size_t indent, std::size_t width,
                         std::size_t most) {
  const std::string text = printable(original);
  const std::size_t room = room_of(indent, width);
  return laid_out(tokens_of(text, room), indent, room, most, text.size());
}

}  // namespace assay
