// Tests of matching a subject whose id differs.
#include "harness/compare/columns/rows.hpp"

#include <gtest/gtest.h>

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/example_records.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;

struct Known {
  std::string id, name, subject = id;
};

BenchRecord record_with(const std::vector<Known>& subjects) {
  BenchRecord record = record_of({});
  record.subjects.clear();
  for (const Known& known : subjects) {
    record.subjects.push_back(
        {known.id, known.subject, known.name, "1", "2.11/cuda/strict", "c++", {}, {}});
    record.measurements.push_back(measured({.case_name = "cast", .subject = known.id}));
  }
  return record;
}

std::vector<Column> columns_of(const std::vector<BenchRecord>& records) {
  std::vector<Column> columns;
  for (const BenchRecord& record : records)
    columns.push_back(
        {std::string(1, static_cast<char>('a' + columns.size())), "", &record, "", ""});
  return columns;
}

TEST(SameSubjects, OneProgramInTwoFoldersIsComparedUnderItsOwnName) {
  const BenchRecord before =
      record_with({{"/before/bin/mine", "mine"}, {"reference", "reference"}});
  const BenchRecord after = record_with({{"reference", "reference"}, {"/after/bin/mine", "mine"}});

  const Comparison found = compared(before, after);

  ASSERT_EQ(found.rows.size(), 2);
  EXPECT_EQ(found.rows[0].subject, "mine");
  EXPECT_EQ(found.rows[1].subject, "reference");
  EXPECT_EQ(found.compared(), 2);
}

TEST(SameSubjects, ANameAsTypedGoesBeforeAnOwnName) {
  const std::vector<BenchRecord> records{record_with({{"./x", "mine"}, {"./y", "mine"}}),
                                         record_with({{"./y", "mine"}, {"./z", "mine"}})};
  std::vector<Column> columns = columns_of(records);

  EXPECT_TRUE(name_subjects(columns).empty());
  EXPECT_EQ(subject_in(columns[0], "./y"), "./y");
  EXPECT_EQ(subject_in(columns[1], "./y"), "./y");
  EXPECT_EQ(subject_in(columns[0], "./x"), subject_in(columns[1], "./z"));
  EXPECT_EQ(subject_in(columns[0], "./x"), "./x") << "`mine` could be either";
}

TEST(SameSubjects, TwoThatCouldBeMeantAreLeftAndSaidToBe) {
  const std::vector<BenchRecord> records{record_with({{"./x", "mine"}}),
                                         record_with({{"./y", "mine"}, {"./z", "mine"}})};
  std::vector<Column> columns = columns_of(records);

  const std::vector<std::string> notes = name_subjects(columns);

  ASSERT_EQ(notes.size(), 1);
  EXPECT_TRUE(holds(notes[0], "call themselves 'mine' in b"));
  EXPECT_NE(subject_in(columns[0], "./x"), subject_in(columns[1], "./y"));
  EXPECT_EQ(compared(records[0], records[1]).labels.size(), 1) << "it stands beside the numbers";
}

TEST(SameSubjects, AThirdRecordIsComparedWithTheFirstThatHasTheSubject) {
  const std::vector<BenchRecord> records{record_with({{"./x", "first"}}),
                                         record_with({{"./y", "second"}}),
                                         record_with({{"./z", "second"}, {"./w", "first"}})};
  std::vector<Column> columns = columns_of(records);

  name_subjects(columns);

  EXPECT_EQ(subject_in(columns[2], "./w"), "first");
  EXPECT_EQ(subject_in(columns[0], "./x"), "first");
  EXPECT_EQ(subject_in(columns[2], "./z"), subject_in(columns[1], "./y"));
}

TEST(SameSubjects, AnotherBuildOfASubjectIsNotTheSubject) {
  const std::vector<BenchRecord> records{
      record_with({{"./x", "mine", "./x"}, {"./x@other", "mine", "./x"}}),
      record_with({{"./y", "mine", "./y"}, {"./y@other", "mine", "./y"}})};
  std::vector<Column> columns = columns_of(records);

  EXPECT_TRUE(name_subjects(columns).empty());
  EXPECT_EQ(subject_in(columns[0], "./x"), "mine");
  EXPECT_EQ(subject_in(columns[1], "./y@other"), "mine@other");
}

TEST(SameSubjects, WhoHasNoOwnNameIsKnownByTheIdAlone) {
  const std::vector<BenchRecord> records{record_with({{"./x", ""}}), record_with({{"./y", ""}})};
  std::vector<Column> columns = columns_of(records);

  EXPECT_TRUE(name_subjects(columns).empty());
  EXPECT_EQ(subject_in(columns[1], "./y"), "./y");
}

}  // namespace
}  // namespace assay::compare
