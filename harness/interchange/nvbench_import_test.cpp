// Tests of records made from NVBench's files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/interchange/formats.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::interchange {
namespace {

using Json = nlohmann::json;
using report::BenchStatus;

Json named(const std::string& name, const std::string& type, const std::string& value) {
  return {{"name", name}, {"type", type}, {"value", value}};
}

Json summary(const std::string& tag, const std::string& seconds) {
  return {{"tag", tag}, {"data", {named("value", "float64", seconds)}}};
}

Json state(const std::string& n, const std::vector<Json>& summaries, int device = 0) {
  return {{"device", device},
          {"axis_values", {named("n", "int64", n)}},
          {"summaries", summaries},
          {"is_skipped", false}};
}

std::string nvbench(const std::vector<Json>& states, int devices = 1,
                    const std::string& program = "./bin/copy") {
  Json json = {{"meta", {{"argv", {program, "--json", "x"}}, {"version", {{"nvbench", nullptr}}}}},
               {"devices", nullptr},
               {"benchmarks", {{{"name", "copy"}, {"states", states}}}}};
  for (int i = 0; i < devices; ++i) {
    json["devices"].push_back({{"id", i}, {"name", "GPU " + std::string(1, "AB"[i])}});
  }
  return json.dump();
}

std::vector<std::string> names_in(const report::BenchRecord& record) {
  std::vector<std::string> names;
  for (const report::BenchMeasurement& row : record.measurements) {
    names.push_back(report::full_name(row.case_name, row.axes) + " " + row.quantity);
  }
  return names;
}

std::string complaint_about(const std::vector<File>& files) {
  return error_of<std::runtime_error>([&] { from_nvbench_json(files); });
}

TEST(NvbenchImport, AStateGivesItsMedianOfEachClock) {
  const Json both = state(
      "64",
      {summary("nv/cold/time/gpu/mean", "9"), summary("nv/cold/time/gpu/median", "1.5e-05"),
       summary("nv/cold/time/cpu/median", "2e-05"), summary("nv/batch/time/gpu/mean", "1e-06")});
  const auto record = from_nvbench_json({{"1.json", nvbench({both})}, {"2.json", nvbench({both})}});

  EXPECT_EQ(names_in(record),
            (std::vector<std::string>{"copy/n=64 time.gpu_ns", "copy/n=64 time.cpu_ns",
                                      "copy/n=64 time.gpu_batch_ns"}));
  EXPECT_EQ(record.measurements[0].processes.size(), 2U);
  EXPECT_DOUBLE_EQ(record.measurements[0].center.value(), 15'000);
  EXPECT_DOUBLE_EQ(record.measurements[1].center.value(), 20'000);
  EXPECT_DOUBLE_EQ(record.measurements[2].center.value(), 1'000);
  EXPECT_EQ(record.subjects.at(0).id, "copy");
  EXPECT_EQ(record.environment.devices.at(0).name, "GPU A");
  EXPECT_EQ(record.warnings.size(), 1U);
  EXPECT_NO_THROW(report::bench_from_json(report::to_json(record)));
}

TEST(NvbenchImport, WithoutAMedianTheMeanIsTakenAndTheRecordSaysSo) {
  const auto record = from_nvbench_json(
      {{"1.json", nvbench({state("1", {summary("nv/cpu_only/time/cpu/mean", "3e-06")}),
                           state("2", {summary("nv/cpu_only/time/cpu/mean", "3e-06")})})}});

  EXPECT_DOUBLE_EQ(record.measurements.at(0).center.value(), 3'000);
  ASSERT_EQ(record.warnings.size(), 2U);
  EXPECT_EQ(record.warnings[1].kind, "means");
}

TEST(NvbenchImport, OfSeveralDevicesTheDeviceIsAnAxis) {
  const Json time = summary("nv/cold/time/gpu/median", "1e-06");
  const auto record =
      from_nvbench_json({{"1.json", nvbench({state("1", {time}), state("1", {time}, 1)}, 2)}});

  EXPECT_EQ(names_in(record), (std::vector<std::string>{"copy/n=1/device=0 GPU A time.gpu_ns",
                                                        "copy/n=1/device=1 GPU B time.gpu_ns"}));
}

TEST(NvbenchImport, WhatWasSkippedInOneFileHasNoNumber) {
  Json skipped = state("1", {});
  skipped["is_skipped"] = true;
  skipped["skip_reason"] = "no memory";
  const File without{"2.json", nvbench({skipped})};
  for (const char* tag : {"nv/cold/time/gpu/median", "nv/cpu_only/time/cpu/median"}) {
    const File with{"1.json", nvbench({state("1", {summary(tag, "1e-06")})})};
    for (const auto& files : {std::vector{with, without}, std::vector{without, with}}) {
      const auto record = from_nvbench_json(files);
      ASSERT_EQ(record.measurements.size(), 1U) << tag;
      EXPECT_EQ(record.measurements[0].status, BenchStatus::kUnsupported);
      EXPECT_EQ(record.measurements[0].reason, "NVBench skipped it: no memory");
      EXPECT_FALSE(record.measurements[0].center.has_value());
      EXPECT_NO_THROW(report::to_json(record));
    }
  }
  EXPECT_EQ(names_in(from_nvbench_json({without})),
            std::vector<std::string>{"copy/n=1 time.gpu_ns"});
}

TEST(NvbenchImport, WhatIsWrongIsRefusedByName) {
  const Json time = summary("nv/cold/time/gpu/median", "1e-06");
  const File good{"1.json", nvbench({state("1", {time})})};

  EXPECT_EQ(complaint_about({good, {"2.json", "{"}}).find("2.json: "), 0U);
  EXPECT_EQ(complaint_about({good, {"2.json", nvbench({state("1", {time})}, 1, "other")}}),
            "2.json: it comes from 'other', and the file before from 'copy': all files must come "
            "from one program");
  EXPECT_EQ(complaint_about({{"1.json", nvbench({state("x", {time})})}}),
            "1.json: 'x' of n is not a number of type int64");
  for (const char* wrong : {"-1e-06", "nan", "inf", "1 s", ""}) {
    EXPECT_NE(complaint_about(
                  {{"1.json", nvbench({state("1", {summary("nv/cold/time/gpu/median", wrong)})})}}),
              "")
        << wrong;
  }
  EXPECT_EQ(complaint_about({{"1.json", nvbench({})}}),
            "1.json: there is no benchmark with a time in it");
}

}  // namespace
}  // namespace assay::interchange
