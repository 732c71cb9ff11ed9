// Tests that files are complete or absent.
#include "harness/report/write_whole.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/protocol/testing.hpp"

namespace assay::report {
namespace {

TEST(WriteWhole, ReplacesAFileInOneStep) {
  const auto folder = std::filesystem::temp_directory_path() / "assay_write_whole_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "file.txt").string();

  write_whole(path, "first");
  write_whole(path, "second");

  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "second");
  const auto files = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(folder);
}

TEST(WriteWhole, IsForetoldWithoutATrace) {
  const auto folder = std::filesystem::temp_directory_path() / "assay_can_write_test";
  std::filesystem::remove_all(folder);
  const auto why = [](const std::string& path) -> std::string {
    return error_of<CannotWrite>([&] { check_can_write(path); });
  };

  EXPECT_TRUE(holds(why(folder / "file"), "there is no folder " + folder.string()));
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_TRUE(holds(why("/proc/file"), "cannot write /proc/file: "));
  std::filesystem::create_directory(folder);
  EXPECT_EQ(why(folder / "file"), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_EQ(why("/dev/null"), "");
  std::filesystem::remove_all(folder);
}

TEST(WriteWhole, MakesNoFolder) {
  const auto folder = std::filesystem::temp_directory_path() / "assay_no_such_folder";
  std::filesystem::remove_all(folder);

  EXPECT_THROW(write_whole(folder / "file", "text"), CannotWrite);
  EXPECT_THROW(refuse_unwritable(folder / "file"), CannotWrite);

  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(WriteWhole, SaysWhichFileItCouldNotWrite) {
  try {
    write_whole("/proc/none/file", "text");
    FAIL() << "it was written";
  } catch (const CannotWrite& error) {
    EXPECT_TRUE(holds(error.what(), "/proc/none/file"));
  }
}

}  // namespace
}  // namespace assay::report
