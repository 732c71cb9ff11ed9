// Tokenizes schemas and reports the position of errors.
#include <algorithm>
#include <array>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/reader.hpp"

namespace assay::reference {
namespace {

/// Reserved words, which cannot be names (DSP-302).
constexpr std::array<std::string_view, 27> kReserved{
    "def",  "class",    "for",      "in",     "if", "else", "elif",   "while", "return",
    "pass", "break",    "continue", "and",    "or", "not",  "is",     "True",  "False",
    "None", "NoneType", "global",   "import", "as", "with", "assert", "del",   "raise",
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

bool is_hex(std::string_view text, std::size_t at) {
  return text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X');
}

/// The end of the number that begins at `at`.
std::size_t number_end(std::string_view text, std::size_t at) {
  if (is_hex(text, at)) {
    at += 2;
    while (at < text.size() && (is_digit(text[at]) || is_letter(text[at]))) ++at;
    return at;
  }
  at = skip_digits(text, at);
  if (at < text.size() && text[at] == '.') at = skip_digits(text, at + 1);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (skip_digits(text, exponent) > exponent) at = skip_digits(text, exponent);
  }
  return at < text.size() && text[at] == 'j' ? at + 1 : at;
}

std::size_t ident_end(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
  return at;
}

/// The position after the closing quote, or the end of the text if it is missing.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2u : 1u;
  return std::min(at + 1, text.size() + 1);
}

std::size_t skip_nothing(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_space(text[at]) || text[at] == '#')) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      ++at;
    }
  }
  return at;
}

}  // namespace

SchemaLexer::SchemaLexer(std::string_view source) : source_(source) { read_all(); }

void SchemaLexer::read_all() {
  std::size_t at = skip_nothing(source_, 0);
  bool begins_line = false;
  while (at < source_.size()) {
    tokens_.push_back(read_word(at));
    tokens_.back().begins_line = begins_line;
    const std::size_t end = at;
    at = skip_nothing(source_, at);
    begins_line = source_.substr(end, at - end).find('\n') != std::string_view::npos;
  }
  tokens_.push_back({"eof", "", source_.size(), false});
}

SchemaToken SchemaLexer::read_word(std::size_t& at) const {
  const std::size_t begin = at;
  const auto word = [&](std::string_view kind, std::size_t end) -> SchemaToken {
    at = end;
    const std::string text(source_.substr(begin, end - begin));
    return {kind.empty() ? text : std::string(kind), text, begin, false};
  };
  const char c = source_[at];
  const bool is_fraction = c == '.' && at + 1 < source_.size() && is_digit(source_[at + 1]);
  if (is_digit(c) || is_fraction) return word("number", number_end(source_, at));
  if (is_letter(c)) {
    const std::size_t end = ident_end(source_, at);
    const bool is_reserved = std::ranges::count(kReserved, source_.substr(at, end - at)) > 0;
    return word(is_reserved ? "" : "ident", end);
  }
  if (c == '"' || c == '\'') {
    const std::size_t end = string_end(source_, at);
    if (end > source_.size()) refuse("expected the end of the string", {"", "", begin, false});
    return word("string_literal", end);
  }
  if (source_.substr(at).starts_with("->")) return word("arrow", at + 2);
  if (source_.substr(at).starts_with("...")) return word("dots", at + 3);
  constexpr std::string_view kSigns = "+-*/%@(){}[]:,.=<>|&^~!?";
  if (kSigns.find(c) == std::string_view::npos) {
    refuse("expected a valid token but found '" + std::string(1, c) + "' here",
           {"", std::string(1, c), begin, false});
  }
  return word("", at + 1);
}

SchemaToken SchemaLexer::take() {
  SchemaToken taken = now();
  if (at_ + 1 < tokens_.size()) ++at_;
  return taken;
}

bool SchemaLexer::take_if(std::string_view kind) {
  if (!is(kind)) return false;
  take();
  return true;
}

SchemaToken SchemaLexer::expect(std::string_view kind) {
  if (!is(kind)) refuse_unexpected(kind);
  return take();
}

void SchemaLexer::refuse(const std::string& reason, const SchemaToken& where) const {
  std::size_t first = source_.rfind('\n', where.begin == 0 ? 0 : where.begin - 1);
  first = first == std::string_view::npos ? 0 : first + 1;
  const std::size_t last = std::min(source_.find('\n', where.begin), source_.size());
  const std::string line(source_.substr(first, last - first));
  std::string message = reason + ":\n" + line;
  message += "\n" + std::string(where.begin - std::min(first, where.begin), ' ') +
             std::string(std::max<std::size_t>(where.text.size(), 1), '~') + " <--- HERE";
  throw Error(ErrorKind::kSchema, message);
}

void SchemaLexer::refuse_unexpected(std::string_view wanted) const {
  refuse("expected " + std::string(wanted) + " but found '" + now().kind + "' here", now());
}

}  // namespace assay::reference
