// Tests of records, also with hostile text.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/protocol/testing.hpp"
#include "harness/report/record.hpp"

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
  subject.outcomes[outcome] = 1;
  subject.contracts = {"2.11/cuda/strict"};
  subject.verdict = "FAIL";
  subject.exit_code = 1;
  subject.line = "FAIL 0 of 1 cases";
  RunRecord run;
  run.started = "2026-11-21T11:00:00Z";
  run.verdict = "FAIL";
  run.exit_code = 1;
  run.line = subject.line;
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
  EXPECT_TRUE(nlohmann::json::accept(to_json(run_of("crash", "\xff\xfe \x01 \" \\"))));
}

TEST(Json, IsReadBackAsItWasWritten) {
  RunRecord run = run_of("fail", "differs");
  run.seed = ~std::uint64_t{0};
  run.shard = "2/4";
  run.subjects[0].waiver_findings = {"unused"};
  run.subjects[0].outcomes["fail"] = 1;

  EXPECT_EQ(to_json(run_from_json(to_json(run))), to_json(run));
  EXPECT_EQ(run_from_json(to_json(run)).seed, run.seed);
}

TEST(Json, KeepsReachProfileAndWhatHelloSays) {
  RunRecord run = run_of("fail", "differs");
  SubjectRecord& subject = run.subjects[0];
  subject.cases[0].reach = "width";
  subject.foreign = true;
  subject.properties = {"bool_flag"};
  subject.basis.emplace().profile = {"training", 3, 7};

  const RunRecord again = run_from_json(to_json(run));

  EXPECT_EQ(again.subjects[0].cases[0].reach, "width");
  EXPECT_TRUE(again.subjects[0].foreign);
  EXPECT_EQ(again.subjects[0].properties, subject.properties);
  EXPECT_EQ(again.subjects[0].basis, subject.basis);
  EXPECT_TRUE(holds(to_junit(run), R"(<property name="reach" value="width"/>)"));
  subject.cases[0].reach = "trainning";
  EXPECT_THROW(to_json(run), std::logic_error);
}

TEST(Json, KeepsWhatAMergeOfShardsNeeds) {
  RunRecord run = run_of("waived", "differs");
  run.shard = "2/4";
  run.shard_from = "CI_NODE_INDEX";
  run.parts = {{"mine", true, false, false}, {"other", false, true, true}};
  run.shards = {{"1/4", {"assay", "run"}, run.started, {}}};
  run.subjects[0].cases[0].was = "unsupported";
  run.subjects[0].cases[0].excused = true;
  Basis basis;
  basis.key = {{"hello", "mine 1"}};
  basis.cases = 7;
  basis.whole = basis.partial = true;
  basis.unclaimed = 2;
  basis.narrowed = {"amp"};
  basis.stale = {{"core", 3}};
  basis.waivers = {
      {"a", "*", "cuda", {"2.4"}, "r", "l", "o", "2027-03-31", {"x"}, "", "w:1", false}};
  basis.support = {{"a", "*", "cpu", {"2.11"}, "r", "s:1"}};
  run.subjects[0].basis = basis;

  const RunRecord again = run_from_json(to_json(run));

  EXPECT_EQ(to_json(again), to_json(run));
  EXPECT_EQ(again.shard_from, "CI_NODE_INDEX");
  EXPECT_EQ(again.parts, run.parts);
  EXPECT_EQ(again.shards.at(0).argv, run.shards[0].argv);
  EXPECT_EQ(again.subjects[0].cases[0].was, "unsupported");
  EXPECT_TRUE(again.subjects[0].cases[0].excused);
  EXPECT_EQ(again.subjects[0].basis, basis);
}

TEST(Json, OfAnOldRecordLacksTheBasis) {
  const RunRecord again = run_from_json(to_json(run_of("fail", "x")));

  EXPECT_FALSE(again.subjects[0].basis.has_value());
  EXPECT_TRUE(again.parts.empty());
}

void give_lines(RunRecord& run) {
  for (SubjectRecord& subject : run.subjects) subject.line = subject.verdict + " in amp";
  run.line = run.verdict + " in amp";
}

/// What is refused of a green record of one case that passed, after the change.
std::string refusal_after(const std::function<void(RunRecord&)>& change) {
  RunRecord run = run_of("pass", "");
  SubjectRecord& subject = run.subjects[0];
  subject.planned = 1;
  subject.exit_code = run.exit_code = 0;
  subject.verdict = run.verdict = "CONFORMS";
  change(run);
  give_lines(run);
  return error_of<std::runtime_error>([&] { run_from_json(to_json(run)); });
}

