// Reads the record of a run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "harness/protocol/json_guard.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/report/bench/fields.hpp"
#include "harness/report/fields.hpp"
#include "harness/report/result_schema.hpp"
#include "harness/report/thin/thin_record.hpp"

namespace assay::report {
namespace {

BenchDevice device_from(const JsonTree& json) {
  BenchDevice device;
  for_each_member(device, [&]<typename T>(const char* name, T& member) {
    if constexpr (std::is_same_v<T, std::string>) {
      read_json(member_of(json, name), name, member);
    } else if (json.contains(name) && !json[name].is_null()) {
      read_json(json[name], name, member.emplace());
    }
  });
  return device;
}

Environment environment_from(const JsonTree& json) {
  Environment environment;
  for_each_of_environment(environment, JsonMembers(json));
  if (!json.contains("devices")) return environment;
  for (const JsonTree& each : list_in(json, "devices")) {
    environment.devices.push_back(device_from(each));
  }
  return environment;
}

std::string text_of(const JsonTree& message) {
  return message.is_string() ? message.get<std::string>() : message.dump();
}

void read_failure(const JsonTree& json, CaseRecord& test) {
  for_each_of_failure(test, JsonMembers(member_of(json, "failure")));
  JsonMembers(json).if_there("replay", test.replay);
  JsonMembers(json).if_there("shortest", test.shortest);
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
  read.if_there("was", test.was);
  read.if_there("changes", test.changes);
  read.if_there("reach", test.reach);
  read.if_there("mistake", test.mistake);
  if (json.contains("failure")) read_failure(json, test);
  return test;
}

/// Missing in the first records of this version.
void read_gaps(const JsonTree& json, SubjectRecord& subject) {
  const JsonMembers read(json);
  const JsonMembers read_hello(member_of(json, "hello"));
  read_hello.if_there("without", subject.without);
  read_hello.if_there("foreign", subject.foreign);
  read_hello.if_there("properties", subject.properties);
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
  if (json.contains("causes")) {
    for (const JsonTree& each : list_in(json, "causes")) {
      for_each_of_cause(subject.causes.emplace_back(), JsonMembers(each));
    }
  }
  if (!json.contains("unanswered")) return;
  for (const JsonTree& each : list_in(json, "unanswered")) {
    const JsonMembers read_each(each);
    auto& [command, cases] = subject.unanswered.emplace_back();
    read_each("command", command);
    read_each("cases", cases);
  }
}

Basis basis_from(const JsonTree& json) {
  Basis basis;
  for_each_of_basis(basis, JsonMembers(json));
  if (json.contains("profile")) {
    for_each_of_profile(basis.profile.emplace(), JsonMembers(json["profile"]));
  }
  for (const JsonTree& each : list_in(json, "waivers")) {
    for_each_of_waiver(basis.waivers.emplace_back(), JsonMembers(each));
  }
  for (const JsonTree& each : list_in(json, "support")) {
    for_each_of_support(basis.support.emplace_back(), JsonMembers(each));
  }
  return basis;
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
  if (json.contains("basis")) subject.basis = basis_from(json["basis"]);
  for (const JsonTree& test : list_in(json, "cases")) subject.cases.push_back(case_from(test));
  return subject;
}

ShardRecord shard_from(const JsonTree& json) {
  ShardRecord shard;
  const JsonMembers read(json);
  read("shard", shard.shard);
  read("argv", shard.argv);
  read("started", shard.started);
  shard.environment = environment_from(member_of(json, "environment"));
  return shard;
}

/// Missing in the first records of this version.
void read_shards(const JsonTree& json, RunRecord& run) {
  const JsonMembers read(json);
  read.if_there("shard", run.shard);
  read.if_there("shard_from", run.shard_from);
  if (json.contains("parts")) {
    for (const JsonTree& each : list_in(json, "parts")) {
      for_each_of_part(run.parts.emplace_back(), JsonMembers(each));
    }
  }
  if (!json.contains("shards")) return;
  for (const JsonTree& each : list_in(json, "shards")) run.shards.push_back(shard_from(each));
}

RunRecord run_from(const JsonTree& json) {
  RunRecord run;
  const JsonMembers read(json);
  read("argv", run.argv);
  read("started", run.started);
  read_large(member_of(json, "seed"), "seed", run.seed);
  read("shuffled", run.shuffled);
  read_shards(json, run);
  run.environment = environment_from(member_of(json, "environment"));
  read("verdict", run.verdict);
  read("exit", run.exit_code);
  read("line", run.line);
  for (const JsonTree& subject : list_in(json, "subjects"))
    run.subjects.push_back(subject_from(subject));
  return run;
}

/// The words of each exit code; `PASS` and `FAIL` stand in old records.
constexpr std::pair<int, std::string_view> kVerdicts[] = {
    {0, "CONFORMS"},    {0, "INCOMPLETE"},     {0, "PASS"},           {1, "FAILS"},
    {1, "FAIL"},        {2, "USAGE ERROR"},    {3, "INTERNAL ERROR"}, {4, "INCOMPLETE"},
    {5, "NOTHING RAN"}, {6, "WAIVER PROBLEM"}, {77, "DEVICE ABSENT"}, {130, "INTERRUPTED"}};

bool belong_together(int exit_code, std::string_view verdict) {
  return std::ranges::find(kVerdicts, std::pair(exit_code, verdict)) != std::end(kVerdicts);
}

bool is_positive(int exit_code) { return exit_code == 0 || exit_code == 4; }

[[noreturn]] void contradicts(const SubjectRecord& subject, const std::string& what) {
  throw std::runtime_error(fmt::format("the verdict on '{}' is {} (exit {}), but {}",
                                       printable(subject.subject), printable(subject.verdict),
                                       subject.exit_code, what));
}

void check_counts(const SubjectRecord& subject) {
  std::map<std::string, std::size_t> counted;
  for (const CaseRecord& test : subject.cases) ++counted[test.outcome];
  std::map<std::string, std::size_t> told = subject.outcomes;
  std::erase_if(told, [](const auto& outcome) { return outcome.second == 0; });
  if (told == counted) return;
  std::vector<std::string> words;
  for (const auto& [outcome, count] : counted)
    words.push_back(fmt::format("{} {}", count, outcome));
  throw std::runtime_error(fmt::format("the outcomes of '{}' do not count its cases: {} cases, {}",
                                       printable(subject.subject), subject.cases.size(),
                                       fmt::join(words, ", ")));
}

/// `CONFORMS` says that no case that was planned is open.
void check_that_nothing_is_open(const SubjectRecord& subject) {
  const auto open = std::ranges::find_if(subject.cases, [](const CaseRecord& test) {
    return test.outcome == "unsupported" && !test.excused;
  });
  if (open != subject.cases.end()) {
    contradicts(subject, fmt::format("its case {} is unsupported, which nothing excuses",
                                     printable(open->id)));
  }
  if (subject.cases.size() < subject.planned) {
    contradicts(subject,
                fmt::format("{} of its {} cases have run", subject.cases.size(), subject.planned));
  }
}

/// Throws std::runtime_error if the verdict is better than the cases: whoever reads the verdict
/// alone would be misled.
void check_verdict(const SubjectRecord& subject) {
  if (!belong_together(subject.exit_code, subject.verdict)) {
    contradicts(subject, "no such verdict has this exit code");
  }
  if (!is_positive(subject.exit_code)) return;
  const auto bad = std::ranges::find_if(subject.cases, spoils);
  if (bad != subject.cases.end()) {
    contradicts(subject, fmt::format("its case {} is {}", printable(bad->id), bad->outcome));
  }
  if (!subject.lost.empty()) contradicts(subject, "it was given up");
  if (std::ranges::find(subject.cases, "pass", &CaseRecord::outcome) == subject.cases.end()) {
    contradicts(subject, "none of its cases passed");
  }
  if (subject.verdict != "INCOMPLETE") check_that_nothing_is_open(subject);
}

/// Some readers show the line alone.
template <typename Record>
void check_line(const Record& record, std::string_view whose) {
  if (record.line.starts_with(record.verdict)) return;
  throw std::runtime_error(fmt::format("the verdict {} is {}, and its line says '{}'", whose,
                                       printable(record.verdict), printable(record.line)));
}

void check_verdicts(const RunRecord& run) {
  const auto fails = [&](const std::string& what) {
    throw std::runtime_error(fmt::format("the verdict of the run is {} (exit {}), but {}",
                                         printable(run.verdict), run.exit_code, what));
  };
  for (const SubjectRecord& subject : run.subjects) {
    check_counts(subject);
    check_verdict(subject);
    const bool is_no_better = subject.exit_code == 0 || subject.exit_code == run.exit_code;
    if (!is_positive(run.exit_code) || is_no_better) continue;
    fails(fmt::format("that on '{}' is {} (exit {})", printable(subject.subject),
                      printable(subject.verdict), subject.exit_code));
  }
  if (!belong_together(run.exit_code, run.verdict)) fails("no such verdict has this exit code");
  if (is_positive(run.exit_code) && run.subjects.empty()) fails("it has no subject");
  for (const SubjectRecord& subject : run.subjects) {
    check_line(subject, fmt::format("on '{}'", printable(subject.subject)));
  }
  check_line(run, "of the run");
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
