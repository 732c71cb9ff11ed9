// Tests of the output formats of a comparison.
#include "harness/compare/render/render.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/compare/example_records.hpp"
#include "harness/protocol/testing.hpp"

namespace assay::compare {
namespace {

const Outcome kOutcome{{"assay", "compare"}, 0, "COMPARED all", false, {}};

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

struct Example {
  report::BenchRecord before = record_of_rows({{"a|b", 100}, {"gone", 50}, {"c", 100}});
  report::BenchRecord after = record_of_rows({{"a|b", 105}, {"c", 100}, {"young, \"new\"", 3}});
  Comparison found = compared(before, after);
};

TEST(RenderText, ShowsEveryRowWithItsVerdict) {
  const Example example;

  const std::string text = to_text(example.found);

  EXPECT_TRUE(holds(text, "host.dispatch_ns of mine, in ns, lower is better")) << text;
  EXPECT_TRUE(holds(text, "1.0500 [1.04")) << text;
  EXPECT_TRUE(holds(text, "slower\n")) << text;
  EXPECT_TRUE(holds(text, "missing: no such row\n")) << text;
  EXPECT_TRUE(holds(text, "new: no such row\n")) << text;
  EXPECT_TRUE(holds(text, "2 ratios of 2 cases\n")) << text;
  EXPECT_TRUE(holds(text, "noise floor unknown")) << text;
}

TEST(RenderText, SaysWhereNumbersAreImaginary) {
  Example example;
  example.before.synthetic = example.after.synthetic = true;

  EXPECT_TRUE(holds(to_text(compared(example.before, example.after)), "SYNTHETIC"));
  EXPECT_FALSE(holds(to_text(Example().found), "SYNTHETIC"));
}

TEST(RenderText, ShowsTheNoiseFloor) {
  Example example;
  example.after.noise_floor = report::BenchNoiseFloor{0.013, {}};

  const std::string text = to_text(compared(example.before, example.after));

  EXPECT_TRUE(holds(text, "noise floor 1.3 %"));
  EXPECT_FALSE(holds(text, "below the noise floor"));
}

TEST(RenderText, SaysWhereTheMarginLiesBelowTheNoiseFloor) {
  Example example;
  example.after.noise_floor = report::BenchNoiseFloor{0.03, {}};

  EXPECT_TRUE(holds(to_text(compared(example.before, example.after)), "below the noise floor"));
}

TEST(RenderText, SaysWhereNoFewMoreProcessesWouldDecide) {
  const auto record = record_of_rows({{"a", 100, 1.5}});

  const std::string text = to_text(compared(record, record));

  EXPECT_TRUE(holds(text, "undecided (more than 1000 more processes)")) << text;
}

TEST(RenderText, HasNoLineThatANameMakes) {
  auto record = record_of_rows({{"a\nCOMPARED all"}, {"b"}});
  record.measurements[1].unit = "ns\nPASS";
  record.environment.machine = "host\nPASS";
  record.measurements[0].status = report::BenchStatus::kFailed;
  record.measurements[0].reason = "x\nPASS";

  const std::string text = to_text(compared(record, record));

  EXPECT_FALSE(holds(text, "\nPASS")) << text;
  EXPECT_FALSE(holds(text, "\nCOMPARED")) << text;
  EXPECT_TRUE(holds(text, "a\\x0aCOMPARED all")) << text;
}

TEST(RenderMarkdown, KeepsATableWhateverTheNames) {
  const Example example;

  const std::string text = to_markdown(example.found, kOutcome);

  EXPECT_TRUE(text.starts_with("**COMPARED all**\n")) << text;
  EXPECT_TRUE(holds(text, "| a\\|b | 100 | 105 |")) << text;
  EXPECT_TRUE(holds(text, "| --- | --- | --- | --- | --- |\n")) << text;
}

TEST(RenderCsv, QuotesWhatHoldsASeparator) {
  const std::string text = to_csv(Example().found);

  EXPECT_TRUE(holds(text, "mine,host.dispatch_ns,a|b,ns,lower,before,after,100,105,1.05")) << text;
  EXPECT_TRUE(holds(text, "\"young, \"\"new\"\"\"")) << text;
  EXPECT_EQ(lines_in(text), 5U);
}

TEST(RenderJson, KeepsToItsSchemaAndSaysAll) {
  const auto json = nlohmann::json::parse(to_json(Example().found, kOutcome));

  EXPECT_EQ(json.at("schema"), "assay.compare/1");
  EXPECT_EQ(json.at("counts").at("slower"), 1);
  EXPECT_EQ(json.at("rows").at(0).at("candidates").at(0).at("verdict"), "slower");
  EXPECT_EQ(json.at("rows").at(1).at("candidates").at(0).at("reason"), "no such row");
  EXPECT_NEAR(json.at("summaries").at(0).at("geomean").get<double>(), std::sqrt(1.05), 1e-9);
}

TEST(Render, CountsAreMoreOrFewerAndNeverSlowerOrFaster) {
  auto before = record_of_rows({{"a", 1000, 0, 1}, {"b", 1000, 0, 1}});
  auto after = record_of_rows({{"a", 1001, 0, 1}, {"b", 999, 0, 1}});
  for (auto* record : {&before, &after}) {
    for (report::BenchMeasurement& row : record->measurements) row.exact = true;
  }
  const Comparison found = compared(before, after);
  const auto json = nlohmann::json::parse(to_json(found, kOutcome));

  EXPECT_EQ(json.at("counts").at("more"), 1);
  EXPECT_EQ(json.at("rows").at(1).at("candidates").at(0).at("verdict"), "fewer");
  for (const std::string& text : {to_text(found), to_markdown(found, kOutcome), to_csv(found)}) {
    EXPECT_TRUE(holds(text, "more") && holds(text, "fewer")) << text;
    EXPECT_FALSE(holds(text, "slower") || holds(text, "faster")) << text;
  }
  EXPECT_TRUE(holds(to_text(found), "in ns, fewer are better, exact"));
}

TEST(RenderJson, OfTooFewProcessesHasNoInterval) {
  const auto record = record_of_rows({{"a", 100, 0.01, 3}});

  const auto json = nlohmann::json::parse(to_json(compared(record, record), kOutcome));

  EXPECT_TRUE(json.at("rows").at(0).at("candidates").at(0).at("low").is_null());
}

}  // namespace
}  // namespace assay::compare