void unsupported(RunRecord& run, bool required, bool excused) {
  SubjectRecord& subject = run.subjects[0];
  CaseRecord& more = subject.cases.emplace_back(subject.cases[0]);
  more.id = "amp/one/three";
  more.outcome = "unsupported";
  more.required = required;
  more.excused = excused;
  subject.outcomes["unsupported"] = 1;
  subject.planned = 2;
}

void judge(RunRecord& run, const std::string& verdict, int exit_code) {
  run.verdict = run.subjects[0].verdict = verdict;
  run.exit_code = run.subjects[0].exit_code = exit_code;
}

TEST(Records, WithoutAContradictionAreRead) {
  EXPECT_EQ(refusal_after([](RunRecord&) {}), "");
  EXPECT_EQ(refusal_after([](RunRecord& run) { unsupported(run, true, true); }), "");
  for (const int exit_code : {0, 4}) {
    EXPECT_EQ(refusal_after([&](RunRecord& run) {
                unsupported(run, false, false);
                judge(run, "INCOMPLETE", exit_code);
              }),
              "");
  }
  EXPECT_EQ(refusal_after([](RunRecord& run) {
              run.subjects.clear();
              run.exit_code = 77;
              run.verdict = "DEVICE ABSENT";
            }),
            "");
}

TEST(Records, WhoseCasesContradictTheVerdictAreRefused) {
  EXPECT_TRUE(holds(refusal_after([](RunRecord& run) {
                      unsupported(run, true, false);
                      judge(run, "INCOMPLETE", 4);
                    }),
                    "but its case amp/one/three is unsupported"));
  EXPECT_TRUE(holds(refusal_after([](RunRecord& run) { unsupported(run, false, false); }),
                    "but its case amp/one/three is unsupported"));
  EXPECT_TRUE(holds(refusal_after([](RunRecord& run) { run.subjects[0].planned = 2; }),
                    "but 1 of its 2 cases have run"));
  EXPECT_TRUE(holds(refusal_after([](RunRecord& run) { run.subjects[0].outcomes["pass"] = 2; }),
                    "do not count its cases"));
  EXPECT_TRUE(
      holds(refusal_after([](RunRecord& run) { run.subjects.clear(); }), "but it has no subject"));
}

TEST(Records, WhoseVerdictHasAnotherExitCodeAreRefused) {
  for (const auto& [verdict, exit_code] : {std::pair{"CONFORMS", 4},
                                           {"CONFORMS", 1},
                                           {"FAILS", 0},
                                           {"WAIVER PROBLEM", 0},
                                           {"NOTHING RAN", 0},
                                           {"INTERRUPTED", 0},
                                           {"INCOMPLETE", 1}}) {
    EXPECT_TRUE(holds(refusal_after([&](RunRecord& run) { judge(run, verdict, exit_code); }),
                      "no such verdict has this exit code"))
        << verdict << exit_code;
    EXPECT_TRUE(holds(refusal_after([&](RunRecord& run) {
                        run.verdict = verdict;
                        run.exit_code = exit_code;
                      }),
                      "no such verdict has this exit code"))
        << verdict << exit_code;
  }
  EXPECT_TRUE(holds(refusal_after([](RunRecord& run) {
                      judge(run, "FAILS", 1);
                      run.verdict = "INCOMPLETE";
                      run.exit_code = 4;
                    }),
                    "the verdict of the run is INCOMPLETE (exit 4), but that on"));
}

TEST(Records, WhoseLineSaysAnotherVerdictAreRefused) {
  RunRecord run = run_of("fail", "differs");
  run.subjects[0].line = "CONFORMS in amp: 1 of 1 cases pass";
  EXPECT_EQ(
      error_of<std::runtime_error>([&] { run_from_json(to_json(run)); }),
      "the verdict on '\"mine\" <it>' is FAIL, and its line says 'CONFORMS in amp: 1 of 1 cases "
      "pass'");
  std::swap(run.line, run.subjects[0].line);
  EXPECT_TRUE(holds(error_of<std::runtime_error>([&] { run_from_json(to_json(run)); }),
                    "the verdict of the run is FAIL, and its line says 'CONFORMS"));
}

