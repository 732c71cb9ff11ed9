// Escapes the characters that are special for each outlet, and hides secrets.
#include "harness/text/neutral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "harness/protocol/utf8.hpp"

namespace assay {
namespace {

/// True if the text begins with an invisible character: a space of any kind, a mark, or one of our
/// colours.
std::size_t unseen_length(std::string_view text) {
  if (text.starts_with("\x1b[")) {
    const std::size_t end = text.find('m');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  const std::size_t length = utf8_sequence(text);
  if (length == 0) return 1;
  const std::uint32_t code = code_point(text.substr(0, length));
  const bool is_unseen = code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code == 0x1680 ||
                         (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) ||
                         (code >= 0x205f && code <= 0x206f) || code == 0x3000 || code == 0xfeff;
  return is_unseen ? length : 0;
}

/// The position of the first visible character of a line.
std::size_t first_seen(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t length = unseen_length(line.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

bool opens_command(std::string_view text) {
  constexpr std::array<std::string_view, 3> kOpenings{"##[", "##vso[", "##teamcity["};
  return std::ranges::any_of(kOpenings, [&](auto opening) { return text.starts_with(opening); });
}

/// Escapes every `##[` and similar prefix, anywhere in the text.
std::string without_hashes(std::string_view text, std::string_view hash) {
  std::string safe;
  std::size_t copied = 0;
  for (std::size_t at = text.find('#'); at < text.size(); at = text.find('#', at + 1)) {
    if (!opens_command(text.substr(at))) continue;
    safe += text.substr(copied, at + 1 - copied);
    safe += hash;
    copied = at + 2;
  }
  return safe += text.substr(copied);
}

std::string percent_encoded(std::string_view text, std::string_view characters) {
  std::string safe;
  for (const char c : printable(without_hashes(text, "\\x23"))) {
    if (characters.find(c) == std::string_view::npos) {
      safe += c;
    } else {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return safe;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : printable(text)) {
    if (c == '\n') {
      line += "\\x0a";
    } else if (c == '\t') {
      line += "\\x09";
    } else {
      line += c;
    }
  }
  return line;
}

std::string without_ci_commands(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    // Some readers treat each of these as the end of a line.
    const std::size_t end = std::min(text.find_first_of("\n\r"), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const std::size_t first = first_seen(line);
    const bool is_command = line.substr(first).starts_with("::");
    safe += line.substr(0, first);
    if (is_command) safe += "\\x3a";
    safe += without_hashes(line.substr(first + (is_command ? 1 : 0)), "\\x23");
    text.remove_prefix(end);
  }
  return safe;
}

std::string data_without_ci_commands(std::string_view text) {
  return without_hashes(text, "\\u0023");
}

std::string data_for_terminal(std::string_view text, DataFormat format) {
  constexpr std::uint32_t kReplacement = 0xfffd, kBeyond = 0x10000;
  std::string safe;
  while (true) {
    const std::size_t plain = plain_length(text);
    safe += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return safe;
    const std::size_t length = utf8_sequence(text);
    const std::uint32_t code = length == 0 ? kReplacement : code_point(text.substr(0, length));
    if (code == '\r') {
      safe += ' ';  // white space outside texts, and invalid in them
    } else if (code > 0x7f && !misleads(code)) {
      safe += length == 0 ? "\xef\xbf\xbd" : text.substr(0, length);
    } else if (code < kBeyond) {
      safe += fmt::format("\\u{:04x}", code);
    } else if (format == DataFormat::kToml) {
      safe += fmt::format("\\U{:08x}", code);
    } else {
      safe += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((code - kBeyond) >> 10),
                          0xdc00 + ((code - kBeyond) & 0x3ff));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

std::string for_annotation(std::string_view text) { return percent_encoded(text, "%\r\n"); }

std::string for_annotation_property(std::string_view text) {
  return percent_encoded(text, "%\r\n:,");
}

std::string for_markdown(std::string_view text) {
  // GitHub turns this into a link in plain text; an empty comment prevents that.
  constexpr std::string_view kNothing = "<!-- -->";
  const std::string shown = printable(text);
  const std::size_t first = first_seen(shown);
  std::string safe;
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const char c = shown[at];
    if (at == first && std::string_view(shown).substr(at).starts_with("::")) safe += '\\';
    if (c == '\n' || c == '\t') {
      safe += ' ';
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '@' || c == '#') {
      safe += (c == '#' ? "\\#" : "@") + std::string(kNothing);
    } else if (c == '/' && safe.ends_with(':')) {
      safe += std::string(kNothing) + "/";
    } else {
      if (std::string_view("\\`*_[]|#~>!").find(c) != std::string_view::npos) safe += '\\';
      safe += c;
    }
  }
  return safe;
}

std::string markdown_code(std::string_view text) {
  const std::string line = without_hashes(one_line(text), "\\x23");
  std::size_t longest = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::size_t end = std::min(line.find_first_not_of('`', at), line.size());
    longest = std::max(longest, end - at);
    at = end;
  }
  const std::string fence(longest + 1, '`');
  const std::string_view pad = longest > 0 ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", fence, pad, line);
}

namespace {

bool opens_a_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string for_csv(std::string_view text) {
  std::string field = opens_a_formula(text) ? "'" : "";
  field += without_ci_commands(printable(text));
  if (field.find_first_of("\",\n\r") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  constexpr std::string_view kHidden = "***";
  std::vector<std::string> longest_first = secrets;
  std::ranges::stable_sort(longest_first, std::ranges::greater(), &std::string::size);
  for (const std::string& secret : longest_first) {
    if (secret.empty()) continue;
    for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos;) {
      text.replace(at, secret.size(), kHidden);
      at += kHidden.size();
    }
  }
  return text;
}

}  // namespace assay
