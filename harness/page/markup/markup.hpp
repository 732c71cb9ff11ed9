// Markup that cannot be broken from outside: every text is escaped when it becomes markup, and
// names of elements and attributes are literals of the source.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay::page {

class Markup;

/// The name of an element or attribute. Only a literal can be one, so that no data ever is.
class Name {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `element("td", …)` is how it is used
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

/// The name of an attribute whose value is plain text: none that runs, styles or loads something.
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

/// A piece of HTML or SVG. Made of texts and of `element`.
class Markup {
 public:
  Markup() = default;
  // NOLINTBEGIN(google-explicit-constructor): a text stands where markup is expected
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

/// `<name …>content</name>`; elements that cannot have content are written without an end.
Markup element(Name name, std::initializer_list<Attribute> attributes, const Markup& content = {});
Markup element(Name name, const std::vector<Attribute>& attributes, const Markup& content = {});

/// An element without attributes.
inline Markup element(Name name, const Markup& content) {
  return element(name, std::initializer_list<Attribute>{}, content);
}

/// A link to `anchor` (what `anchor_of` gave) within the page.
Markup link_to(std::string_view anchor, const Markup& content, std::string_view kind = "");

/// A link that saves bytes, which are part of the page, as a file of that name.
Markup download_of(std::string_view file, std::string_view type, std::string_view base64,
                   const Markup& content);

/// `<style>` or `<script>` with a text that was compiled into the program. Never for data.
Markup own_source(Name name, std::string_view text);

/// An id from any texts: letters, digits, `-`, `_`, `.` and `/` stay, all else becomes its hex
/// code. Different texts give different ids.
std::string anchor_of(std::string_view kind, std::string_view text);

/// As HTML: `<`, `>`, `&` and quotes as entities; what cannot be seen or is not UTF-8 as `visible`
/// has it.
std::string escaped(std::string_view text);

/// What a reader cannot see, or could be misled by, made visible: control characters and bytes that
/// are no UTF-8 as
/// `\x1b`; marks that change the direction of text, separators and code points that are no
/// characters as `\u{202e}`.
std::string visible(std::string_view text);

}  // namespace assay::page
