// Tests that bench records survive conversion to JSON, and that invalid ones are rejected.
#include "harness/report/bench/record.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "harness/protocol/testing.hpp"
#include "harness/report/bench/record_example.hpp"
#include "harness/report/result_schema.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::json;

void expect_refused(const Json& json, const std::string& place) {
  try {
    bench_from_json(json.dump());
    ADD_FAILURE() << "read: " << place;
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(holds(error.what(), place)) << error.what();
  }
}

TEST(BenchRecord, ComesBackAsItWas) {
  const std::string text = to_json(bench_example());

  const BenchRecord back = bench_from_json(text);

  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(back.meta.seed, ~std::uint64_t{0});
  EXPECT_EQ(back.measurements[1].center, 100.0 / 3);
  EXPECT_EQ(back.measurements[3].status, BenchStatus::kFailed);
  EXPECT_EQ(back.subjects[1].copy_of, "mine");
  EXPECT_EQ(back.subjects[0].build, std::nullopt);
}

TEST(BenchRecord, OneWithoutBytesIsRead) {
  BenchRecord record = bench_example();
  record.measurements[0].bytes = 8000;
  std::string text = to_json(record);

  EXPECT_EQ(bench_from_json(text).measurements[0].bytes, 8000);
  for (const char* member : {"   \"bytes\": 8000,\n", "   \"bytes\": null,\n"}) {
    for (auto at = text.find(member); at != std::string::npos; at = text.find(member))
      text.erase(at, std::string_view(member).size());
  }
  EXPECT_FALSE(holds(text, "bytes"));
  EXPECT_EQ(bench_from_json(text).measurements[0].bytes, std::nullopt);
}

TEST(BenchRecord, HowFarItCameComesBack) {
  BenchRecord record = bench_example();
  EXPECT_FALSE(bench_from_json(to_json(record)).done.has_value());
  record.done = BenchDone{3, 7, 6};

  const BenchRecord back = bench_from_json(to_json(record));

  EXPECT_EQ(back.done.value().rounds, 3);
  EXPECT_EQ(back.done.value().started, 7);
  EXPECT_EQ(back.done.value().calibrated, 6);
}

TEST(BenchRecord, EveryStatusComesBack) {
  for (const BenchStatus status : {BenchStatus::kUnsupported, BenchStatus::kFailed,
                                   BenchStatus::kSimulated, BenchStatus::kNotRun}) {
    BenchRecord record = bench_example();
    record.measurements = {missing_example("mine", status)};

    EXPECT_EQ(bench_from_json(to_json(record)).measurements[0].status, status) << name_of(status);
  }
}

TEST(BenchRecord, ANumberThatIsNotFiniteIsNotWritten) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    BenchRecord record = bench_example();
    record.measurements[0].processes[1].samples[0] = bad;

    EXPECT_THROW(to_json(record), std::logic_error);
  }
}

TEST(BenchRecord, AMeasuredCaseNeedsItsCheckItsNumberAndAProcess) {
  const Json good = Json::parse(to_json(bench_example()));
  for (const auto& [member, value] : {std::pair{"checked", Json(false)},
                                      {"center", Json()},
                                      {"processes", Json::array()},
                                      {"reason", Json("why")}}) {
    Json bad = good;
    bad["measurements"][0][member] = value;

    expect_refused(bad, "/measurements/0");
  }
}

TEST(BenchRecord, AMissingNumberNeedsAReason) {
  Json bad = Json::parse(to_json(bench_example()));
  bad["measurements"][2]["reason"] = Json();

  expect_refused(bad, "/measurements/2");
}

TEST(BenchRecord, ALongNameOfAQuantityIsRefused) {
  Json bad = Json::parse(to_json(bench_example()));
  bad["measurements"][0]["quantity"] = "host." + std::string(1000000, 'a');

  expect_refused(bad, "/measurements/0/quantity");
}

TEST(BenchRecord, NoPatternOfASchemaMatchesWithoutALimit) {
  for (const EmbeddedFile& file : result_schemas()) {
    EXPECT_EQ(unlimited_patterns(file.text), std::vector<std::string>{}) << file.name;
  }
}

TEST(BenchRecord, RecordsOfOtherKindsAreRefused) {
  Json bad = Json::parse(to_json(bench_example()));
  bad["schema"] = "assay.run/1";

  expect_refused(bad, "/schema");
}

TEST(BenchRecord, FullNamesCarryTheAxes) {
  EXPECT_EQ(full_name("dispatch/typed", {{"tensors", std::int64_t{2}}, {"cache", "hit"}}),
            "dispatch/typed/tensors=2/cache=hit");
  EXPECT_EQ(full_name("loop/empty", {}), "loop/empty");
}

}  // namespace
}  // namespace assay::report
