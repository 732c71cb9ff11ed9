// Temporary folders, those of killed processes among them.
#include "harness/console/folders.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Runs in a TMPDIR of its own.
class TemporaryFolders : public ::testing::Test {
 protected:
  TemporaryFolders() : own_("test") {
    if (const char* value = std::getenv("TMPDIR")) before_ = value;
    ::setenv("TMPDIR", own_.path().c_str(), 1);
  }
  ~TemporaryFolders() override {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }

  /// As a process leaves it that is killed long ago.
  fs::path left_behind(const std::string& name) const {
    const fs::path folder = temporary_folder() / name;
    fs::create_directories(folder / "inner");
    std::ofstream(folder / "inner" / "file") << "text";
    age(folder);
    return folder;
  }

  static void age(const fs::path& folder) {
    const timespec hour_ago[2] = {{.tv_sec = ::time(nullptr) - 3600, .tv_nsec = 0},
                                  {.tv_sec = ::time(nullptr) - 3600, .tv_nsec = 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, folder.c_str(), hour_ago, 0), 0);
  }

 private:
  TemporaryFolder own_;
  std::optional<std::string> before_;
};

TEST_F(TemporaryFolders, LiveAsLongAsTheirOwner) {
  fs::path path;
  {
    const TemporaryFolder folder("use");
    path = folder.path();
    EXPECT_EQ(path.parent_path(), temporary_folder());
    EXPECT_TRUE(path.filename().string().starts_with("assay-use-"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    std::ofstream(path / "file") << "text";
  }
  EXPECT_FALSE(is_there(path));
}

TEST_F(TemporaryFolders, OfAKilledProcessAreRemovedByTheNext) {
  const fs::path first = left_behind("assay-use-abcdef");
  const fs::path second = left_behind("assay-use-ABC123");
  const TemporaryFolder folder("use");
  EXPECT_FALSE(is_there(first));
  EXPECT_FALSE(is_there(second));
}

TEST_F(TemporaryFolders, OfLivingProcessesStay) {
  const TemporaryFolder first("use");
  age(first.path());
  const TemporaryFolder second("use");
  EXPECT_TRUE(is_there(first.path()));
}

TEST_F(TemporaryFolders, AsNewAsOneThatIsNotLockedYetStay) {
  const fs::path fresh = temporary_folder() / "assay-use-abcdef";
  fs::create_directory(fresh);
  const TemporaryFolder folder("use");
  EXPECT_TRUE(is_there(fresh));
}

TEST_F(TemporaryFolders, OfAnotherUseOrNameStay) {
  const fs::path other = left_behind("assay-other-abcdef");
  const fs::path longer = left_behind("assay-use-abcdefg");
  const fs::path target = left_behind("target");
  fs::create_directory_symlink(target, temporary_folder() / "assay-use-linked");
  const TemporaryFolder folder("use");
  EXPECT_TRUE(is_there(other));
  EXPECT_TRUE(is_there(longer));
  EXPECT_TRUE(is_there(target / "inner" / "file"));
}

TEST_F(TemporaryFolders, ThatCannotBeMadeAreNamed) {
  try {
    const TemporaryFolder folder("no/such");
    FAIL() << folder.path();
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with("cannot be made: No such file or directory"))
        << error.what();
  }
}

}  // namespace
}  // namespace assay
