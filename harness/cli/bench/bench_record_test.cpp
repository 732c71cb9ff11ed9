// Where a record of the bench goes while the bench runs, and when it ends.
#include "harness/cli/bench/bench_record.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "harness/report/bench/record_example.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

class BenchOutputTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "assay-bench-output-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ / "r.json"; }
  std::string partial() const { return path() + ".partial"; }

  fs::path folder_;
};

TEST_F(BenchOutputTest, TheRecordTakesThePlaceOfWhatWasKept) {
  BenchOutput output(path());
  output.keep(report::bench_example());
  EXPECT_TRUE(fs::exists(partial()));
  EXPECT_FALSE(fs::exists(path()));

  output.write(report::bench_example());
  EXPECT_FALSE(fs::exists(partial()));
  EXPECT_TRUE(fs::exists(path()));
}

TEST_F(BenchOutputTest, NothingIsKeptBehindTheRecord) {
  BenchOutput output(path());
  output.write(report::bench_example());
  output.keep(report::bench_example());
  EXPECT_FALSE(fs::exists(partial())) << "it would refuse the next bench";
  EXPECT_NO_THROW(BenchOutput(path()).refuse_partial_record());
}

}  // namespace
}  // namespace assay::cli
