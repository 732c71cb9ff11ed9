// Markup that is safe from injection: every text is escaped when it becomes markup, and names of
// elements and attributes are literals.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay::page {

class Markup;

/// The name of an element or attribute. Only literals convert to it, so data cannot.
class Name {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): allows `element("td", …)`
  consteval Name(const char* literal) : text_(literal) {
    for (const char c : text_) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!is_letter && c != '-' && !(c >= '0' && c <= '9')) throw "not a name";
    }
  }

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// The name of an attribute whose value is plain text; excludes those that run, style or load.
class PlainName {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval PlainName(const char* literal) : name_(literal) {
    const std::string_view text(literal);
    if (text.starts_with("on") || text == "style" || text == "href" || text == "src") {
      throw "an attribute with a function of its own, or none at all";
    }
  }

  std::string_view text() const { return name_.text(); }

 private:
  Name name_;
};

struct Attribute {
  PlainName name;
  std::string value;
};

/// A piece of HTML or SVG, made of texts and elements.
class Markup {
 public:
  Markup() = default;
  // NOLINTBEGIN(google-explicit-constructor): texts convert to markup
  Markup(std::string_view text);
  Markup(const std::string& text) : Markup(std::string_view(text)) {}
  Markup(const char* text) : Markup(std::string_view(text)) {}
  // NOLINTEND(google-explicit-constructor)

  Markup& operator+=(const Markup& more);
  friend Markup operator+(Markup left, const Markup& right) { return left += right; }

  const std::string& html() const { return html_; }
  bool empty() const { return html_.empty(); }

 private:
  friend Markup element(Name, std::initializer_list<Attribute>, const Markup&);
  friend Markup element(Name, const std::vector<Attribute>&, const Markup&);
  friend Markup link_to(std::string_view, const Markup&, std::string_view);
  friend Markup download_of(std::string_view, std::string_view, std::string_view, const Markup&);
  friend Markup own_source(Name, std::string_view);

  std::string html_;
};

/// `<name …>content</name>`; void elements are written without an end tag.
Markup element(Name name, std::initializer_list<Attribute> attributes, const Markup& content = {});
Markup element(Name name, const std::vector<Attribute>& attributes, const Markup& content = {});

/// An element without attributes.
inline Markup element(Name name, const Markup& content) {
  return element(name, std::initializer_list<Attribute>{}, content);
}

/// A link to `anchor` (from `anchor_of`) within the page.
Markup link_to(std::string_view anchor, const Markup& content, std::string_view kind = "");

/// A link that saves bytes contained in the page as a file with this name.
Markup download_of(std::string_view file, std::string_view type, std::string_view base64,
                   const Markup& content);

/// `<style>` or `<script>` with a text that is compiled into the program. Never use it for data.
Markup own_source(Name name, std::string_view text);

/// An id for any texts: keeps letters, digits, `-`, `_`, `.` and `/`, and replaces other characters
/// by their hexadecimal codes. Different texts have different ids.
std::string anchor_of(std::string_view kind, std::string_view text);

/// Escapes `<`, `>`, `&` and quotes as entities; invisible characters and invalid UTF-8 as
/// `visible` does.
std::string escaped(std::string_view text);

/// Makes characters visible that a reader cannot see or could be misled by: control characters and
/// invalid UTF-8 as
/// `\x1b`; direction marks, separators and code points that are not characters as
/// `\u{202e}`.
std::string visible(std::string_view text);

}  // namespace assay::page
