// Tests of rejected comparisons, and of notes.
#include "harness/compare/validity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "harness/compare/example_records.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;
using Change = std::function<void(BenchRecord&)>;

BenchRecord changed(const Change& change) {
  BenchRecord record = record_of_rows({{"a"}, {"a", 100, 0.005, 10, "other"}});
  change(record);
  return record;
}

std::string refusal_after(const Change& change, const Options& options = {}) {
  return error_of<Invalid>(
      [&] { compared(changed([](BenchRecord&) {}), changed(change), options); });
}

std::string labels_after(const Change& change) {
  std::string all;
  for (const auto& label : compared(changed([](BenchRecord&) {}), changed(change)).labels) {
    all += label + "\n";
  }
  return all;
}

/// For the rows of each of the two subjects.
std::vector<Verdict> verdicts_after(const Change& change) {
  std::vector<Verdict> verdicts;
  for (const Row& row : compared(changed([](BenchRecord&) {}), changed(change)).rows) {
    verdicts.push_back(row.cells.front().verdict);
  }
  return verdicts;
}

TEST(Validity, LikeWithLikeIsNeitherRefusedNorLabelled) {
  EXPECT_EQ(refusal_after([](BenchRecord&) {}), "");
  EXPECT_EQ(labels_after([](BenchRecord& record) { record.meta.started = "later"; }), "");
}

TEST(Validity, TwoCopiesOfARunAreLabelled) {
  EXPECT_EQ(labels_after([](BenchRecord&) {}), "before and after are the same run\n");
}

TEST(Validity, DebugWithReleaseIsRefused) {
  EXPECT_TRUE(
      holds(refusal_after([](BenchRecord& record) { record.meta.build.build_type = "Debug"; }),
            "Debug build"));
  EXPECT_TRUE(holds(refusal_after([](BenchRecord& record) {
                      record.subjects[1].build = record.meta.build;
                      record.subjects[1].build->build_type = "Debug";
                    }),
                    "other in after"));
}

TEST(Validity, AnotherMachineIsRefusedUnlessAskedFor) {
  const std::vector<Change> changes{
      [](BenchRecord& record) { record.environment.machine = "another"; },
      [](BenchRecord& record) { record.environment.cpu = "another"; },
      [](BenchRecord& record) { record.environment.cores = 64; },
      [](BenchRecord& record) { record.environment.devices = {{"NVIDIA H200"}}; }};
  Options across;
  across.across_machines = true;
  for (const Change& change : changes) {
    EXPECT_TRUE(holds(refusal_after(change), "--across-machines"));
    EXPECT_EQ(refusal_after(change, across), "");
  }
}

TEST(Validity, AnotherLanguageContractUnitOrMeaningIsRefusedForThatSubjectOnly) {
  const std::vector<Change> changes{
      [](BenchRecord& record) { record.subjects[0].via = "python"; },
      [](BenchRecord& record) { record.subjects[0].contract = "1.13/cpu"; },
      [](BenchRecord& record) { record.measurements[0].unit = "us"; },
      [](BenchRecord& record) { record.measurements[0].better = "higher"; },
      [](BenchRecord& record) { record.measurements[0].exact = true; }};

  for (const Change& change : changes) {
    EXPECT_EQ(verdicts_after(change), (std::vector{Verdict::kRefused, Verdict::kSame}));
  }
}

TEST(Validity, NoHostIsInADevicesOwnTimeWhateverItsLanguage) {
  const auto verdict = [](const char* quantity) {
    const auto timed = [&](const char* via) {
      return changed([&](BenchRecord& record) {
        record.subjects[0].via = via;
        record.measurements[0].quantity = quantity;
      });
    };
    return compared(timed("c++"), timed("python")).rows.front().cells.front().verdict;
  };

  EXPECT_EQ(verdict("device.exec_ns"), Verdict::kSame);
  EXPECT_EQ(verdict("host.launch_ns"), Verdict::kRefused);
}

TEST(Validity, WhatWeakensTheNumbersIsALabel) {
  const std::vector<std::pair<Change, const char*>> labels{
      {[](BenchRecord& record) { record.meta.build.dirty = true; }, "checkout with changes"},
      {[](BenchRecord& record) { record.meta.quick = true; }, "quick run"},
      {[](BenchRecord& record) { record.meta.interrupted = true; }, "was interrupted"},
      {[](BenchRecord& record) { record.meta.processes = 6; }, "has 6 processes"},
      {[](BenchRecord& record) { record.meta.build.compiler = "Clang"; }, "compiler differs"},
      {[](BenchRecord& record) { record.meta.build.flags = "-O3"; }, "compiler flags differs"},
      {[](BenchRecord& record) { record.environment.kernel = "5"; }, "kernel differs"},
      {[](BenchRecord& record) { record.environment.governor = "powersave"; }, "governor differs"},
      {[](BenchRecord& record) { record.meta.min_time_ns = 7; }, "shortest sample differs"},
      {[](BenchRecord& record) {
         record.warnings = {{"load", "a busy machine"}};
       },
       "after: a busy machine"}};
  for (const auto& [change, words] : labels) {
    EXPECT_TRUE(holds(labels_after(change), words)) << words << "\n" << labels_after(change);
  }
}

TEST(Validity, AQuickRunOfCountsIsNoWeaker) {
  const std::string labels = labels_after([](BenchRecord& record) {
    record.meta.quick = true;
    for (report::BenchMeasurement& row : record.measurements) row.exact = true;
  });

  EXPECT_FALSE(holds(labels, "quick run")) << labels;
}

}  // namespace
}  // namespace assay::compare
