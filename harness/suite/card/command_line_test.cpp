// Tests of quoted words and of the name of the program.
#include "harness/suite/card/command_line.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

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

namespace fs = std::filesystem;

/// A folder with links to this test, which is the program to be found.
class ProgramName : public testing::Test {
 protected:
  ProgramName() {
    std::string name = (fs::temp_directory_path() / "it's a place XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_symlink(fs::read_symlink("/proc/self/exe"), folder_ / "mine");
    const char* const path = std::getenv("PATH");
    former_path_ = path == nullptr ? "" : path;
  }
  ~ProgramName() override {
    setenv("PATH", former_path_.c_str(), 1);
    fs::remove_all(folder_);
    set_program_name("assay");
  }

  void search_only(const fs::path& folder) { setenv("PATH", folder.c_str(), 1); }

  static std::string name_when_called(const std::string& argv0) {
    set_program_name(argv0);
    return program_name();
  }

  fs::path folder_;
  std::string former_path_;
};

TEST_F(ProgramName, IsTheBareNameWhereAShellFindsThisProgramByIt) {
  search_only("/nowhere:" + folder_.string());

  EXPECT_EQ(name_when_called("mine"), "mine");
  EXPECT_EQ(name_when_called((folder_ / "mine").string()), "mine");
}

TEST_F(ProgramName, IsThePathAsTypedWhereTheNameFindsNothing) {
  search_only("/nowhere");

  EXPECT_EQ(name_when_called((folder_ / "mine").string()), shell_word((folder_ / "mine").string()));
}

TEST_F(ProgramName, IsThePathAsTypedWhereTheNameFindsAnotherProgram) {
  fs::create_directory(folder_ / "first");
  fs::create_symlink("/bin/true", folder_ / "first" / "mine");
  search_only(folder_.string() + "/first:" + folder_.string());

  EXPECT_EQ(name_when_called((folder_ / "mine").string()), shell_word((folder_ / "mine").string()));
}

TEST_F(ProgramName, IsTheProgramsOwnPathWhereTheTypedOneIsNoHelp) {
  search_only("/nowhere");

  EXPECT_EQ(name_when_called("something else"),
            shell_word(fs::read_symlink("/proc/self/exe").string()));
}

TEST_F(ProgramName, IsThatOfTheScriptThatHasBecomeThisProgram) {
  const fs::path script = folder_ / "script";
  fs::copy_file("/bin/true", script);
  setenv("ASSAY_CALLED_BY", script.c_str(), 1);
  search_only(folder_);

  EXPECT_EQ(name_when_called("/anything"), "script");
  EXPECT_EQ(command_path(), script.string());
  EXPECT_EQ(std::getenv("ASSAY_CALLED_BY"), nullptr);
  EXPECT_EQ(name_when_called((folder_ / "mine").string()), "mine");
}

TEST_F(ProgramName, IsThePathOfTheScriptWhereItsNameFindsNothing) {
  const fs::path script = folder_ / "script";
  fs::copy_file("/bin/true", script);
  setenv("ASSAY_CALLED_BY", script.c_str(), 1);
  search_only("/nowhere");

  EXPECT_EQ(name_when_called("/anything"), shell_word(script.string()));
}

}  // namespace
}  // namespace assay
