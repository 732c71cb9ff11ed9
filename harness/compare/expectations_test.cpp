// Tests of expected counts: files, builds, and the gate.
#include "harness/compare/expectations.hpp"

#include <gtest/gtest.h>

#include "harness/compare/example_records.hpp"
#include "harness/compare/gate.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

using report::BenchRecord;

BenchRecord counted(const std::vector<std::pair<std::string, double>>& counts) {
  std::vector<ExampleRow> rows;
  for (const auto& [name, count] : counts) rows.push_back({name, count, 0, 2});
  BenchRecord record = record_of_rows(rows);
  record.meta.processes = 2;
  for (report::BenchMeasurement& row : record.measurements) {
    row.exact = true;
    row.quantity = "instr.count";
    row.unit = "instructions";
  }
  return record;
}

Expectations accepted(const BenchRecord& record) {
  Expectations made;
  accept(made, record);
  return made;
}

int gate_exit(const Expectations& expectations, const BenchRecord& record) {
  const ExpectedBuild* build = build_for(expectations, record);
  if (build == nullptr) return -1;
  const BenchRecord baseline = baseline_of(*build, record);
  const Thresholds thresholds = thresholds_of(expectations);
  const Comparison found = compared(baseline, record, options_of(thresholds));
  refuse_weak(found, thresholds);
  return exit_code_of(found, findings_of(found, thresholds));
}

std::string refusal_of_file(const std::string& text) {
  return error_of<Invalid>([&] { expectations_from_toml(text, "x.toml"); });
}

std::string refusal_of_record(const BenchRecord& record) {
  return error_of<Invalid>([&] { accepted(record); });
}

TEST(Gate, TakesAQuickRunOfCounts) {
  const Expectations expectations = accepted(counted({{"a", 1000}}));
  const auto quick = [](double count) {
    BenchRecord record = counted({{"a", count}});
    record.meta.quick = true;
    return record;
  };

  EXPECT_EQ(gate_exit(expectations, quick(1000)), 0);
  EXPECT_EQ(gate_exit(expectations, quick(1100)), 1);
}

TEST(Expectations, OutliveTheirFile) {
  Expectations made = accepted(counted({{"dispatch/a", 14390.5}, {"dispatch/b", 5}}));
  made.margin = 0.005;
  BenchRecord other = counted({{"dispatch/a", 7}});
  other.meta.build.compiler = "Clang \"16\"";
  accept(made, other);

  const Expectations read = expectations_from_toml(to_toml(made), "x.toml");

  EXPECT_DOUBLE_EQ(read.margin, 0.005);
  ASSERT_EQ(read.builds.size(), 2U);
  EXPECT_EQ(read.builds[0].counts.at("mine").at("dispatch/a"), 14390.5);
  EXPECT_EQ(read.builds[0].counts.at("mine").at("dispatch/b"), 5);
  EXPECT_EQ(read.builds[1].compiler, "Clang \"16\"");
  EXPECT_EQ(to_toml(read), to_toml(made));
}

