// Tests the archive in its file: what comes back, and how SQLite finds it.
#include "harness/archive/archive.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/archive/entry.hpp"
#include "harness/console/folders.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/bench/record_example.hpp"

namespace assay::archive {
namespace {

class ArchiveTest : public testing::Test {
 protected:
  static Entry entry(const report::BenchRecord& record, const Labels& labels = {}) {
    return entry_of(texts_in(report::to_json(record)).front(), "r.json", labels);
  }

  static report::BenchRecord started(const std::string& at, double ns) {
    report::BenchRecord record = report::bench_example();
    record.meta.started = at;
    record.meta.complete = true;
    record.measurements = {report::measured_example("mine", ns),
                           report::measured_example("mine#2", ns + 1)};
    return record;
  }

  /// Of the subject that is no copy: in the example, the copy has no contract.
  static SeriesName only_series(Archive& archive) {
    for (const SeriesName& name : archive.series()) {
      if (!name.contract.empty()) return name;
    }
    throw std::logic_error("the archive has no series");
  }

  TemporaryFolder folder_{"archive-test"};
  const std::string path_ = folder_.path() / "a.db";
};

TEST_F(ArchiveTest, RunsComeBackInOrderOfTheirStartAndWithoutCopies) {
  Archive archive(path_, Archive::Access::kAdd);
  archive.add(entry(started("2026-02-01T00:00:00Z", 20)));
  archive.add(entry(started("2026-01-01T00:00:00Z", 10)));

  const auto points = archive.points(only_series(archive));

  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].center, 10);
  EXPECT_EQ(points[1].center, 20);
  EXPECT_EQ(points[1].medians, (std::vector<double>{20, 20}));
  EXPECT_EQ(points[1].null_call_ns, 4);
  EXPECT_TRUE(points[1].synthetic);
}

TEST_F(ArchiveTest, QuickAndInterruptedRunsAreInNoSeries) {
  Archive archive(path_, Archive::Access::kAdd);
  auto quick = started("2026-01-01T00:00:00Z", 10);
  quick.meta.quick = true;
  auto interrupted = started("2026-01-02T00:00:00Z", 10);
  interrupted.meta.interrupted = true;
  archive.add(entry(quick));
  archive.add(entry(interrupted));

  EXPECT_TRUE(archive.points(only_series(archive)).empty());
  EXPECT_EQ(archive.list({}).size(), 2U);
}

TEST_F(ArchiveTest, TheGpuIsTheOneThatProgramsUseUnlessTheUserNamesIt) {
  Archive archive(path_, Archive::Access::kAdd);
  auto record = started("2026-01-01T00:00:00Z", 10);
  record.environment.devices = {{.name = "H100", .uuid = "GPU-1"},
                                {.name = "H100", .uuid = "GPU-2", .used = true}};
  archive.add(entry(record));
  record.meta.started = "2026-01-02T00:00:00Z";
  archive.add(entry(record, {.commit = "", .machine = "", .gpu = "mine"}));
  record.meta.started = "2026-01-03T00:00:00Z";
  record.environment.devices = {{.name = "H100"}, {.name = "H100"}};
  archive.add(entry(record));

  const auto listed = archive.list({});

  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0].gpu, "GPU-2");
  EXPECT_EQ(listed[1].gpu, "mine");
  EXPECT_EQ(listed[2].gpu, "H100");
}

TEST_F(ArchiveTest, ClocksAndPowerLimitsAreSettings) {
  Archive archive(path_, Archive::Access::kAdd);
  auto record = started("2026-01-01T00:00:00Z", 10);
  record.environment.devices = {
      {.name = "H100", .application_sm_clock_mhz = 1200, .power_limit_w = 350}};
  archive.add(entry(record));

  const auto points = archive.points(only_series(archive));

  ASSERT_EQ(points.size(), 1U);
  EXPECT_NE(points[0].circumstances.settings.find("H100, set to 1200 MHz, at most 350 W"),
            std::string::npos)
      << points[0].circumstances.settings;
}

TEST_F(ArchiveTest, ARecordIsAddedOnceAndKeepsItsLabels) {
  Archive archive(path_, Archive::Access::kAdd);
  const auto record = started("2026-01-01T00:00:00Z", 10);

  EXPECT_TRUE(archive.add(entry(record, {.commit = "abc", .machine = "node1", .gpu = ""})));
  EXPECT_FALSE(archive.add(entry(record, {.commit = "def", .machine = "node2", .gpu = ""})));

  ASSERT_EQ(archive.list({}).size(), 1U);
  EXPECT_EQ(archive.list({}).front().commit, "abc");
  EXPECT_EQ(archive.points(only_series(archive)).front().circumstances.machine,
            "node1, NVIDIA H200");
}

TEST_F(ArchiveTest, WhatOneOpenedArchiveAddsTheOtherSees) {
  Archive one(path_, Archive::Access::kAdd);
  Archive other(path_, Archive::Access::kAdd);
  one.add(entry(started("2026-01-01T00:00:00Z", 10)));
  EXPECT_FALSE(other.add(entry(started("2026-01-01T00:00:00Z", 10))));
  EXPECT_TRUE(other.add(entry(started("2026-01-02T00:00:00Z", 10))));
  EXPECT_EQ(one.list({}).size(), 2U);
}

TEST_F(ArchiveTest, QuestionsAreAnsweredFromIndices) {
  Archive archive(path_, Archive::Access::kAdd);

  for (const std::string& step : archive.plans()) {
    // One question asks for all verdicts, along the index of those.
    if (step == "SCAN s USING INDEX subject_judged") continue;
    EXPECT_FALSE(step.starts_with("SCAN")) << step;
  }
}

TEST_F(ArchiveTest, AReaderNeedsAnArchive) {
  EXPECT_THROW(Archive(path_, Archive::Access::kRead), UsageError);
  EXPECT_THROW(Archive(path_, Archive::Access::kChange), UsageError);
}

}  // namespace
}  // namespace assay::archive
