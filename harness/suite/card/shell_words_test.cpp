// Tests of quoting, with a real shell.
#include "harness/suite/card/shell_words.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace assay {
namespace {

/// The shell's interpretation of the word.
std::string as_a_shell_reads(const std::string& word) {
  std::FILE* const shell = popen(("printf '[%s]' " + word).c_str(), "r");
  std::array<char, 256> buffer{};
  std::string text;
  while (std::fgets(buffer.data(), buffer.size(), shell) != nullptr) text += buffer.data();
  pclose(shell);
  return text;
}

TEST(ShellWords, AShellReadsBackWhatWasQuoted) {
  for (const std::string text :
       {"", "plain", "two words", "it's", "a \"b\" $HOME `id` \\ !x", "'", "*", "a;b", "~", "#x"}) {
    EXPECT_EQ(as_a_shell_reads(shell_quoted(text)), "[" + text + "]");
    EXPECT_EQ(as_a_shell_reads(shell_word(text)), "[" + text + "]");
  }
}

TEST(ShellWords, ControlCharactersAreWrittenSoThatTheyCanBeCopied) {
  EXPECT_EQ(shell_word("a\tb 'c' \\ \x1b\n\x7f"), "$'a\\011b \\'c\\' \\\\ \\033\\012\\177'");
}

TEST(ShellWords, AWordOfHarmlessCharactersNeedsNoQuotes) {
  EXPECT_EQ(shell_word("../build/bin/assay-0.1"), "../build/bin/assay-0.1");
  EXPECT_EQ(shell_word("my files/assay"), "\"my files/assay\"");
  EXPECT_EQ(shell_quoted("assay"), "\"assay\"");
}

}  // namespace
}  // namespace assay
