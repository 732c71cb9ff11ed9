// Tests of splitting a record into columns.
#include "harness/compare/columns/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/compare/example_records.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;

std::vector<std::string> values_by(const std::string& key, const BenchRecord& record) {
  std::vector<std::string> values;
  for (const Column& column : columns_by(key, record, "x.json")) values.push_back(column.value);
  return values;
}

BenchRecord two_builds() {
  BenchRecord record = record_of({});
  for (const char* dtype : {"f32", "f16"}) {
    for (const char* subject : {"mine", "mine#2", "mine@other"}) {
      record.measurements.push_back(
          measured({.case_name = "cast",
                    .subject = subject,
                    .axes = {{"n", std::int64_t{4}}, {"dtype", std::string(dtype)}}}));
    }
  }
  record.subjects = {{"mine", "mine", "mine", "1", "2.11/cuda/strict", "c++", {}, {}},
                     {"mine#2", "mine", "mine", "1", "2.11/cuda/strict", "c++", "mine", {}},
                     {"mine@other", "mine", "mine", "1", "2.10/cuda/strict", "c++", {}, {}}};
  record.subjects[2].build = record.meta.build;
  return record;
}

TEST(Columns, TheOtherBuildIsTheBaselineAndCopiesStandInNeither) {
  const BenchRecord record = two_builds();
  const auto columns = columns_by("build", record, "x.json");

  ASSERT_EQ(columns.size(), 2);
  EXPECT_EQ(columns[0].label, "other build");
  EXPECT_EQ(subject_in(columns[0], "mine@other"), "mine");
  EXPECT_FALSE(subject_in(columns[0], "mine"));
  EXPECT_EQ(subject_in(columns[1], "mine"), "mine");
  EXPECT_FALSE(subject_in(columns[1], "mine#2"));
  EXPECT_FALSE(subject_in(columns[1], "nobody"));
}

TEST(Columns, ARecordOfOneBuildHasOneColumn) {
  EXPECT_EQ(values_by("build", record_of_rows({{"a"}})), std::vector<std::string>{"this"});
}

TEST(Columns, AnAxisLeavesTheRowsNames) {
  const BenchRecord record = two_builds();
  const auto columns = columns_by("dtype", record, "x.json");

  ASSERT_EQ(columns.size(), 2);
  EXPECT_EQ(columns[1].label, "dtype=f16");
  const auto place = place_of(columns[0], record.measurements[0]);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->name, "cast/n=4");
  EXPECT_EQ(place->subject, "mine");
  EXPECT_FALSE(place_of(columns[1], record.measurements[0]));
}

TEST(Columns, OfWholeRecordsHaveNoCopies) {
  const BenchRecord record = two_builds();
  const Column column{"x.json", "x.json", &record, "", ""};

  EXPECT_EQ(subject_in(column, "mine"), "mine");
  EXPECT_FALSE(subject_in(column, "mine#2")) << "it is there for the noise floor";
  EXPECT_EQ(subject_in(column, "mine@other"), "mine@other");
}

TEST(Columns, SubjectsCopiesAreSubjects) {
  EXPECT_EQ(values_by("subject", two_builds()),
            (std::vector<std::string>{"mine", "mine#2", "mine@other"}));
  EXPECT_EQ(values_by("contract", two_builds()),
            (std::vector<std::string>{"2.11/cuda/strict", "2.10/cuda/strict"}));
}

TEST(Columns, KeysAreThoseOfSubjectsAndTheAxes) {
  EXPECT_EQ(keys_of(two_builds()),
            (std::vector<std::string>{"subject", "build", "via", "contract", "n", "dtype"}));
}

}  // namespace
}  // namespace assay::compare
