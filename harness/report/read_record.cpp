// A run record read back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/protocol/json_guard.hpp"
#include "harness/report/fields.hpp"
#include "harness/report/result_schema.hpp"
#include "harness/report/thin_record.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

/// Fills a member from the one of the same name; throws Json::exception where it does not fit.
auto from(const Json& json) {
  return [&json](const char* name, auto& member) { json.at(name).get_to(member); };
}

Environment environment_from(const Json& json) {
  Environment environment;
  for_each_of_environment(environment, from(json));
  return environment;
}

std::string text_of(const Json& message) {
  return message.is_string() ? message.get<std::string>() : message.dump();
}

void read_failure(const Json& json, CaseRecord& test) {
  for_each_of_failure(test, from(json.at("failure")));
  test.replay = json.value("replay", "");
  if (!json.contains("program")) return;
  for (const Json& exchange : json.at("program")) {
    test.program.emplace_back(text_of(exchange.at("command")), text_of(exchange.at("reply")));
  }
}

CaseRecord case_from(const Json& json) {
  CaseRecord test;
  for_each_of_case(test, from(json));
  test.excused = json.value("excused", false);
  test.required = json.value("required", true);
  test.lacks = json.value("lacks", "");
  test.excuse = json.value("excuse", "");
  if (json.contains("failure")) read_failure(json, test);
  return test;
}

/// Not in the first records of this version.
void read_gaps(const Json& json, SubjectRecord& subject) {
  const auto texts = [](const Json& from, const char* name) {
    return from.value(name, std::vector<std::string>());
  };
  const Json areas = json.value("areas", Json::object());
  subject.without = texts(json.at("hello"), "without");
  subject.in_full = texts(areas, "in_full");
  subject.in_part = texts(areas, "in_part");
  subject.support_findings = texts(json, "support_findings");
  subject.remarks = texts(json, "remarks");
  const Json lost = json.value("lost", Json::object());
  subject.lost = lost.value("why", "");
  subject.last_words = lost.value("last_words", "");
  for (const Json& each : json.value("unanswered", Json::array())) {
    subject.unanswered.emplace_back(each.at("command"), each.at("cases"));
  }
}

SubjectRecord subject_from(const Json& json) {
  SubjectRecord subject;
  subject.subject = json.at("subject");
  for_each_of_hello(subject, from(json.at("hello")));
  for_each_of_subject(subject, from(json));
  read_gaps(json, subject);
  subject.clauses_witnessed = json.at("clauses").at("witnessed");
  subject.clauses = json.at("clauses").at("all");
  for (const Json& test : json.at("cases")) subject.cases.push_back(case_from(test));
  return subject;
}

RunRecord run_from(const Json& json) {
  RunRecord run;
  run.argv = json.at("argv");
  run.started = json.at("started");
  const Json& seed = json.at("seed");
  run.seed = seed.is_string() ? std::stoull(seed.get<std::string>()) : seed.get<std::uint64_t>();
  run.shuffled = json.at("shuffled");
  run.shard = json.value("shard", "");
  run.environment = environment_from(json.at("environment"));
  run.verdict = json.at("verdict");
  run.exit_code = json.at("exit");
  run.line = json.at("line");
  for (const Json& subject : json.at("subjects")) run.subjects.push_back(subject_from(subject));
  return run;
}

RunRecord whole_run_from(std::string_view text) {
  if (const auto complaints = complaints_about("run-1.json", text); !complaints.empty()) {
    throw std::runtime_error(fmt::format("{}", fmt::join(complaints, "\n  ")));
  }
  try {
    return run_from(Json::parse(text));
  } catch (const std::exception& error) {
    // Beyond what a schema can say: a number that no counter holds.
    throw std::runtime_error(error.what());
  }
}

}  // namespace

RunRecord run_from_json(std::string_view text) {
  guard_json(text);
  std::optional<ThinRecord> thin = without_plain_cases(text);
  if (!thin) return whole_run_from(text);
  try {
    RunRecord run = whole_run_from(thin->rest);
    for (std::size_t i = 0; i < run.subjects.size(); ++i)
      put_back(std::move(thin->taken.at(i)), run.subjects[i].cases);
    return run;
  } catch (const std::runtime_error&) {
    // Once more, for the places in the whole text.
    return whole_run_from(text);
  }
}

}  // namespace assay::report
