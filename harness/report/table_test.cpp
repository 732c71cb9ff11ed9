// Tests of tables and of the matrix of faults and cases.
#include "harness/report/table.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/report/kill_matrix.hpp"

namespace assay::report {
namespace {

TEST(Table, IsAlignedTextOrJson) {
  const Table table{{"id", "clauses", "full", "count"},
                    {{"a", std::vector<std::string>{"X", "Y"}, true, std::int64_t{7}},
                     {"bcd", std::vector<std::string>{}, false, std::int64_t{12}}}};

  EXPECT_EQ(to_text(table), "a    X,Y  yes  7\nbcd            12\n");
  const auto json = nlohmann::json::parse(to_json(table));
  EXPECT_EQ(json.at(0).at("clauses").at(1), "Y");
  EXPECT_EQ(json.at(1).at("full"), false);
  EXPECT_EQ(json.at(1).at("count"), 12);
}

TEST(KillMatrix, IsReadBackAsItWasWritten) {
  const KillMatrix matrix{true,
                          {{"f", {"AMP-1"}, 3, {"amp/a"}, {0xabcdef}, 0.5, ""},
                           {"g", {"AMP-2"}, 9, {}, {}, 1, ""},
                           {"h", {"AMP-3"}, 0, {}, {}, 1, "gone"}}};

  const KillMatrix read = kill_matrix_from_json(to_json(matrix));

  EXPECT_EQ(to_json(read), to_json(matrix));
  EXPECT_EQ(read.faults[0].symptoms, std::vector<std::uint32_t>{0xabcdef});
  EXPECT_FALSE(read.faults[0].survived());
  EXPECT_TRUE(read.faults[1].survived());
  EXPECT_THROW(kill_matrix_from_json("[]"), std::runtime_error);
  EXPECT_THROW(kill_matrix_from_json("{\"schema\":\"x\"}"), std::runtime_error);
}

}  // namespace
}  // namespace assay::report
