// Tests of conversion to and from other tools' formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "harness/interchange/formats.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/report/bench/record_example.hpp"

namespace assay::interchange {
namespace {

using Json = nlohmann::json;
using report::BenchStatus;

Json entry(const std::string& name, double real, const std::string& unit = "ns") {
  return {{"name", name},       {"run_name", name},  {"run_type", "iteration"},
          {"iterations", 1000}, {"real_time", real}, {"cpu_time", real / 2},
          {"time_unit", unit},  {"repetitions", 1}};
}

std::string google(const std::vector<Json>& benchmarks,
                   const std::string& program = "./bin/my_bench") {
  const Json context = {{"executable", program}, {"num_cpus", 2}, {"mhz_per_cpu", 2400}};
  return Json{{"context", context}, {"benchmarks", benchmarks}}.dump();
}

const report::BenchMeasurement& find(const report::BenchRecord& record, const std::string& name,
                                     const std::string& quantity = "time.real_ns") {
  const auto found = std::ranges::find_if(record.measurements, [&](const auto& each) {
    return each.quantity == quantity && report::full_name(each.case_name, each.axes) == name;
  });
  if (found == record.measurements.end()) throw std::logic_error("no such measurement");
  return *found;
}

std::string complaint_about(const std::vector<File>& files) {
  return error_of<std::runtime_error>([&] { from_google_json(files); });
}

TEST(GoogleImport, FilesAreProcessesAndRepetitionsAreSamples) {
  const auto record = from_google_json(
      {{"1.json", google({entry("BM_a", 10), entry("BM_a", 12), entry("BM_a", 11)})},
       {"2.json", google({entry("BM_a", 20)})}});
  const auto& real = find(record, "BM_a");

  ASSERT_EQ(real.processes.size(), 2);
  EXPECT_EQ(real.processes[0].samples, (std::vector<double>{10, 12, 11}));
  EXPECT_EQ(real.processes[0].median, 11);
  EXPECT_EQ(real.center, 15.5);
  EXPECT_EQ(find(record, "BM_a", "time.cpu_ns").processes[1].median, 10);
  EXPECT_EQ(record.meta.processes, 2);
  EXPECT_EQ(record.subjects.at(0).id, "my_bench");
  EXPECT_EQ(record.warnings.at(0).kind, report::kImported);
  EXPECT_FALSE(real.checked);
}

TEST(GoogleImport, TheRecordKeepsToItsSchema) {
  const auto record = from_google_json({{"1.json", google({entry("BM_a/size:64", 10, "us")})}});
  const auto again = report::bench_from_json(report::to_json(record));

  EXPECT_EQ(find(again, "BM_a/size=64").center, 10'000);
}

TEST(GoogleImport, NamedArgumentsAreAxes) {
  const auto record = from_google_json(
      {{"1.json", google({entry("BM_a<std::vector>/8/n:64/type:half/real_time", 1)})}});

  EXPECT_EQ(record.measurements[0].case_name, "BM_a<std::vector>/8/real_time");
  EXPECT_EQ(report::full_name("", record.measurements[0].axes), "/n=64/type=half");
}

TEST(GoogleImport, AnErrorInOneFileIsAFailure) {
  const Json broken = {{"name", "BM_a"}, {"error_occurred", true}, {"error_message", "no memory"}};
  const auto record = from_google_json(
      {{"1.json", google({entry("BM_a", 10), entry("BM_b", 1)})}, {"2.json", google({broken})}});

  EXPECT_EQ(find(record, "BM_a").status, BenchStatus::kFailed);
  EXPECT_EQ(find(record, "BM_a").reason, "no memory");
  EXPECT_EQ(find(record, "BM_b").status, BenchStatus::kMeasured);
  EXPECT_NO_THROW(report::to_json(record));
}

TEST(GoogleImport, AggregatesAreNoSamples) {
  Json mean = entry("BM_a", 1);
  mean["run_type"] = "aggregate";
  const auto record = from_google_json({{"1.json", google({entry("BM_a", 10), mean})}});

  EXPECT_EQ(find(record, "BM_a").processes[0].samples, std::vector<double>{10});
  EXPECT_TRUE(holds(complaint_about({{"1.json", google({mean})}}), "no benchmark with a time"));
}

TEST(GoogleImport, WhatIsWrongIsRefusedByName) {
  const File good{"1.json", google({entry("BM_a", 1)})};

  EXPECT_EQ(complaint_about({good, {"2.json", "{"}}).find("2.json: "), 0);
  EXPECT_TRUE(holds(complaint_about({good, {"2.json", google({entry("BM_a", 1)}, "other")}}),
                    "all files must come from one program"));
  EXPECT_NE(complaint_about({{"1.json", google({entry("BM_a", -1)})}}), "");
  EXPECT_NE(complaint_about({{"1.json", google({entry("BM_a", 1, "fortnights")})}}), "");
  EXPECT_NE(complaint_about({{"1.json", google({{{"name", "BM_a"}}})}}), "");
  EXPECT_NE(complaint_about({{"1.json", std::string(100'000, '[')}}), "");
}

TEST(GoogleExport, HasAnEntryForEachProcess) {
  const auto record = report::bench_example();
  const Exported made = to_google_json(record);
  const Json json = Json::parse(made.text);
  std::size_t times = 0;
  for (const auto& each : record.measurements) {
    if (each.unit == "ns") times += each.center ? each.processes.size() : 1;
  }

  EXPECT_EQ(json.at("benchmarks").size(), times);
  for (const Json& each : json.at("benchmarks")) {
    EXPECT_EQ(each.at("run_type"), "iteration");
    EXPECT_EQ(each.at("real_time") == 0, each.contains("error_occurred"));
  }
}

TEST(GoogleExport, ComesBackWithItsNumbers) {
  const auto record = report::bench_example();
  const auto again = from_google_json({{"x.json", to_google_json(record).text}});
  const auto measured = std::ranges::find_if(
      record.measurements, [](const auto& each) { return each.center.has_value(); });
  ASSERT_NE(measured, record.measurements.end());
  std::vector<double> medians;
  for (const auto& process : measured->processes) medians.push_back(process.median);

  EXPECT_EQ(again.measurements.at(0).processes.at(0).samples, medians);
}

TEST(GoText, EveryLineIsAResultOrConfiguration) {
  auto record = report::bench_example();
  record.environment.cpu = "a cpu\nBenchmarkForged 1 1 ns/op";
  const Exported made = to_go_text(record);
  const std::regex result(R"(Benchmark[^a-z ]\S* [1-9][0-9]* [0-9.e+-]+ \S+/op)");
  const std::regex configuration(R"([a-z][^A-Z ]*: .*)");
  std::istringstream lines(made.text);
  std::size_t results = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_result = std::regex_match(line, result);
    results += is_result ? 1 : 0;
    EXPECT_TRUE(is_result || line.empty() || std::regex_match(line, configuration)) << line;
  }
  std::size_t processes = 0;
  for (const auto& each : record.measurements) {
    if (each.center) processes += each.processes.size();
  }

  EXPECT_EQ(results, processes);
  EXPECT_EQ(made.left_out.size(), std::ranges::count_if(record.measurements, [](const auto& each) {
              return !each.center;
            }));
}

TEST(GoText, SpacesDoNotEndAName) {
  auto record = report::bench_example();
  for (auto& each : record.measurements) each.subject = "./my runtime.so";

  EXPECT_TRUE(holds(to_go_text(record).text, "/subject=./my_runtime.so/"));
}

}  // namespace
}  // namespace assay::interchange
