// Splits schemas into tokens.
#include <algorithm>
#include <array>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/grammar.hpp"

namespace assay::cuda::dispatch {
namespace {

/// DSP-302: Python's reserved words, and the name of None's type.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"False",    "None", "NoneType", "True", "and",  "as",    "assert", "break", "class",
     "continue", "def",  "del",      "elif", "else", "for",   "global", "if",    "import",
     "in",       "is",   "not",      "or",   "pass", "raise", "return", "while", "with"});
constexpr std::string_view kSigns = "+-*/%@()[]:,={}><.?!&^|~";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Returns the length of the prefix whose characters satisfy `holds`.
template <typename Holds>
std::size_t run_of(std::string_view text, Holds holds) {
  const auto end = std::ranges::find_if_not(text, holds);
  return static_cast<std::size_t>(end - text.begin());
}

std::size_t exponent_size(std::string_view text, std::string_view letters) {
  if (text.empty() || letters.find(text[0]) == std::string_view::npos) return 0;
  const std::size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  const std::size_t digits = run_of(text.substr(1 + sign), is_digit);
  return digits == 0 ? 0 : 1 + sign + digits;
}

std::size_t hexadecimal_size(std::string_view text) {
  if (!(text.starts_with("0x") || text.starts_with("0X"))) return 0;
  const std::size_t digits = run_of(text.substr(2), is_hex_digit);
  return digits == 0 ? 0 : 2 + digits + exponent_size(text.substr(2 + digits), "pP");
}

std::size_t decimal_size(std::string_view text) {
  std::size_t size = run_of(text, is_digit);
  std::size_t digits = size;
  if (size < text.size() && text[size] == '.') {
    const std::size_t fraction = run_of(text.substr(size + 1), is_digit);
    digits += fraction;
    size += 1 + fraction;
  }
  return digits == 0 ? 0 : size + exponent_size(text.substr(size), "eE");
}

}  // namespace

std::size_t Lexer::beyond_space(std::size_t at) const {
  while (at < text_.size()) {
    if (text_[at] == '#') {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (is_space(text_[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t Lexer::number_size(std::size_t at) const {
  const std::string_view rest = text_.substr(at);
  const std::size_t hexadecimal = hexadecimal_size(rest);
  const std::size_t size = hexadecimal != 0 ? hexadecimal : decimal_size(rest);
  const bool is_imaginary = size != 0 && size < rest.size() && rest[size] == 'j';
  return size + (is_imaginary ? 1 : 0);
}

std::size_t Lexer::literal_size(std::size_t at) const {
  const char quote = text_[at];
  for (std::size_t end = at + 1; end < text_.size(); ++end) {
    if (text_[end] == quote) return end + 1 - at;
    if (text_[end] == '\\') ++end;
  }
  fail({"string_literal", text_.substr(at, 1), at}, "the string has no end");
}

Token Lexer::word_at(std::size_t at) const {
  const auto in_word = [](char c) { return begins_word(c) || is_digit(c); };
  const std::string_view word = text_.substr(at, run_of(text_.substr(at), in_word));
  const bool is_reserved = std::ranges::find(kReserved, word) != kReserved.end();
  return {is_reserved ? word : "ident", word, at};
}

Token Lexer::read_at(std::size_t at) const {
  const std::string_view rest = text_.substr(at);
  if (rest.empty()) return {"eof", rest, at};
  if (begins_word(rest[0])) return word_at(at);
  if (const std::size_t size = number_size(at)) return {"number", rest.substr(0, size), at};
  if (rest[0] == '"' || rest[0] == '\'') {
    return {"string_literal", rest.substr(0, literal_size(at)), at};
  }
  if (rest.starts_with("->")) return {"arrow", rest.substr(0, 2), at};
  if (rest.starts_with("...")) return {"dots", rest.substr(0, 3), at};
  const std::string_view sign = rest.substr(0, 1);
  const Token token{sign, sign, at};
  if (kSigns.find(rest[0]) == std::string_view::npos) fail_expecting("a valid token", token);
  return token;
}

Token Lexer::read() {
  const std::size_t at = beyond_space(next_);
  Token token = read_at(at);
  token.begins_line = text_.substr(next_, at - next_).find('\n') != std::string_view::npos;
  next_ = at + token.text.size();
  return token;
}

bool Lexer::is_next(std::string_view kind) const {
  return read_at(beyond_space(next_)).kind == kind;
}

Token Lexer::take() {
  const Token taken = current_;
  current_ = read();
  return taken;
}

bool Lexer::accept(std::string_view kind) {
  if (!is(kind)) return false;
  take();
  return true;
}

Token Lexer::expect(std::string_view kind) {
  if (!is(kind)) fail_expecting(kind, current_);
  return take();
}

void Lexer::fail_expecting(std::string_view wanted, const Token& found) const {
  fail(found,
       "expected " + std::string(wanted) + " but found '" + std::string(found.kind) + "' here");
}

void Lexer::fail(const Token& token, const std::string& words) const {
  const std::size_t before =
      token.at == 0 ? std::string_view::npos : text_.rfind('\n', token.at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view line = text_.substr(begin, text_.find('\n', token.at) - begin);
  const std::size_t width =
      std::clamp<std::size_t>(token.text.size(), 1, std::max<std::size_t>(line.size(), 1));
  throw Error(ErrorKind::kSchema, words + ":\n" + std::string(line) + "\n" +
                                      std::string(token.at - begin, ' ') + std::string(width, '~') +
                                      " <--- HERE");
}

}  // namespace assay::cuda::dispatch
