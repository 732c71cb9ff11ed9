// Writes the record of a run as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "harness/report/bench/fields.hpp"
#include "harness/report/fields.hpp"
#include "harness/report/result_schema.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

/// Returns a function that adds members to `json`.
auto into(Json& json) {
  return [&json](const char* name, const auto& member) { json[name] = member; };
}

/// What is unknown is left out.
Json json_of(const BenchDevice& device) {
  Json json = {{"name", device.name}};
  for_each_member(device, [&]<typename T>(const char* name, const T& member) {
    if constexpr (!std::is_same_v<T, std::string>) {
      if (member) json[name] = *member;
    }
  });
  return json;
}

Json json_of(const Environment& environment) {
  Json json;
  for_each_of_environment(environment, into(json));
  for (const BenchDevice& device : environment.devices) {
    json["devices"].push_back(json_of(device));
  }
  return json;
}

/// A message as an object, or as a string if it is not valid JSON.
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json(text);
}

/// Readers that use doubles would change a larger number.
Json exact(std::uint64_t number) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  return number <= kMost ? Json(number) : Json(std::to_string(number));
}

Json json_of(const CaseRecord& test) {
  Json json;
  for_each_of_case(test, into(json));
  if (!test.was.empty()) json["was"] = test.was;
  if (test.outcome == "unsupported" || test.was == "unsupported") {
    json["excused"] = test.excused;
    json["required"] = test.required;
    json["lacks"] = test.lacks;
  }
  if (!test.excuse.empty()) json["excuse"] = test.excuse;
  if (!test.changes.empty()) json["changes"] = test.changes;
  if (!test.reach.empty()) json["reach"] = test.reach;
  if (!test.mistake.empty()) json["mistake"] = test.mistake;
  if (test.sentence.empty()) return json;
  for_each_of_failure(test, into(json["failure"]));
  json["replay"] = test.replay;
  Json program = Json::array();
  for (const auto& [command, reply] : test.program) {
    program.push_back({{"command", parsed(command)}, {"reply", parsed(reply)}});
  }
  json["program"] = std::move(program);
  if (!test.shortest.empty()) json["shortest"] = test.shortest;
  return json;
}

Json json_of(const Basis& basis) {
  Json json;
  for_each_of_basis(basis, into(json));
  if (basis.profile) for_each_of_profile(*basis.profile, into(json["profile"]));
  json["waivers"] = Json::array();
  for (const WaiverRecord& waiver : basis.waivers) {
    for_each_of_waiver(waiver, into(json["waivers"].emplace_back()));
  }
  json["support"] = Json::array();
  for (const SupportRecord& entry : basis.support) {
    for_each_of_support(entry, into(json["support"].emplace_back()));
  }
  return json;
}

Json json_of(const ShardRecord& shard) {
  return {{"shard", shard.shard},
          {"argv", shard.argv},
          {"started", shard.started},
          {"environment", json_of(shard.environment)}};
}

Json json_of(const SubjectRecord& subject) {
  Json json = {{"subject", subject.subject}};
  for_each_of_hello(subject, into(json["hello"]));
  if (!subject.without.empty()) json["hello"]["without"] = subject.without;
  if (subject.foreign) json["hello"]["foreign"] = true;
  if (!subject.properties.empty()) json["hello"]["properties"] = subject.properties;
  for_each_of_subject(subject, into(json));
  json["clauses"] = {{"witnessed", subject.clauses_witnessed}, {"all", subject.clauses}};
  json["areas"] = {{"in_full", subject.in_full}, {"in_part", subject.in_part}};
  json["unanswered"] = Json::array();
  for (const auto& [command, count] : subject.unanswered) {
    json["unanswered"].push_back({{"command", command}, {"cases", count}});
  }
  json["causes"] = Json::array();
  for (const CauseRecord& cause : subject.causes) {
    for_each_of_cause(cause, into(json["causes"].emplace_back()));
  }
  json["support_findings"] = subject.support_findings;
  if (!subject.lost.empty()) {
    json["lost"] = {{"why", subject.lost}, {"last_words", subject.last_words}};
  }
  if (!subject.remarks.empty()) json["remarks"] = subject.remarks;
  if (subject.basis) json["basis"] = json_of(*subject.basis);
  Json cases = Json::array();
  for (const CaseRecord& test : subject.cases) cases.push_back(json_of(test));
  json["cases"] = std::move(cases);
  return json;
}

}  // namespace

std::string to_json(const RunRecord& run) {
  Json subjects = Json::array();
  for (const SubjectRecord& subject : run.subjects) subjects.push_back(json_of(subject));
  Json json = {{"schema", "assay.run/1"},  {"argv", run.argv},
               {"started", run.started},   {"seed", exact(run.seed)},
               {"shuffled", run.shuffled}, {"environment", json_of(run.environment)},
               {"verdict", run.verdict},   {"exit", run.exit_code},
               {"line", run.line},         {"subjects", std::move(subjects)}};
  if (!run.shard.empty()) json["shard"] = run.shard;
  if (!run.shard_from.empty()) json["shard_from"] = run.shard_from;
  for (const PartRecord& part : run.parts) {
    for_each_of_part(part, into(json["parts"].emplace_back()));
  }
  for (const ShardRecord& shard : run.shards) json["shards"].push_back(json_of(shard));
  // A subject's texts may contain invalid UTF-8; the file is valid nevertheless.
  const std::string text =
      data_without_ci_commands(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  if (const auto complaints = complaints_about("run-1.json", text); !complaints.empty()) {
    throw std::logic_error(
        fmt::format("the record of the run breaks its schema: {}", fmt::join(complaints, "; ")));
  }
  return text;
}

}  // namespace assay::report
