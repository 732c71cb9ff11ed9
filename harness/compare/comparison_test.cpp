// Tests that a comparison of different machines tells numbers of the GPU from those of the host.
#include "harness/compare/comparison.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/compare/example_records.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchRecord;

BenchMeasurement of_quantity(const char* name, const char* quantity, double center) {
  BenchMeasurement made = measured({.case_name = name, .center = center});
  made.quantity = quantity;
  return made;
}

/// A GPU in a host, with times of each and of both.
BenchRecord machine(const char* gpu, double device, double host) {
  BenchRecord record = record_of({of_quantity("dispatch/typed", "host.dispatch_ns", host),
                                  of_quantity("sync/kernel", "e2e.sync_ns", 100),
                                  of_quantity("device/copy", "device.exec_ns", device),
                                  of_quantity("device/copy_in", "device.exec_ns", host),
                                  of_quantity("device/cast_to", "device.exec_ns", device)});
  record.environment.devices = {{gpu}};
  return record;
}

/// Two records and their comparison, which refers to them.
struct Across {
  BenchRecord one, other;
  Comparison found;

  Across(BenchRecord before, BenchRecord after) : one(std::move(before)), other(std::move(after)) {
    Options options;
    options.across_machines = true;
    found = compared(one, other, options);
  }
  std::string line() const { return line_of(found, 0, false); }
  std::string text() const { return to_text(found); }
};

TEST(Scopes, AreThoseOfTheQuantitiesAndOfTheMemories) {
  EXPECT_EQ(scope_of(of_quantity("a", "device.exec_ns", 1)), Scope::kDevice);
  EXPECT_EQ(scope_of(of_quantity("a", "graph.node_ns", 1)), Scope::kDevice);
  EXPECT_EQ(scope_of(of_quantity("a", "host.launch_ns", 1)), Scope::kHost);
  EXPECT_EQ(scope_of(of_quantity("a", "host.submit_ns", 1)), Scope::kBoth);
  EXPECT_EQ(scope_of(of_quantity("a", "e2e.sync_ns", 1)), Scope::kBoth);
  EXPECT_EQ(scope_of(of_quantity("device/copy_out", "device.exec_ns", 1)), Scope::kBoth);
  BenchMeasurement count = of_quantity("a", "instr.count", 1);
  count.exact = true;
  EXPECT_EQ(scope_of(count), Scope::kCounts);
}

TEST(Scopes, ALineCountsEachApartWhereMachinesDiffer) {
  const Across across(machine("H100", 100, 100), machine("H200", 80, 120));

  EXPECT_TRUE(
      across.line().starts_with("COMPARED 5 of 5 pairs compared: GPU: 2 faster; host: 1 slower; "
                                "host and GPU: 1 slower, 1 same; margin"))
      << across.line();
  EXPECT_TRUE(holds(across.text(), "note: the machines differ: rows of the GPU"));
}

TEST(Scopes, OneMachineHasOneTotal) {
  const Across across(machine("H100", 100, 100), machine("H100", 80, 120));

  EXPECT_TRUE(
      across.line().starts_with("COMPARED 5 of 5 pairs compared: 2 faster, 2 slower, 1 same; "))
      << across.line();
  EXPECT_FALSE(holds(across.text(), "the machines differ"));
}

TEST(Scopes, NoMeanMixesTheMemoriesWithTheBusBetweenThem) {
  const Across across(machine("H100", 100, 100), machine("H200", 80, 120));

  std::vector<std::pair<Scope, std::size_t>> means;
  for (const Summary& summary : across.found.summaries) {
    if (summary.quantity == "device.exec_ns")
      means.emplace_back(summary.scope, summary.geomean.ratios);
  }
  EXPECT_EQ(means,
            (std::vector<std::pair<Scope, std::size_t>>{{Scope::kDevice, 2}, {Scope::kBoth, 1}}));
  EXPECT_TRUE(holds(across.text(), "device.exec_ns of mine, between the memories, in ns"));
}

TEST(Scopes, AnUndecidedIntervalBeyondTheMarginSaysWhy) {
  std::vector<BenchMeasurement> before, after;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "case" + std::to_string(i);
    before.push_back(measured({.case_name = name, .center = 100, .processes = 4}));
    after.push_back(measured({.case_name = name, .center = 150, .processes = 4}));
  }

  const Comparison found = compared(record_of(before), record_of(after));

  const Cell& cell = found.rows.front().cells.front();
  EXPECT_EQ(cell.verdict, Verdict::kUndecided);
  EXPECT_EQ(cell.reason, "beyond the margin, but not confirmed among 40 tests");
}

TEST(Scopes, ASimulatedSubjectIsExplained) {
  BenchRecord record = machine("H100", 100, 100);
  EXPECT_FALSE(holds(Across(record, record).text(), "simulated"));
  record.subjects[0].subject = "cuda_on_cpu";
  EXPECT_TRUE(holds(Across(record, record).text(), "its times say nothing about a GPU"));
}

}  // namespace
}  // namespace assay::compare