TEST(Records, TellTheCausesOfFailuresToEveryReader) {
  RunRecord run = run_of("fail", "differs");
  CauseRecord cause{"It grows <late>.", "AMP-105", "late", {"Or *early*."},
                    {"amp/one/two"},    {},        true};
  run.subjects[0].causes = {cause};

  const RunRecord read = run_from_json(to_json(run));
  ASSERT_EQ(read.subjects[0].causes.size(), 1u);
  EXPECT_EQ(to_json(read), to_json(run));
  EXPECT_TRUE(read.subjects[0].causes[0].perhaps);
  EXPECT_NE(
      to_junit(run).find(
          "<property name=\"cause\" value=\"perhaps: It grows &lt;late&gt;. or: Or *early*.\"/>"),
      std::string::npos);
  EXPECT_NE(to_markdown(run).find("- perhaps: It grows"), std::string::npos);
  run.subjects[0].cases[0].outcome = "pass";
  EXPECT_EQ(to_junit(run).find("name=\"cause\""), std::string::npos);
}

TEST(Records, HoldTheShortProgramOfAFailure) {
  RunRecord run = run_of("fail", "differs");
  run.subjects[0].cases[0].shortest = "s = <new>()\ns.get()  # 2, got @me\n";

  const RunRecord read = run_from_json(to_json(run));

  EXPECT_EQ(read.subjects[0].cases[0].shortest, run.subjects[0].cases[0].shortest);
  EXPECT_TRUE(holds(to_junit(run), "s = &lt;new&gt;()&#10;s.get()  &#35; 2, got @me&#10;"))
      << to_junit(run);
  EXPECT_TRUE(holds(to_markdown(run), "    - `s = <new>()`\n    - `s.get()  # 2, got \\x40me`\n"))
      << to_markdown(run);
}

TEST(Records, SayWhyASubjectWasGivenUpAndHowItEnded) {
  RunRecord run = run_of("pass", "");
  SubjectRecord& subject = run.subjects[0];
  subject.exit_code = 3;
  subject.verdict = "INTERNAL ERROR";
  subject.line = "INTERNAL ERROR: 1 of 1 cases pass";
  subject.lost = "it broke";
  subject.last_words = "does not export `assay_open` <&>";
  subject.remarks = {"the subject died of SIGSEGV when its input was closed"};

  const RunRecord again = run_from_json(to_json(run));

  EXPECT_EQ(again.subjects[0].lost, subject.lost);
  EXPECT_EQ(again.subjects[0].last_words, subject.last_words);
  EXPECT_EQ(again.subjects[0].remarks, subject.remarks);
  EXPECT_TRUE(holds(to_junit(run), "does not export `assay_open` &lt;&amp;&gt;"));
  EXPECT_TRUE(holds(to_markdown(run), "`` does not export `assay_open` <&> ``"))
      << to_markdown(run);
  EXPECT_TRUE(holds(to_markdown(run), "- the subject died of SIGSEGV"));
}

/// The error of reading this text; empty if there is none.
std::string complaint(const std::string& text) {
  return error_of<std::runtime_error>([&] { run_from_json(text); });
}

TEST(Json, ThatBreaksTheSchemaIsRefusedWithThePlace) {
  auto json = nlohmann::json::parse(to_json(run_of("fail", "x")));
  json["subjects"][0]["cases"][0]["outcome"] = "excellent";
  EXPECT_TRUE(holds(complaint(json.dump()), "/subjects/0/cases/0/outcome"));
  json = nlohmann::json::parse(to_json(run_of("fail", "x")));
  json.erase("line");
  EXPECT_TRUE(holds(complaint(json.dump()), "line"));
  json = nlohmann::json::parse(to_json(run_of("fail", "x")));
  json["subjects"][0]["cases"][0]["line"] = 1e300;
  EXPECT_NE(complaint(json.dump()), "");
}

TEST(Json, IsNotWrittenWithANumberThatIsNone) {
  RunRecord run = run_of("pass", "");
  run.subjects[0].seconds = std::numeric_limits<double>::quiet_NaN();

  EXPECT_THROW(to_json(run), std::logic_error);
}

TEST(Markdown, ShowsWhatATrainingMeetsFirst) {
  RunRecord run = run_of("fail", "differs");
  std::vector<CaseRecord>& cases = run.subjects[0].cases;
  cases[0].reach = "width";
  EXPECT_FALSE(holds(to_markdown(run), "**Cases about the width")) << "there is only one kind";
  cases.push_back(cases[0]);
  cases[1].id = "amp/one/training";
  cases[1].reach = "";

  const std::string page = to_markdown(run);

  const auto training = page.find("**Cases that a training loop can meet**");
  const auto width = page.find("**Cases about the width and rounding");
  EXPECT_LT(training, page.find("amp/one/training"));
  EXPECT_LT(page.find("amp/one/training"), width);
  EXPECT_LT(width, page.find("amp/one/two"));
}

