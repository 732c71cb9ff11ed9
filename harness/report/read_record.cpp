// A run record read back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/report/record.hpp"
#include "harness/report/run_schema.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

Environment environment_from(const Json& json) {
  Environment environment;
  environment.host = json.at("host");
  environment.cpu = json.at("cpu");
  environment.cores = json.at("cores");
  environment.kernel = json.at("kernel");
  environment.compiler = json.at("compiler");
  environment.flags = json.at("flags");
  environment.build_type = json.at("build_type");
  environment.revision = json.at("revision");
  environment.dirty = json.at("dirty");
  environment.version = json.at("version");
  environment.driver = json.at("driver");
  return environment;
}

std::string text_of(const Json& message) {
  return message.is_string() ? message.get<std::string>() : message.dump();
}

void read_failure(const Json& json, CaseRecord& test) {
  const Json& failure = json.at("failure");
  test.sentence = failure.at("sentence");
  test.expected = failure.at("expected");
  test.got = failure.at("got");
  test.where = failure.at("where");
  test.last_words = failure.at("last_words");
  test.replay = json.value("replay", "");
  if (!json.contains("program")) return;
  for (const Json& exchange : json.at("program")) {
    test.program.emplace_back(text_of(exchange.at("command")), text_of(exchange.at("reply")));
  }
}

CaseRecord case_from(const Json& json) {
  CaseRecord test;
  test.id = json.at("id");
  test.contract = json.at("contract");
  test.outcome = json.at("outcome");
  test.clauses = json.at("clauses");
  test.seconds = json.at("seconds");
  test.file = json.at("file");
  test.line = json.at("line");
  test.excused = json.value("excused", false);
  test.excuse = json.value("excuse", "");
  if (json.contains("failure")) read_failure(json, test);
  return test;
}

SubjectRecord subject_from(const Json& json) {
  const Json& hello = json.at("hello");
  SubjectRecord subject;
  subject.subject = json.at("subject");
  subject.name = hello.at("name");
  subject.version = hello.at("version");
  subject.devices = hello.at("devices");
  subject.areas = hello.at("areas");
  subject.threads = hello.at("threads");
  subject.contracts = json.at("contracts");
  subject.outcomes = json.at("outcomes");
  subject.planned = json.at("planned");
  subject.not_applicable = json.at("not_applicable");
  subject.clauses_witnessed = json.at("clauses").at("witnessed");
  subject.clauses = json.at("clauses").at("all");
  subject.seconds = json.at("seconds");
  subject.verdict = json.at("verdict");
  subject.exit_code = json.at("exit");
  subject.line = json.at("line");
  subject.waiver_findings = json.at("waiver_findings");
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
  run.environment = environment_from(json.at("environment"));
  run.verdict = json.at("verdict");
  run.exit_code = json.at("exit");
  run.line = json.at("line");
  for (const Json& subject : json.at("subjects")) run.subjects.push_back(subject_from(subject));
  return run;
}

}  // namespace

RunRecord run_from_json(std::string_view text) {
  if (const auto complaints = complaints_about_run(text); !complaints.empty()) {
    throw std::runtime_error(fmt::format("{}", fmt::join(complaints, "\n  ")));
  }
  try {
    return run_from(Json::parse(text));
  } catch (const std::exception& error) {
    // Beyond what a schema can say: a number that no counter holds.
    throw std::runtime_error(error.what());
  }
}

}  // namespace assay::report
