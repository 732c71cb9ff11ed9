// Tests that the processes taken from a bench record are restored, and that invalid ones are not
// taken.
#include "harness/report/bench/thin_bench.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/protocol/testing.hpp"
#include "harness/report/bench/record_example.hpp"

namespace assay::report {
namespace {

constexpr const char* kProcess =
    R"({"index":1,"order":2,"median":3.5,"samples":[3,0.1,1e-3],"iterations":7,"checksum_ok":true,"load":0.25,"null_call_ns":null})";

std::string with_processes(const std::string& processes) {
  return R"({"schema":"assay.bench/1","measurements":[{"case":"a","processes":[)" + processes +
         R"(],"unit":"ns"}]})";
}

/// The number of processes removed from two, the second of which is `process`.
std::size_t taken_of(const std::string& process) {
  const auto thin = without_plain_processes(with_processes(std::string(kProcess) + "," + process));
  return thin ? thin->taken.at(0).size() : 0;
}

TEST(ThinBench, AllButTheFirstProcessAreTaken) {
  const std::string one = kProcess;

  const auto thin = without_plain_processes(with_processes(one + ", " + one + " ,\n" + one));

  ASSERT_TRUE(thin);
  EXPECT_EQ(thin->rest, with_processes(one));
  ASSERT_EQ(thin->taken.size(), 1U);
  ASSERT_EQ(thin->taken[0].size(), 2U);
  const BenchProcess& process = thin->taken[0][1];
  EXPECT_EQ(process.index, 1);
  EXPECT_EQ(process.order, 2);
  EXPECT_EQ(process.median, 3.5);
  EXPECT_EQ(process.samples, (std::vector<double>{3, 0.1, 1e-3}));
  EXPECT_EQ(process.iterations, 7);
  EXPECT_TRUE(process.checksum_ok);
  EXPECT_EQ(process.load, 0.25);
  EXPECT_EQ(process.null_call_ns, std::nullopt);
  EXPECT_EQ(process.sm_clock_mhz, std::nullopt);
}

TEST(ThinBench, WhatOnlySomeRecordsHaveIsTakenToo) {
  std::string other = kProcess;
  other.back() = ',';
  const auto thin = without_plain_processes(with_processes(
      std::string(kProcess) + "," + other +
      R"("sm_clock_mhz":1980,"sm_clocks_mhz":[1980,1965],"relative":0.5,"throttled_by":"power"})"));

  ASSERT_TRUE(thin);
  ASSERT_EQ(thin->taken.at(0).size(), 1U);
  EXPECT_EQ(thin->taken[0][0].sm_clock_mhz, 1980);
  EXPECT_EQ(thin->taken[0][0].relative, 0.5);
  EXPECT_EQ(thin->taken[0][0].sm_clocks_mhz, (std::vector<std::int64_t>{1980, 1965}));
  EXPECT_EQ(thin->taken[0][0].throttled_by, "power");
}

TEST(ThinBench, WhatMayBreakTheSchemaStays) {
  ASSERT_EQ(taken_of(kProcess), 1U);
  const std::pair<const char*, const char*> changes[] = {{"\"index\":1", "\"index\":-1"},
                                                         {"\"index\":1", "\"index\":1.0"},
                                                         {"\"index\":1,", ""},
                                                         {"\"order\":2", "\"index\":2"},
                                                         {"3.5", "-3.5"},
                                                         {"3.5", "\"3.5\""},
                                                         {"3.5", "null"},
                                                         {"[3,0.1,1e-3]", "[]"},
                                                         {"0.1", "-0.1"},
                                                         {"0.1", "01"},
                                                         {"0.1", "null"},
                                                         {"7", "0"},
                                                         {"true", "1"},
                                                         {"0.25", "-0.25"},
                                                         {"0.25", "true"},
                                                         {"\"load\"", "\"more\""},
                                                         {"null}", "null,\"load\":1}"},
                                                         {"null}", "nul}"},
                                                         {"null}", "null,\"more\":1}"}};
  for (const auto& [was, becomes] : changes) {
    std::string process = kProcess;
    process.replace(process.find(was), std::string_view(was).size(), becomes);
    EXPECT_EQ(taken_of(process), 0U) << process;
  }
}

TEST(ThinBench, OneThatIsNotPlainKeepsTheOthersOfItsMeasurement) {
  const std::string all = std::string(kProcess) + "," + kProcess + R"(,{"index":1})";

  const auto thin = without_plain_processes(with_processes(all));

  ASSERT_TRUE(thin);
  EXPECT_EQ(thin->rest, with_processes(all));
  EXPECT_EQ(thin->taken.at(0).size(), 0U);
}

TEST(ThinBench, WhatIsNoRecordIsReadWhole) {
  const std::string whole = with_processes(std::string(kProcess) + "," + kProcess);
  ASSERT_TRUE(without_plain_processes(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(without_plain_processes(whole.substr(0, length))) << length;
  for (const char* text : {"[]", R"({"measurements":{}})", R"({"measurements":[1]})", "{} {}",
                           R"({"measurements":[],"measurements":[]})",
                           R"({"measurements":[{"processes":[],"processes":[]}]})"}) {
    EXPECT_FALSE(without_plain_processes(text)) << text;
  }
}

TEST(ThinBench, ARecordComesBackWithAllProcessesInTheirOrder) {
  BenchRecord record = bench_example();
  for (std::int64_t i = 2; i < 5; ++i)
    record.measurements[1].processes.push_back(
        {i, 9 - i, 2.5, {1, 2.5}, 3, false, {}, {}, 9, {{9, 8}}, 0.5, "x"});
  const std::string text = to_json(record);
  const auto thin = without_plain_processes(text);
  ASSERT_TRUE(thin);
  ASSERT_EQ(thin->taken.at(1).size(), 4U);

  EXPECT_EQ(to_json(bench_from_json(text)), text);
}

TEST(ThinBench, APlaceInTheWholeTextIsNamed) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(bench_example()));
  json["measurements"][0]["processes"][1]["samples"][2] = -1;

  try {
    bench_from_json(json.dump());
    ADD_FAILURE() << "read";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(holds(error.what(), "/measurements/0/processes/1/samples/2")) << error.what();
  }
}

}  // namespace
}  // namespace assay::report
