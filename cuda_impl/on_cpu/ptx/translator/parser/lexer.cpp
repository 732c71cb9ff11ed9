// Splits PTX into tokens.
#include "cuda_impl/on_cpu/ptx/translator/parser/lexer.hpp"

#include <algorithm>

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_name(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool continues_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (skip_space(); at_ < source_.size(); skip_space()) tokens.push_back(next());
    tokens.push_back({TokenKind::kEnd, "the end of the file", line_});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void skip_to(std::size_t end) {
    end = std::min(end, source_.size());
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void skip_space() {
    while (at_ < source_.size()) {
      if (peek() == '/' && peek(1) == '/') {
        skip_to(source_.find('\n', at_));
      } else if (peek() == '/' && peek(1) == '*') {
        const auto end = source_.find("*/", at_ + 2);
        if (end == std::string_view::npos) throw Refusal(line_, "/*", "the comment has no end");
        skip_to(end + 2);
      } else if (std::string_view(" \t\r\n").find(peek()) != std::string_view::npos) {
        skip_to(at_ + 1);
      } else {
        return;
      }
    }
  }

  Token next() {
    const char c = peek();
    if (begins_name(c)) return take(TokenKind::kName, name_length(1));
    if (c == '.' && begins_name(peek(1))) return take(TokenKind::kDotted, dotted_length());
    if (is_digit(c)) return take(TokenKind::kNumber, number_length());
    if (c == '"') return text_in_quotes();
    if (std::string_view(",;:{}[]()<>|!@+-=").find(c) != std::string_view::npos) {
      return take(TokenKind::kSign, 1);
    }
    throw Refusal(line_, std::string(1, c), "no word of PTX begins with this character");
  }

  std::size_t name_length(std::size_t length) const {
    while (continues_name(peek(length))) ++length;
    return length;
  }

  std::size_t number_length() const {
    const auto length = name_length(1);
    return peek(length) == '.' && is_digit(peek(length + 1)) ? name_length(length + 2) : length;
  }

  std::size_t dotted_length() const {
    auto length = name_length(1);
    while (peek(length) == ':' && peek(length + 1) == ':') length = name_length(length + 2);
    return length;
  }

  Token text_in_quotes() {
    const auto end = source_.find('"', at_ + 1);
    if (end == std::string_view::npos) throw Refusal(line_, "\"", "the text has no end");
    auto token = take(TokenKind::kString, end + 1 - at_);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }

  Token take(TokenKind kind, std::size_t length) {
    const Token token{kind, source_.substr(at_, length), line_};
    skip_to(at_ + length);
    return token;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

}  // namespace assay::cuda::on_cpu::ptx
