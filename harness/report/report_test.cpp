// Records survive hostile words, files are whole, tables and matrices can be read back.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/report/kill_matrix.hpp"
#include "harness/report/record.hpp"
#include "harness/report/table.hpp"
#include "harness/report/write_whole.hpp"

namespace assay::report {
namespace {

RunRecord run_of(const std::string& outcome, const std::string& words) {
  CaseRecord test;
  test.id = "amp/one/two";
  test.contract = "2.11/cuda/strict";
  test.outcome = outcome;
  test.clauses = {"AMP-105"};
  test.sentence = words;
  test.program = {{R"({"id":1,"do":"value"})", R"({"id":1,"ok":{}})"}};
  SubjectRecord subject;
  subject.subject = "\"mine\" <it>";
  subject.cases = {test};
  RunRecord run;
  run.subjects = {subject};
  return run;
}

TEST(Json, HoldsTheConversationAsObjects) {
  const auto json = nlohmann::json::parse(to_json(run_of("fail", "differs")));

  const auto& test = json.at("subjects").at(0).at("cases").at(0);
  EXPECT_EQ(test.at("program").at(0).at("command").at("do"), "value");
  EXPECT_EQ(test.at("failure").at("sentence"), "differs");
}

TEST(Json, IsValidWhateverASubjectSays) {
  EXPECT_NO_THROW(nlohmann::json::parse(to_json(run_of("crash", "\xff\xfe \x01 \" \\"))));
}

TEST(Junit, PutsEachOutcomeWhereCiSystemsLookForIt) {
  EXPECT_NE(to_junit(run_of("fail", "x")).find("<failure type=\"fail\""), std::string::npos);
  EXPECT_NE(to_junit(run_of("crash", "x")).find("<error type=\"crash\""), std::string::npos);
  EXPECT_NE(to_junit(run_of("timeout", "x")).find("<error type=\"timeout\""), std::string::npos);
  EXPECT_NE(to_junit(run_of("unsupported", "x")).find("<failure type=\"unsupported\""),
            std::string::npos);
  RunRecord excused = run_of("unsupported", "no device");
  excused.subjects[0].cases[0].excused = true;
  EXPECT_NE(to_junit(excused).find("<skipped message=\"no device"), std::string::npos);
}

TEST(Junit, EscapesWhatXmlCannotHold) {
  const std::string text = to_junit(run_of("fail", "<&\"> \x01 \xff …"));

  EXPECT_NE(text.find("&lt;&amp;&quot;&gt; ? \xef\xbf\xbd …"), std::string::npos) << text;
  EXPECT_NE(text.find("value=\"AMP-105\""), std::string::npos);
}

TEST(WriteWhole, ReplacesAFileInOneStepAndMakesItsFolder) {
  const auto folder = std::filesystem::temp_directory_path() / "assay_write_whole_test";
  std::filesystem::remove_all(folder);
  const std::string path = (folder / "deep" / "file.txt").string();

  write_whole(path, "first");
  write_whole(path, "second");

  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "second");
  const auto files = std::filesystem::directory_iterator(folder / "deep");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(folder);
}

TEST(WriteWhole, SaysWhichFileItCouldNotWrite) {
  try {
    write_whole("/proc/none/file", "text");
    FAIL() << "it was written";
  } catch (const CannotWrite& error) {
    EXPECT_NE(std::string(error.what()).find("/proc/none/file"), std::string::npos);
  }
}

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
  const KillMatrix matrix{true, {{"f", {"AMP-1"}, 3, {"amp/a"}, 0.5}, {"g", {"AMP-2"}, 9, {}, 1}}};

  const KillMatrix read = kill_matrix_from_json(to_json(matrix));

  EXPECT_EQ(to_json(read), to_json(matrix));
  EXPECT_FALSE(read.faults[0].survived());
  EXPECT_TRUE(read.faults[1].survived());
  EXPECT_THROW(kill_matrix_from_json("[]"), std::runtime_error);
  EXPECT_THROW(kill_matrix_from_json("{\"schema\":\"x\"}"), std::runtime_error);
}

}  // namespace
}  // namespace assay::report
