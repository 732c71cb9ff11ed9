// Tests of selected cases, contracts and orders, and of lists in data files.
#include "harness/suite/runner/selection.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/testing.hpp"
#include "harness/suite/faults.hpp"

namespace assay {
namespace {

Case case_of(std::string id, std::vector<std::string> clauses = {}) {
  Case test;
  test.id = std::move(id);
  test.clauses = std::move(clauses);
  return test;
}

std::vector<std::string> ids_of(const Plan& plan) {
  std::vector<std::string> ids;
  for (const Task& task : plan.tasks) ids.push_back(task.test->id);
  return ids;
}

TEST(Glob, TreatsAPlainPatternAsAFolder) {
  EXPECT_TRUE(glob_matches("amp/*", "amp/unscale/one"));
  EXPECT_TRUE(glob_matches("amp", "amp/unscale/one"));
  EXPECT_TRUE(glob_matches("amp/unscale/", "amp/unscale/one"));
  EXPECT_TRUE(glob_matches("amp/unscale/one", "amp/unscale/one"));
  EXPECT_FALSE(glob_matches("amp/unscale/o", "amp/unscale/one"));
  EXPECT_FALSE(glob_matches("am", "amp/unscale/one"));
  EXPECT_TRUE(glob_matches("*/o?e", "amp/unscale/one"));
}

TEST(Selection, GoesByIdAndByClause) {
  const Case test = case_of("amp/one", {"AMP-105", "AMP-106"});
  Selection selection;

  EXPECT_TRUE(selection.selects(test));
  selection.filters = {"AMP-105"};
  EXPECT_TRUE(selection.selects(test));
  selection.filters = {"AMP-10"};
  EXPECT_FALSE(selection.selects(test));
  selection.filters = {"core/*", "AMP-1*"};
  EXPECT_TRUE(selection.selects(test));
  selection.excludes = {"AMP-106"};
  EXPECT_FALSE(selection.selects(test));
}

TEST(Reach, OfACaseIsThatOfItsFurthestClauseUnlessItSaysOtherwise) {
  EXPECT_EQ(reach_of(case_of("amp/none")), Reach::kTraining);
  EXPECT_EQ(reach_of(case_of("amp/one", {"AMP-105", "AMP-108"})), Reach::kState);
  EXPECT_EQ(reach_of(case_of("amp/one", {"AMP-203", "AMP-108"})), Reach::kWidth);
  Case test = case_of("amp/one", {"AMP-108"});
  test.reach = Reach::kTraining;
  EXPECT_EQ(reach_of(test), Reach::kTraining);
}

TEST(Reach, HasANameForEachAndNoOther) {
  for (const Reach reach : kReaches) {
    EXPECT_EQ(reach_named(name_of(reach)), reach);
    EXPECT_FALSE(in_words(reach).empty());
  }
  EXPECT_FALSE(reach_named("trainning"));
  EXPECT_EQ(reach_or_training(""), Reach::kTraining);
}

TEST(Selection, TakesWhatATrainingMeetsAlone) {
  Selection selection;
  selection.training_only = true;

  EXPECT_TRUE(selection.selects(case_of("amp/one", {"AMP-105"})));
  EXPECT_FALSE(selection.selects(case_of("amp/one", {"AMP-105", "AMP-108"})));
  EXPECT_TRUE(selection.narrows_cases());
}

TEST(Plan, CountsTheCasesThatTheProfileLeavesOut) {
  const std::vector<Case> cases{case_of("amp/a", {"AMP-105"}), case_of("amp/b", {"AMP-108"}),
                                case_of("amp/c", {"AMP-001"}), case_of("core/d", {"AMP-001"})};
  Selection selection;
  selection.training_only = true;
  selection.excludes = {"amp/c"};
  const HasArea has = [](const Contract&, const std::string& area) { return area == "amp"; };

  const Plan plan = plan_of(cases, selection, {Contract{}}, has);

  EXPECT_EQ(ids_of(plan), std::vector<std::string>{"amp/a"});
  EXPECT_EQ(plan.beyond_profile, 1U);
  EXPECT_EQ(plan.unclaimed, 0U);
}

TEST(Selection, TakesARegularExpressionBetweenSlashes) {
  const Case test = case_of("amp/one/grows_by_2", {"AMP-105"});
  Selection selection;

  selection.filters = {"/grows_by_[0-9]$/"};
  EXPECT_TRUE(selection.selects(test));
  selection.filters = {"/^AMP-1(04|05)$/"};
  EXPECT_TRUE(selection.selects(test));
  selection.filters = {"/^one/"};
  EXPECT_FALSE(selection.selects(test));
  selection.filters = {};
  selection.excludes = {"/grows/"};
  EXPECT_FALSE(selection.selects(test));
}

TEST(Selection, SaysWhyAPatternIsNoRegularExpression) {
  EXPECT_TRUE(holds(complaint_about_pattern("/a(/"), "'/a(/' is not a regular expression: "));
  EXPECT_EQ(complaint_about_pattern("/a(b)/"), "");
  EXPECT_EQ(complaint_about_pattern("/^(amp|core)/[a-z_]{1,20}.{2}\\{5000}$/"), "");
  EXPECT_TRUE(
      holds(complaint_about_pattern("/((a{200}){200}){200}/"), "multiply to more than 1000"));
  EXPECT_TRUE(holds(complaint_about_pattern("/a{99999999999999999999999}/"), "more than 1000"));
  EXPECT_TRUE(holds(complaint_about_pattern("/a{,1001}/"), "multiply to more than 1000"));
  EXPECT_TRUE(
      holds(complaint_about_pattern("/" + std::string(51, '(') + "a" + std::string(51, ')') + "/"),
            "deeper than 50"));
  EXPECT_TRUE(holds(complaint_about_pattern("/" + std::string(1025, 'a') + "/"), "1024 bytes"));
  EXPECT_FALSE(
      holds(complaint_about_pattern("/" + std::string(50, '(') + "a" + std::string(50, ')') + "/"),
            "deeper"));
  EXPECT_EQ(complaint_about_pattern("amp/["), "");
}

TEST(Selection, LeavesLongCasesToFull) {
  Case test = case_of("amp/long");
  test.full = true;
  Selection selection;

  EXPECT_FALSE(selection.selects(test));
  selection.full = true;
  EXPECT_TRUE(selection.selects(test));
}

TEST(Plan, TakesTheFirstContractThatACaseAdmits) {
  std::vector<Case> cases{case_of("b"), case_of("a"), case_of("c"), case_of("d")};
  cases[1].applies.device_rules = DeviceRules::kCpu;
  cases[2].applies.deviations = Deviations::kCompat;
  cases[3].applies.until = Release::k1_13;

  const Plan plan = plan_of(cases, {}, wanted_contracts({}));

  EXPECT_EQ(ids_of(plan), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(to_text(plan.tasks[0].contract), "2.15/cpu/strict");
  EXPECT_EQ(to_text(plan.tasks[1].contract), "2.15/cuda/strict");
  EXPECT_EQ(to_text(plan.tasks[2].contract), "2.15/cuda/compat");
  EXPECT_EQ(to_text(plan.tasks[3].contract), "1.13/cuda/strict");
}

TEST(Plan, TakesTheFirstContractThatHasTheArea) {
  const std::vector<Case> cases{case_of("core/a"), case_of("runtime/b"), case_of("graph/c")};
  const Contract cpu{Release::k2_11, DeviceRules::kCpu, Deviations::kCompat};
  const Contract cuda{Release::k2_11, DeviceRules::kCuda, Deviations::kCompat};
  const HasArea has = [](const Contract& contract, const std::string& area) {
    return area != "graph" && contract.cuda() == (area == "runtime");
  };

  const Plan plan = plan_of(cases, {}, {cpu, cuda}, has);

  EXPECT_EQ(ids_of(plan), (std::vector<std::string>{"core/a", "runtime/b"}));
  EXPECT_EQ(plan.tasks[0].contract, cpu);
  EXPECT_EQ(plan.tasks[1].contract, cuda);
  EXPECT_EQ(plan.not_applicable, 0U);
  EXPECT_EQ(plan.unclaimed, 1U);
}

TEST(Plan, CountsWhatNoContractAdmits) {
  std::vector<Case> cases{case_of("a"), case_of("b")};
  cases[0].applies.since = Release::k2_11;
  Selection selection;
  selection.release = Release::k2_4;

  const Plan plan = plan_of(cases, selection, wanted_contracts(selection));

  EXPECT_EQ(ids_of(plan), std::vector<std::string>{"b"});
  EXPECT_EQ(plan.not_applicable, 1U);
}

TEST(Plan, RunsUnderEveryContractOnRequest) {
  const std::vector<Case> cases{case_of("a")};
  Selection selection;
  selection.all_contracts = true;

  EXPECT_EQ(plan_of(cases, selection, wanted_contracts(selection)).tasks.size(),
            4 * kReleases.size());
}

TEST(Shuffle, IsMadeFromTheSeedAlone) {
  std::vector<Case> cases;
  for (int i = 0; i < 20; ++i) cases.push_back(case_of(std::string(1, static_cast<char>('a' + i))));
  Plan first = plan_of(cases, {}, {Contract{}});
  Plan second = first;
  Plan other = first;

  shuffle(first.tasks, 7);
  shuffle(second.tasks, 7);
  shuffle(other.tasks, 8);

  EXPECT_EQ(ids_of(first), ids_of(second));
  EXPECT_NE(ids_of(first), ids_of(other));
  EXPECT_NE(ids_of(first), ids_of(plan_of(cases, {}, {Contract{}})));
}

TEST(Contract, IsReadFromItsText) {
  for (const Contract& contract : wanted_contracts({})) {
    EXPECT_EQ(contract_from_text(to_text(contract)), contract);
  }
  EXPECT_EQ(contract_from_text("2.11/cuda"), std::nullopt);
  EXPECT_EQ(contract_from_text("2.5/cuda/strict"), std::nullopt);
}

TEST(Faults, AreReadWithTheirContract) {
  const auto faults = faults_from_toml(
      "[[fault]]\nname = 'f'\nclauses = ['AMP-1']\nwhat = 'w'\ncontract = '2.4/cpu/compat'\n",
      "faults/x.toml");

  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].file, "faults/x.toml:1");
  EXPECT_EQ(to_text(*faults[0].contract), "2.4/cpu/compat");
}

TEST(Faults, HaveOneChangeOrAListOfThemOrNone) {
  const auto row = [](const std::string& name) {
    return "[[fault]]\nname = '" + name + "'\nclauses = ['AMP-1']\nwhat = 'w'\n";
  };
  const auto faults = faults_from_toml(
      row("none") + row("one") + "file = 'a.cpp'\nwas = 'x;'\nbecomes = 'y;'\n" + row("two") +
          "[[fault.change]]\nfile = 'a.cpp'\nwas = 'x;'\nbecomes = ''\n"
          "[[fault.change]]\nfile = 'b.cpp'\nwas = 'z;'\nbecomes = 'y;'\n",
      "faults/x.toml");

  ASSERT_EQ(faults.size(), 3U);
  EXPECT_TRUE(faults[0].changes.empty());
  ASSERT_EQ(faults[1].changes.size(), 1U);
  EXPECT_EQ(faults[1].changes[0].becomes, "y;");
  ASSERT_EQ(faults[2].changes.size(), 2U);
  EXPECT_EQ(faults[2].changes[1].file, "b.cpp");
}

TEST(Faults, ChangesAreShownAsLinesThatStayGoAndCome) {
  EXPECT_EQ(diff_of({"a.cpp", "same;\nold;\nend;", "same;\nnew;\nnewer;\nend;"}),
            "a.cpp\n  same;\n- old;\n+ new;\n+ newer;\n  end;\n");
  EXPECT_EQ(diff_of({"a.cpp", "end;", "first;\nend;"}), "a.cpp\n+ first;\n  end;\n");
  EXPECT_EQ(diff_of({"a.cpp", "one;\none;", "one;"}), "a.cpp\n  one;\n- one;\n");
  EXPECT_EQ(diff_of({"a.cpp", "gone;", ""}), "a.cpp\n- gone;\n");
}

TEST(Faults, AreRefusedWithThePlaceOfTheMistake) {
  for (const char* text :
       {"[[fault]]\nname = 'f'\nclauses = []\nwhat = 'w'\n", "[[fault]]\nclauses = ['A']\n",
        "[[fault]]\nname = 'f'\nclauses = ['A']\n", "[[fault]]\nname = \n", "x = 1\n",
        "[[fault]]\nname = 'f'\nclauses = ['A']\nwhat = 'w'\nfile = 'a.cpp'\nwas = 'x;'\n",
        "[[fault]]\nname = 'f'\nclauses = ['A']\nwhat = 'w'\ncontract = '9/cpu/strict'\n"}) {
    try {
      faults_from_toml(text, "faults/x.toml");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(holds(error.what(), "faults/x.toml:")) << error.what();
    }
  }
}

}  // namespace
}  // namespace assay
