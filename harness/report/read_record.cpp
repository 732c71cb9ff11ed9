// Reads the record of a run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "harness/protocol/json_guard.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/report/fields.hpp"
#include "harness/report/result_schema.hpp"
#include "harness/report/thin_record.hpp"

namespace assay::report {
namespace {

Environment environment_from(const JsonTree& json) {
  Environment environment;
  for_each_of_environment(environment, JsonMembers(json));
  return environment;
}

std::string text_of(const JsonTree& message) {
  return message.is_string() ? message.get<std::string>() : message.dump();
}

void read_failure(const JsonTree& json, CaseRecord& test) {
  for_each_of_failure(test, JsonMembers(member_of(json, "failure")));
  JsonMembers(json).if_there("replay", test.replay);
  if (!json.contains("program")) return;
  for (const JsonTree& exchange : list_in(json, "program")) {
    test.program.emplace_back(text_of(member_of(exchange, "command")),
                              text_of(member_of(exchange, "reply")));
  }
}

CaseRecord case_from(const JsonTree& json) {
  CaseRecord test;
  const JsonMembers read(json);
  for_each_of_case(test, read);
  read.if_there("excused", test.excused);
  read.if_there("required", test.required);
  read.if_there("lacks", test.lacks);
  read.if_there("excuse", test.excuse);
  if (json.contains("failure")) read_failure(json, test);
  return test;
}

/// Missing in the first records of this version.
void read_gaps(const JsonTree& json, SubjectRecord& subject) {
  const JsonMembers read(json);
  JsonMembers(member_of(json, "hello")).if_there("without", subject.without);
  if (json.contains("areas")) {
    const JsonMembers read_areas(json["areas"]);
    read_areas.if_there("in_full", subject.in_full);
    read_areas.if_there("in_part", subject.in_part);
  }
  read.if_there("support_findings", subject.support_findings);
  read.if_there("remarks", subject.remarks);
  if (json.contains("lost")) {
    const JsonMembers read_lost(json["lost"]);
    read_lost.if_there("why", subject.lost);
    read_lost.if_there("last_words", subject.last_words);
  }
  if (!json.contains("unanswered")) return;
  for (const JsonTree& each : list_in(json, "unanswered")) {
    const JsonMembers read_each(each);
    auto& [command, cases] = subject.unanswered.emplace_back();
    read_each("command", command);
    read_each("cases", cases);
  }
}

SubjectRecord subject_from(const JsonTree& json) {
  SubjectRecord subject;
  const JsonMembers read(json);
  read("subject", subject.subject);
  for_each_of_hello(subject, JsonMembers(member_of(json, "hello")));
  for_each_of_subject(subject, read);
  read_gaps(json, subject);
  const JsonMembers read_clauses(member_of(json, "clauses"));
  read_clauses("witnessed", subject.clauses_witnessed);
  read_clauses("all", subject.clauses);
  for (const JsonTree& test : list_in(json, "cases")) subject.cases.push_back(case_from(test));
  return subject;
}

RunRecord run_from(const JsonTree& json) {
  RunRecord run;
  const JsonMembers read(json);
  read("argv", run.argv);
  read("started", run.started);
  read_large(member_of(json, "seed"), "seed", run.seed);
  read("shuffled", run.shuffled);
  read.if_there("shard", run.shard);
  run.environment = environment_from(member_of(json, "environment"));
  read("verdict", run.verdict);
  read("exit", run.exit_code);
  read("line", run.line);
  for (const JsonTree& subject : list_in(json, "subjects"))
    run.subjects.push_back(subject_from(subject));
  return run;
}

bool is_bad(const CaseRecord& test) {
  return test.outcome != "pass" && test.outcome != "waived" && test.outcome != "unsupported";
}

bool is_positive(int exit_code) { return exit_code == 0; }

/// Throws std::runtime_error if the verdict is better than the cases: whoever reads the verdict
/// alone would be misled.
void check_verdict(const SubjectRecord& subject) {
  const bool says_so =
      subject.verdict == "CONFORMS" || subject.verdict == "PASS" || subject.verdict == "INCOMPLETE";
  if (!says_so && !is_positive(subject.exit_code)) return;
  const auto contradicts = [&](const std::string& what) {
    throw std::runtime_error(fmt::format("the verdict on '{}' is {} (exit {}), but {}",
                                         printable(subject.subject), subject.verdict,
                                         subject.exit_code, what));
  };
  const auto bad = std::ranges::find_if(subject.cases, is_bad);
  if (bad != subject.cases.end()) {
    contradicts(fmt::format("its case {} is {}", printable(bad->id), bad->outcome));
  }
  if (!subject.lost.empty()) contradicts("it was given up");
  if (!says_so) contradicts("no such verdict has this exit code");
  if (std::ranges::find(subject.cases, "pass", &CaseRecord::outcome) == subject.cases.end()) {
    contradicts("none of its cases passed");
  }
}

void check_verdicts(const RunRecord& run) {
  for (const SubjectRecord& subject : run.subjects) {
    check_verdict(subject);
    if (!is_positive(run.exit_code) || is_positive(subject.exit_code)) continue;
    throw std::runtime_error(
        fmt::format("the verdict of the run is {} (exit 0), but that on '{}' is {} (exit {})",
                    run.verdict, printable(subject.subject), subject.verdict, subject.exit_code));
  }
}

RunRecord whole_run_from(std::string_view text) {
  if (const auto complaints = complaints_about("run-1.json", text); !complaints.empty()) {
    throw std::runtime_error(fmt::format("{}", fmt::join(complaints, "\n  ")));
  }
  return run_from(tree_from_json(text));
}

RunRecord read_run(std::string_view text) {
  std::optional<ThinRecord> thin = without_plain_cases(text);
  if (!thin) return whole_run_from(text);
  try {
    RunRecord run = whole_run_from(thin->rest);
    for (std::size_t i = 0; i < run.subjects.size(); ++i)
      put_back(std::move(thin->taken.at(i)), run.subjects[i].cases);
    return run;
  } catch (const std::runtime_error&) {
    // Reads again, for positions in the whole text.
    return whole_run_from(text);
  }
}

}  // namespace

RunRecord run_from_json(std::string_view text) {
  guard_json(text);
  RunRecord run = read_run(text);
  check_verdicts(run);
  return run;
}

}  // namespace assay::report
