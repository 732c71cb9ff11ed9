// Cost records: what the table and the JSON say of rows that were timed, and of those that were
// not.
#include "harness/report/cost_record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::report {
namespace {

CostRecord record() {
  CostRecord made;
  made.subjects = {{"pointer", "pointer", "1", "2.11/cuda/strict"}};
  made.rows = {{"typed_1", "pointer", "", "", 100, {2, 1, 3}, {2, 1, 3}},
               {"typed_1", "mine", "", "", 10, {20, 22, 60}, {2, 1, 3}},
               {"event", "mine", "no devices", "", 0, {}, {}},
               {"redispatch", "mine", "", "the checksum is 5", 0, {}, {}}};
  return made;
}

TEST(CostRecord, RatiosAreTakenRoundByRound) {
  const CostRow row = record().rows[1];

  EXPECT_EQ(row.median_ns().value, 22);
  EXPECT_EQ(row.median_ratio().value, 20);  // of 10, 22 and 20
  EXPECT_EQ(row.median_ratio().high, 22);
}

TEST(CostRecord, TheTableHasALineForEachRow) {
  EXPECT_EQ(
      to_text(record()),
      "loop              subject             ns              95 %     calls              95 %\n"
      "typed_1           pointer           2.00       1.00 - 3.00      1.00       1.00 - 1.00\n"
      "                  mine              22.0       20.0 - 60.0      20.0       10.0 - 22.0\n"
      "event             mine           - no devices\n"
      "redispatch        mine           WRONG: the checksum is 5\n");
}

TEST(CostRecord, TheJsonKeepsTheSamplesAndNoTimeOfWhatIsWrong) {
  const auto json = nlohmann::json::parse(to_json(record()));

  EXPECT_EQ(json["schema"], "assay.cost/1");
  EXPECT_EQ(json["rows"].size(), 4U);
  EXPECT_EQ(json["rows"][1]["samples"], (std::vector<double>{20, 22, 60}));
  EXPECT_EQ(json["rows"][1]["ns"]["median"], 22.0);
  EXPECT_EQ(json["rows"][2]["lacking"], "no devices");
  EXPECT_FALSE(json["rows"][3].contains("ns"));
}

}  // namespace
}  // namespace assay::report
