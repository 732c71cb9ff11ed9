// Reads JSON tokens.
#include "harness/protocol/json_scan.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "harness/protocol/utf8.hpp"

namespace assay {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A character that a string contains unescaped: ASCII, no quote, backslash or control character.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// The value of a number that is too small or too large for from_chars.
double extreme(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

}  // namespace

void JsonScanner::malformed(std::string_view what) { throw MalformedMessage(std::string(what)); }

void JsonScanner::too_many_items() {
  malformed("it has more than " + std::to_string(kMostItems) + " items in its lists and objects");
}

void JsonScanner::broken(std::string_view expected) {
  std::string what = "not JSON: expected " + std::string(expected) + " at byte ";
  what += std::to_string(at_);
  if (at_ >= text_.size()) malformed(what + ", where the text ends");
  malformed(what + ", not '" + std::string(text_.substr(at_, 20)) + "'");
}

void JsonScanner::wrong(std::string_view what, std::string_view wanted) {
  peek();
  std::string sentence(what);
  sentence += " must be ";
  sentence += wanted;
  sentence += ", not ";
  malformed(sentence.append(text_.substr(at_, 60)));
}

char JsonScanner::peek() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonScanner::accept(char token) {
  if (peek() != token || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

void JsonScanner::expect(char token) {
  if (!accept(token)) broken(std::string{'\'', token, '\''});
}

void JsonScanner::open(char bracket, std::string_view what, std::string_view wanted) {
  if (!accept(bracket)) wrong(what, wanted);
}

void JsonScanner::end() {
  peek();
  if (at_ < text_.size()) broken("the end");
}

void JsonScanner::literal(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) broken("a value");
  at_ += word.size();
}

void JsonScanner::null() { literal("null"); }

bool JsonScanner::boolean(std::string_view what) {
  const char first = peek();
  if (first != 't' && first != 'f') wrong(what, "true or false");
  literal(first == 't' ? "true" : "false");
  return first == 't';
}

std::size_t JsonScanner::digits() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  if (at_ == begin) broken("a digit");
  return at_ - begin;
}

std::string_view JsonScanner::number_text(bool& is_integer) {
  if (const char first = peek(); first != '-' && !is_digit(first)) broken("a value");
  const std::size_t begin = at_;
  const auto comes = [this](char c) { return at_ < text_.size() && text_[at_] == c; };
  if (comes('-')) ++at_;
  const bool leads_with_zero = comes('0');
  if (digits() > 1 && leads_with_zero) broken("a number without leading zeros");
  is_integer = true;
  if (comes('.')) {
    is_integer = false;
    ++at_;
    digits();
  }
  if (comes('e') || comes('E')) {
    is_integer = false;
    ++at_;
    if (comes('+') || comes('-')) ++at_;
    digits();
  }
  return text_.substr(begin, at_ - begin);
}

std::variant<std::int64_t, double> JsonScanner::number() {
  bool is_integer = false;
  const std::string_view digits = number_text(is_integer);
  const char* const last = digits.data() + digits.size();
  if (is_integer) {
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), last, value).ec == std::errc{}) return value;
    malformed("an integer must have 64 bits at most: " + std::string(digits.substr(0, 60)));
  }
  double value = 0;
  if (std::from_chars(digits.data(), last, value).ec != std::errc{}) value = extreme(digits);
  if (std::isinf(value))
    malformed("a number is out of range: " + std::string(digits.substr(0, 60)));
  return value;
}

std::int64_t JsonScanner::integer(std::string_view what) {
  const char first = peek();
  if (first != '-' && !is_digit(first)) wrong(what, "a 64-bit integer");
  const auto value = number();
  if (const auto* held = std::get_if<std::int64_t>(&value)) return *held;
  malformed(std::string(what) + " must be a 64-bit integer, not a float");
}

std::string_view JsonScanner::text(std::string_view what) {
  if (!accept('"')) wrong(what, "a string");
  const std::size_t begin = at_;
  plain_run();
  if (at_ < text_.size() && text_[at_] == '\\') return escaped(begin);
  if (!accept_quote()) broken("the end of a string");
  return text_.substr(begin, at_ - 1 - begin);
}

/// Advances to the quote, escape or control character that ends the run.
void JsonScanner::plain_run() {
  for (;;) {
    while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
    if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < 0x80) return;
    const std::size_t length = utf8_sequence(text_.substr(at_));
    if (length == 0) malformed("not UTF-8 at byte " + std::to_string(at_));
    at_ += length;
  }
}

bool JsonScanner::accept_quote() {
  if (at_ >= text_.size() || text_[at_] != '"') return false;
  ++at_;
  return true;
}

std::string_view JsonScanner::escaped(std::size_t begin) {
  scratch_.assign(text_.substr(begin, at_ - begin));
  while (!accept_quote()) {
    if (at_ >= text_.size() || text_[at_] != '\\') broken("the end of a string");
    ++at_;
    escape();
    const std::size_t run = at_;
    plain_run();
    scratch_ += text_.substr(run, at_ - run);
  }
  return scratch_;
}

void JsonScanner::escape() {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (at_ >= text_.size()) broken("an escape");
  const char letter = text_[at_];
  if (const auto known = kLetters.find(letter); known != std::string_view::npos) {
    ++at_;
    scratch_ += kMeanings[known];
    return;
  }
  if (letter != 'u') broken("an escape");
  ++at_;
  unsigned code_point = hex4();
  if (code_point >= 0xd800 && code_point < 0xdc00) {
    if (!text_.substr(at_).starts_with("\\u")) broken("the second half of a surrogate pair");
    at_ += 2;
    const unsigned low = hex4();
    if (low < 0xdc00 || low > 0xdfff) malformed("a surrogate without its other half");
    code_point = 0x10000 + ((code_point - 0xd800) << 10) + (low - 0xdc00);
  } else if (code_point >= 0xdc00 && code_point < 0xe000) {
    malformed("a surrogate without its other half");
  }
  append_code_point(code_point);
}

unsigned JsonScanner::hex4() {
  const std::string_view digits = text_.substr(at_, 4);
  unsigned value = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 4 || failure != std::errc{} || end != digits.data() + 4) {
    broken("four hexadecimal digits");
  }
  at_ += 4;
  return value;
}

void JsonScanner::append_code_point(unsigned code_point) {
  const auto tail = [&](unsigned shift) {
    scratch_ += static_cast<char>(0x80 | ((code_point >> shift) & 0x3f));
  };
  if (code_point < 0x80) {
    scratch_ += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    scratch_ += static_cast<char>(0xc0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    scratch_ += static_cast<char>(0xe0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    scratch_ += static_cast<char>(0xf0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

void JsonScanner::skip() {
  std::size_t depth = 0;
  do {
    const char first = peek();
    if (at_ >= text_.size()) broken("a value");
    if (first == '"') {
      text("a string");
      continue;
    }
    ++at_;
    if (first == '{' || first == '[') ++depth;
    if ((first == '}' || first == ']') && depth > 0) --depth;
  } while (depth > 0 || (at_ < text_.size() && peek() != ',' && peek() != '}' && peek() != ']'));
}

std::string_view JsonScanner::skipped() {
  peek();
  const std::size_t begin = at_;
  skip();
  const std::string_view text = text_.substr(begin, at_ - begin);
  return text.substr(0, text.find_last_not_of(" \n\t\r") + 1);
}

}  // namespace assay
