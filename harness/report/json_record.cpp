// The record of a run as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/report/record.hpp"
#include "harness/report/run_schema.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Environment& environment) {
  return {{"host", environment.host},
          {"cpu", environment.cpu},
          {"cores", environment.cores},
          {"kernel", environment.kernel},
          {"compiler", environment.compiler},
          {"flags", environment.flags},
          {"build_type", environment.build_type},
          {"revision", environment.revision},
          {"dirty", environment.dirty},
          {"version", environment.version},
          {"driver", environment.driver}};
}

/// A message as an object; as the text itself where it is none.
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json(text);
}

/// Readers that keep numbers as doubles would change a larger one.
Json exact(std::uint64_t number) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  return number <= kMost ? Json(number) : Json(std::to_string(number));
}

Json json_of(const CaseRecord& test) {
  Json json = {{"id", test.id},           {"contract", test.contract}, {"outcome", test.outcome},
               {"clauses", test.clauses}, {"seconds", test.seconds},   {"file", test.file},
               {"line", test.line}};
  if (test.outcome == "unsupported") json["excused"] = test.excused;
  if (!test.excuse.empty()) json["excuse"] = test.excuse;
  if (test.sentence.empty()) return json;
  json["failure"] = {{"sentence", test.sentence},
                     {"expected", test.expected},
                     {"got", test.got},
                     {"where", test.where},
                     {"last_words", test.last_words}};
  json["replay"] = test.replay;
  Json program = Json::array();
  for (const auto& [command, reply] : test.program) {
    program.push_back({{"command", parsed(command)}, {"reply", parsed(reply)}});
  }
  json["program"] = std::move(program);
  return json;
}

Json json_of(const SubjectRecord& subject) {
  Json cases = Json::array();
  for (const CaseRecord& test : subject.cases) cases.push_back(json_of(test));
  return {{"subject", subject.subject},
          {"hello",
           {{"name", subject.name},
            {"version", subject.version},
            {"devices", subject.devices},
            {"areas", subject.areas},
            {"threads", subject.threads}}},
          {"contracts", subject.contracts},
          {"outcomes", subject.outcomes},
          {"planned", subject.planned},
          {"not_applicable", subject.not_applicable},
          {"clauses", {{"witnessed", subject.clauses_witnessed}, {"all", subject.clauses}}},
          {"seconds", subject.seconds},
          {"verdict", subject.verdict},
          {"exit", subject.exit_code},
          {"line", subject.line},
          {"waiver_findings", subject.waiver_findings},
          {"cases", std::move(cases)}};
}

}  // namespace

std::string to_json(const RunRecord& run) {
  Json subjects = Json::array();
  for (const SubjectRecord& subject : run.subjects) subjects.push_back(json_of(subject));
  const Json json = {{"schema", "assay.run/1"},  {"argv", run.argv},
                     {"started", run.started},   {"seed", exact(run.seed)},
                     {"shuffled", run.shuffled}, {"environment", json_of(run.environment)},
                     {"verdict", run.verdict},   {"exit", run.exit_code},
                     {"line", run.line},         {"subjects", std::move(subjects)}};
  // A subject's words may be broken UTF-8; the file is valid all the same.
  std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (const auto complaints = complaints_about_run(text); !complaints.empty()) {
    throw std::logic_error(
        fmt::format("the record of the run breaks its schema: {}", fmt::join(complaints, "; ")));
  }
  return text;
}

}  // namespace assay::report
