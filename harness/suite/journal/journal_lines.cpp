// Results as JSON lines, and back.
#include "harness/suite/journal/journal_lines.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json json_of(const Failure& failure) {
  return {{"sentence", failure.sentence},
          {"expected", failure.expected},
          {"got", failure.got},
          {"where", failure.where},
          {"last_words", failure.last_words}};
}

/// A subject's last words may be broken UTF-8.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Failure failure_from(const Json& json) {
  return {json.at("sentence"), json.at("expected"), json.at("got"), json.at("where"),
          json.at("last_words")};
}

Outcome outcome_from(const std::string& name) {
  const auto outcome = outcome_named(name);
  if (!outcome) throw MalformedMessage("'" + name + "' is not an outcome");
  return *outcome;
}

Contract contract_from(const std::string& text) {
  const auto contract = contract_from_text(text);
  if (!contract) throw MalformedMessage("'" + text + "' is not a contract");
  return *contract;
}

JournalEntry entry_from(const Json& json, std::size_t number) {
  JournalEntry entry;
  entry.case_id = json.at("case");
  entry.line = number;
  CaseResult& result = entry.result;
  result.contract = contract_from(json.at("contract"));
  result.outcome = outcome_from(json.at("outcome"));
  result.duration = std::chrono::nanoseconds(json.at("ns").get<std::int64_t>());
  result.excused = json.at("excused");
  result.required = json.at("required");
  result.lacks = json.at("lacks");
  result.excuse = json.at("excuse");
  if (json.contains("failure")) result.failure = failure_from(json.at("failure"));
  if (result.outcome != Outcome::kPass && !result.failure) {
    throw MalformedMessage("the case did not pass, and 'failure' is missing");
  }
  for (const Json& pair : json.at("exchanges")) {
    result.history.push_back(
        {command_from_json(pair.at(0).dump()), reply_from_json(pair.at(1).dump())});
  }
  return entry;
}

JournalPart part_from(const Json& json) {
  if (json.at("journal") != kVersion) {
    throw MalformedMessage(fmt::format("expected version {} of the journal", kVersion));
  }
  JournalPart part;
  for (const auto& [name, value] : json.at("run").items()) part.key.emplace_back(name, value);
  return part;
}

constexpr std::string_view kBeforeChecksum = R"(,"crc":")";
constexpr std::string_view kAfterChecksum = R"("})";

/// Of the text that is before it.
std::string checksum(std::string_view text) {
  const auto* bytes = reinterpret_cast<const Bytef*>(text.data());
  return fmt::format("{:08x}", ::crc32_z(0, bytes, text.size()));
}

/// `object` with the checksum as its last member.
std::string sealed(std::string object) {
  object.pop_back();
  const std::string sum = checksum(object);
  return object.append(kBeforeChecksum).append(sum).append(kAfterChecksum) + "\n";
}

}  // namespace

bool is_whole(std::string_view line) {
  constexpr std::size_t kDigits = 8;
  constexpr std::size_t kTail = kBeforeChecksum.size() + kDigits + kAfterChecksum.size();
  if (line.size() < kTail) return false;
  const std::string_view object = line.substr(0, line.size() - kTail);
  std::string tail = std::string(kBeforeChecksum) + checksum(object);
  return line.substr(object.size()) == tail.append(kAfterChecksum);
}

std::string head_line(std::size_t part, const RunKey& key) {
  Json run = Json::object();
  for (const auto& [name, value] : key) run[name] = value;
  return sealed(text_of({{"journal", kVersion}, {"part", part}, {"run", std::move(run)}}));
}

std::string end_line() { return sealed(R"({"end":true})"); }

bool is_end(std::string_view line) { return line.starts_with(R"({"end":true,)"); }

std::string case_line(std::size_t part, const CaseResult& result) {
  Json head = {{"part", part},
               {"case", result.test->id},
               {"contract", to_text(result.contract)},
               {"outcome", name_of(result.outcome)},
               {"ns", result.duration.count()},
               {"excused", result.excused},
               {"required", result.required},
               {"lacks", result.lacks},
               {"excuse", result.excuse}};
  if (result.failure) head["failure"] = json_of(*result.failure);
  // The messages are put in as they were written: parsing them here would only cost time.
  std::string line = text_of(head);
  line.back() = ',';
  line += "\"exchanges\":[";
  for (const Exchange& exchange : result.history) {
    if (line.back() != '[') line += ',';
    line += "[" + to_json(exchange.command) + "," + to_json(exchange.reply) + "]";
  }
  return sealed(line + "]}");
}

void read_line(std::string_view line, std::size_t number, JournalParts& parts) {
  guard_json(line);
  if (is_end(line)) return;
  const Json json = Json::parse(line);
  const std::size_t part = json.at("part");
  if (json.contains("journal")) {
    if (parts.contains(part)) throw MalformedMessage("this part has begun before");
    parts[part] = part_from(json);
    return;
  }
  if (!parts.contains(part)) throw MalformedMessage("its part has not begun");
  parts[part].entries.push_back(entry_from(json, number));
}

}  // namespace assay
