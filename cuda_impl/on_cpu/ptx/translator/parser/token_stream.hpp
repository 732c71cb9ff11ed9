// Reads tokens one after another, and reports an unexpected one with what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/parser/lexer.hpp"
#include "cuda_impl/on_cpu/ptx/translator/types.hpp"

namespace assay::cuda::on_cpu::ptx {

class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const;
  bool at_end() const { return peek().kind == TokenKind::kEnd; }
  bool next_is(std::string_view text) const;

  Token take();
  /// Consumes the next token if it is `text`.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  Token expect(TokenKind kind, const char* what);
  /// A count, size or file number: decimal and not negative.
  std::uint64_t expect_count();
  /// A type, such as .u32.
  const Type& expect_type();

  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace assay::cuda::on_cpu::ptx
