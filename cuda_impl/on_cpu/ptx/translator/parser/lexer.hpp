// Splits PTX into tokens.
#pragma once

#include <string_view>
#include <vector>

namespace assay::cuda::on_cpu::ptx {

enum class TokenKind {
  kName,    ///< mov, %r1, $L__BB0_1, _Z6kernelPf
  kDotted,  ///< .u32, .reg, .L1::no_allocate; `text` begins with the dot
  kNumber,  ///< 12, 9U, 9.0, 0x1f, 0f3F800000, 0d3FF0000000000000; never a sign before it
  kString,  ///< without its quotes
  kSign,    ///< a punctuation character
  kEnd
};

struct Token {
  TokenKind kind;
  std::string_view text;  ///< a view of the source, which must outlive the token
  int line;
};

/// The last token is kEnd. Throws Refusal at a character that cannot start a token.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace assay::cuda::on_cpu::ptx