TEST(Markdown, ShowsTheVerdictTheAreasAndWhatWentWrong) {
  RunRecord run = run_of("fail", "the | values <differ>");
  run.subjects[0].waiver_findings = {"w.toml:3: unused"};

  const std::string page = to_markdown(run);

  EXPECT_TRUE(page.starts_with("# FAIL 0 of 1 cases\n")) << page;
  EXPECT_TRUE(holds(page, "| amp | | 1 |")) << page;
  EXPECT_TRUE(holds(page, "**fail** amp/one/two (2.11/cuda/strict): the \\| values &lt;differ\\>"))
      << page;
  EXPECT_TRUE(holds(page, "w.toml:3: unused"));
}

TEST(Markdown, IsUtf8WhateverASubjectIsCalled) {
  RunRecord run = run_of("fail", "it broke");
  run.subjects[0].subject = "caf\xe9 caf\xc3\xa9";

  EXPECT_TRUE(holds(to_markdown(run), "## caf\\\\xe9 caf\xc3\xa9\n")) << to_markdown(run);
}

TEST(Markdown, ShowsALineThatRepeatsACaseWhateverIsInIt) {
  RunRecord run = run_of("fail", "ping @all, see #1");
  run.subjects[0].cases[0].replay = "assay replay x --subject 'a`b'";

  const std::string page = to_markdown(run);

  EXPECT_TRUE(holds(page, "  - `` assay replay x --subject 'a`b' ``\n")) << page;
  EXPECT_FALSE(holds(page, "@all")) << page;
}

TEST(Annotations, AreOneLineEachAndNoMoreThanGitHubShows) {
  RunRecord run = run_of("fail", "50% wrong\nhere");
  CaseRecord& test = run.subjects[0].cases[0];
  test.file = "suites/a,b.cpp";
  test.line = 12;
  EXPECT_EQ(to_annotations(run),
            "::error file=suites/a%2Cb.cpp,line=12,title=fail amp/one/two::50%25 wrong%0Ahere\n");

  run.subjects[0].cases.assign(13, test);
  EXPECT_TRUE(holds(to_annotations(run), "::notice::3 more cases"));
}

TEST(Junit, PutsEachOutcomeWhereCiSystemsLookForIt) {
  EXPECT_TRUE(holds(to_junit(run_of("fail", "x")), "<failure type=\"fail\""));
  EXPECT_TRUE(holds(to_junit(run_of("crash", "x")), "<error type=\"crash\""));
  EXPECT_TRUE(holds(to_junit(run_of("timeout", "x")), "<error type=\"timeout\""));
  EXPECT_TRUE(holds(to_junit(run_of("unsupported", "x")), "<failure type=\"unsupported\""));
  RunRecord excused = run_of("unsupported", "no device");
  excused.subjects[0].cases[0].excused = true;
  excused.subjects[0].cases[0].excuse = "none here";
  EXPECT_TRUE(
      holds(to_junit(excused), "<skipped type=\"unsupported\" message=\"none here: no device"));
}

TEST(Junit, SkipsWhatIsWaivedWithTheReason) {
  RunRecord waived = run_of("waived", "differs");
  waived.subjects[0].cases[0].excuse = "known since spring";

  EXPECT_TRUE(holds(to_junit(waived),
                    "<skipped type=\"waived\" message=\"known since spring: differs\"/>"));
}

TEST(Junit, HasAnErrorWhereASubjectWasGivenUp) {
  RunRecord run = run_of("pass", "");
  run.subjects[0].exit_code = 3;
  run.subjects[0].line = "INTERNAL ERROR 1 of 9 cases; the subject was given up";

  const std::string junit = to_junit(run);

  EXPECT_TRUE(holds(junit, "tests=\"2\" failures=\"0\" errors=\"1\"")) << junit;
  EXPECT_TRUE(holds(junit, "message=\"INTERNAL ERROR 1 of 9 cases")) << junit;
}

TEST(Junit, EscapesWhatXmlCannotHold) {
  const std::string text = to_junit(run_of("fail", "<&\"> \x01 \xff …"));

  EXPECT_TRUE(holds(text, "&lt;&amp;&quot;&gt; ? \xef\xbf\xbd …")) << text;
  EXPECT_TRUE(holds(text, "value=\"AMP-105\""));
}

}  // namespace
}  // namespace assay::report
