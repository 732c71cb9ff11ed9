// Reads tokens one after another, and reports an unexpected one with what was expected.
#include "cuda_impl/on_cpu/ptx/translator/parser/token_stream.hpp"

#include <algorithm>
#include <charconv>

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool TokenStream::next_is(std::string_view text) const {
  return peek().kind != TokenKind::kString && peek().text == text;
}

Token TokenStream::take() {
  const Token token = peek();
  if (!at_end()) ++at_;
  return token;
}

bool TokenStream::accept(std::string_view text) {
  if (!next_is(text)) return false;
  take();
  return true;
}

void TokenStream::expect(std::string_view text) {
  if (!accept(text)) refuse("expected " + std::string(text));
}

Token TokenStream::expect(TokenKind kind, const char* what) {
  if (peek().kind != kind) refuse(std::string("expected ") + what);
  return take();
}

std::uint64_t TokenStream::expect_count() {
  const auto token = expect(TokenKind::kNumber, "a number");
  std::uint64_t value = 0;
  const auto* end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (error != std::errc() || stop != end) {
    throw Refusal(token.line, std::string(token.text), "expected a decimal number");
  }
  return value;
}

const Type& TokenStream::expect_type() {
  const auto token = expect(TokenKind::kDotted, "a type");
  const auto* type = find_type(token.text.substr(1));
  if (type == nullptr) throw Refusal(token.line, std::string(token.text), "unknown type");
  return *type;
}

void TokenStream::refuse(const std::string& reason) const {
  throw Refusal(peek().line, std::string(peek().text), reason);
}

}  // namespace assay::cuda::on_cpu::ptx
