// Unit tests of cutting PTX into words.
#include "cuda_impl/on_cpu/ptx/translator/parser/lexer.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::vector<std::string> words_of(std::string_view source) {
  std::vector<std::string> words;
  for (const auto& token : tokens_of(source)) words.emplace_back(token.text);
  words.pop_back();
  return words;
}

int line_of_refusal(std::string_view source) {
  try {
    tokens_of(source);
  } catch (const Refusal& refusal) {
    return refusal.line();
  }
  return 0;
}

TEST(Lexer, CutsAnInstructionIntoNamesModifiersAndSigns) {
  EXPECT_EQ(words_of("@!%p1 ld.global.L1::no_allocate.v2.f32 {%f1,_}, [%rd1+-8];"),
            (std::vector<std::string>{"@",   "!",    "%p1", "ld",   ".global", ".L1::no_allocate",
                                      ".v2", ".f32", "{",   "%f1",  ",",       "_",
                                      "}",   ",",    "[",   "%rd1", "+",       "-",
                                      "8",   "]",    ";"}));
}

TEST(Lexer, KnowsNumbersFromWords) {
  const auto tokens = tokens_of("9.0 0f3F800000 12U 0x1f $L__BB0_1");

  EXPECT_EQ(tokens[0].text, "9.0");
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(tokens[static_cast<std::size_t>(i)].kind, TokenKind::kNumber) << i;
  EXPECT_EQ(tokens[4].kind, TokenKind::kName);
}

TEST(Lexer, LeavesCommentsOutAndCountsTheirLines) {
  const auto tokens = tokens_of("// one\n/* two\nthree */ mov\n");

  EXPECT_EQ(tokens[0].text, "mov");
  EXPECT_EQ(tokens[0].line, 3);
}

TEST(Lexer, RefusesWhatNoWordBeginsWith) {
  EXPECT_EQ(line_of_refusal("mov\n#"), 2);
  EXPECT_EQ(line_of_refusal("\n\n/* for ever"), 3);
  EXPECT_EQ(line_of_refusal("\"for ever"), 1);
}

}  // namespace
}  // namespace assay::cuda::on_cpu::ptx
