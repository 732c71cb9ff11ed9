// Escapes text and builds elements.
#include "harness/page/markup/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/protocol/utf8.hpp"

namespace assay::page {
namespace {

constexpr std::array<std::string_view, 6> kWithoutContent{"meta", "br",    "hr",
                                                          "col",  "input", "wbr"};

std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  const auto lead = static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = lead & (0xffU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

struct Range {
  std::uint32_t from, to;
};

/// C1 controls; soft hyphen; direction and width marks; separators; specials.
constexpr std::array kUnseen{Range{0x80, 0x9f},      Range{0xad, 0xad},     Range{0x61c, 0x61c},
                             Range{0x180e, 0x180e},  Range{0x200b, 0x200f}, Range{0x2028, 0x202e},
                             Range{0x2060, 0x206f},  Range{0xfeff, 0xfeff}, Range{0xfff0, 0xfffb},
                             Range{0xe0000, 0xe0fff}};

bool is_unseen(std::uint32_t code) {
  const bool is_noncharacter = (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  return is_noncharacter || std::ranges::any_of(kUnseen, [code](const Range& range) {
           return range.from <= code && code <= range.to;
         });
}

bool is_control(unsigned byte) {
  return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

std::string_view entity_of(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

/// Visible ASCII without a meaning in HTML.
bool stays_as_it_is(char c) { return c >= 0x20 && c < 0x7f && entity_of(c).empty(); }

void append_attribute(std::string& html, std::string_view name, std::string_view value) {
  html += ' ';
  html += name;
  html += "=\"";
  html += escaped(value);
  html += '"';
}

template <typename Attributes>
std::string element_text(std::string_view name, const Attributes& attributes,
                         const std::string& content) {
  std::string html;
  html.reserve(content.size() + 2 * name.size() + 64);
  html += '<';
  html += name;
  for (const Attribute& attribute : attributes)
    append_attribute(html, attribute.name.text(), attribute.value);
  html += '>';
  if (std::ranges::find(kWithoutContent, name) != kWithoutContent.end()) return html;
  html += content;
  html += "</";
  html += name;
  html += '>';
  return html;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || is_control(byte)) {
      shown += fmt::format("\\x{:02x}", byte);
    } else if (length > 1 && is_unseen(code_point(sequence))) {
      shown += fmt::format("\\u{{{:x}}}", code_point(sequence));
    } else {
      shown += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return shown;
}

std::string escaped(std::string_view text) {
  if (std::ranges::all_of(text, stays_as_it_is)) return std::string(text);
  std::string html;
  html.reserve(text.size());
  for (const char c : visible(text)) {
    const std::string_view entity = entity_of(c);
    if (entity.empty()) {
      html += c;
    } else {
      html += entity;
    }
  }
  return html;
}

Markup::Markup(std::string_view text) : html_(escaped(text)) {}

Markup& Markup::operator+=(const Markup& more) {
  html_ += more.html_;
  return *this;
}

Markup element(Name name, std::initializer_list<Attribute> attributes, const Markup& content) {
  Markup made;
  made.html_ = element_text(name.text(), attributes, content.html_);
  return made;
}

Markup element(Name name, const std::vector<Attribute>& attributes, const Markup& content) {
  Markup made;
  made.html_ = element_text(name.text(), attributes, content.html_);
  return made;
}

Markup link_to(std::string_view anchor, const Markup& content, std::string_view kind) {
  Markup made;
  made.html_ = "<a";
  if (!kind.empty()) append_attribute(made.html_, "class", kind);
  append_attribute(made.html_, "href", "#" + std::string(anchor));
  made.html_ += '>' + content.html_ + "</a>";
  return made;
}

Markup download_of(std::string_view file, std::string_view type, std::string_view base64,
                   const Markup& content) {
  Markup made;
  made.html_ = "<a";
  append_attribute(made.html_, "download", file);
  append_attribute(made.html_, "href", fmt::format("data:{};base64,{}", type, base64));
  made.html_ += '>' + content.html_ + "</a>";
  return made;
}

Markup own_source(Name name, std::string_view text) {
  Markup made;
  made.html_ = fmt::format("<{0}>{1}</{0}>", name.text(), text);
  return made;
}

std::string anchor_of(std::string_view kind, std::string_view text) {
  std::string anchor(kind);
  anchor += '-';
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-_./").find(c) != std::string_view::npos;
    // A colon occurs nowhere else in ids, so ids of different texts differ.
    if (is_plain) {
      anchor += c;
    } else {
      anchor += fmt::format(":{:02x}", static_cast<unsigned char>(c));
    }
  }
  return anchor;
}

}  // namespace assay::page