TEST(Expectations, FailAGateOnWhatMovesByMoreThanTheMarginEitherWay) {
  const Expectations expected = accepted(counted({{"a", 10'000}, {"b", 500}}));

  EXPECT_EQ(gate_exit(expected, counted({{"a", 10'000}, {"b", 500}})), 0);
  EXPECT_EQ(gate_exit(expected, counted({{"a", 10'030}, {"b", 500}})), 0);
  EXPECT_EQ(gate_exit(expected, counted({{"a", 10'500}, {"b", 500}})), 1);
  EXPECT_EQ(gate_exit(expected, counted({{"a", 9'500}, {"b", 500}})), 1);
}

TEST(Expectations, FailAGateOnWhatIsMissingOrNew) {
  const Expectations expected = accepted(counted({{"a", 100}, {"b", 50}}));

  EXPECT_EQ(gate_exit(expected, counted({{"a", 100}})), 1);
  EXPECT_EQ(gate_exit(expected, counted({{"a", 100}, {"b", 50}, {"c", 5}})), 1);
}

TEST(Expectations, AreThoseOfOneBuild) {
  const Expectations expected = accepted(counted({{"a", 100}}));
  BenchRecord compiler = counted({{"a", 100}}), type = compiler, flags = compiler;
  compiler.meta.build.compiler = "GNU 13";
  type.meta.build.build_type = "Debug";
  flags.meta.build.flags = "-O3";

  for (const BenchRecord& record : {compiler, type, flags}) {
    EXPECT_EQ(build_for(expected, record), nullptr);
  }
}

TEST(Expectations, AcceptReplacesOneBuildAndNamesWhatChanged) {
  Expectations expected = accepted(counted({{"a", 100}, {"b", 50}, {"c", 1}}));
  BenchRecord other = counted({{"a", 7}});
  other.meta.build.compiler = "GNU 13";
  accept(expected, other);

  const std::vector<Accepted> changes =
      accept(expected, counted({{"a", 100}, {"b", 60}, {"d", 2}}));

  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0].name, "b");
  EXPECT_EQ(changes[0].before, 50);
  EXPECT_EQ(changes[0].now, 60);
  EXPECT_EQ(changes[1].name, "c");
  EXPECT_EQ(changes[1].now, std::nullopt);
  EXPECT_EQ(changes[2].before, std::nullopt);
  EXPECT_EQ(expected.builds[1].counts.at("mine").at("a"), 7);
}

TEST(Expectations, TakeNoRecordThatCannotBeReliedOn) {
  BenchRecord quick = counted({{"a", 1}}), cut = quick, unsteady = quick, failed = quick;
  quick.meta.quick = true;
  cut.meta.interrupted = true;
  unsteady.warnings = {{"not_repeatable", "a of mine took 1 to 2 instructions"}};
  failed.measurements.push_back(unmeasured("b", report::BenchStatus::kFailed));

  const std::string opening = "no expectations can be made from this record: ";
  EXPECT_EQ(refusal_of_record(quick), opening + "it is a quick run");
  EXPECT_EQ(refusal_of_record(cut), opening + "it was interrupted");
  EXPECT_EQ(refusal_of_record(unsteady), opening + "a of mine took 1 to 2 instructions");
  EXPECT_EQ(refusal_of_record(failed), opening + "b of mine failed: it cannot");
  EXPECT_TRUE(holds(refusal_of_record(record_of_rows({{"a"}})), "holds no counts"));
}

TEST(Expectations, TakeNoCountsOfCopies) {
  BenchRecord record = counted({{"a", 1}, {"b", 2}});
  record.measurements[1].subject = "other";
  record.subjects[1].copy_of = "mine";

  EXPECT_FALSE(accepted(record).builds[0].counts.contains("other"));
}

TEST(Expectations, AFileThatIsNoneIsRefusedWithItsPlace) {
  const std::string head = "schema = 1\nmargin = \"1 %\"\n";
  const std::string build = head + "[[build]]\ncompiler = 'c'\nbuild_type = 't'\nflags = ''\n";
  EXPECT_EQ(refusal_of_file(build + "[build.counts.mine]\na = 5\n"), "");

  EXPECT_EQ(refusal_of_file("margin = \"1 %\""), "x.toml: 'schema' must be 1");
  EXPECT_EQ(refusal_of_file("schema = 1\nmargin = 1\n"),
            "x.toml: 'margin' must be a share such as \"1 %\"");
  EXPECT_EQ(refusal_of_file(head), "x.toml: at least one [[build]] is required");
  EXPECT_EQ(
      refusal_of_file(head + "[[build]]\ncompilers = 'c'\n"),
      "x.toml:4: unknown key 'compilers'; known keys are compiler, build_type, flags, counts");
  EXPECT_EQ(refusal_of_file(head + "[[build]]\ncompiler = 'c'\nflags = ''\n"),
            "x.toml:3: 'build_type' must be a string");
  EXPECT_EQ(refusal_of_file(build), "x.toml:3: 'counts' must be a table");
  EXPECT_EQ(refusal_of_file(build + "[build.counts.mine]\na = -5\n"),
            "x.toml:8: a count must be a number that is not negative");
  EXPECT_TRUE(holds(refusal_of_file("schema = = 1"), "x.toml:1:10: "));
}

}  // namespace
}  // namespace assay::compare
