// Converts results to JSON lines and back.
#include "harness/suite/journal/journal_lines.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <map>

#include "harness/protocol/json.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

constexpr int kVersion = 1;

JsonTree json_of(const Failure& failure) {
  return {{"sentence", failure.sentence},
          {"expected", failure.expected},
          {"got", failure.got},
          {"where", failure.where},
          {"last_words", failure.last_words}};
}

/// A subject's last output may contain invalid UTF-8.
std::string text_of(const JsonTree& json) {
  return json.dump(-1, ' ', false, JsonTree::error_handler_t::replace);
}

Failure failure_from(const JsonTree& json) {
  Failure failure;
  const JsonMembers read(json);
  read("sentence", failure.sentence);
  read("expected", failure.expected);
  read("got", failure.got);
  read("where", failure.where);
  read("last_words", failure.last_words);
  return failure;
}

std::string text_in(const JsonTree& json, const char* name) {
  std::string text;
  const JsonMembers read(json);
  read(name, text);
  return text;
}

Outcome outcome_from(const std::string& name) {
  const auto outcome = outcome_named(name);
  // Waivers are applied to what a journal holds, not kept in it.
  if (!outcome || *outcome == Outcome::kWaived)
    throw MalformedMessage("'" + name + "' is not an outcome");
  return *outcome;
}

Contract contract_from(const std::string& text) {
  const auto contract = contract_from_text(text);
  if (!contract) throw MalformedMessage("'" + text + "' is not a contract");
  return *contract;
}

JournalEntry entry_from(const JsonTree& json, std::size_t number) {
  JournalEntry entry;
  const JsonMembers read(json);
  read("case", entry.case_id);
  entry.line = number;
  CaseResult& result = entry.result;
  result.contract = contract_from(text_in(json, "contract"));
  result.outcome = outcome_from(text_in(json, "outcome"));
  std::int64_t duration_ns = 0;
  read("ns", duration_ns);
  if (duration_ns < 0) throw MalformedMessage("'ns' is negative");
  result.duration = std::chrono::nanoseconds(duration_ns);
  read("excused", result.excused);
  read("required", result.required);
  read("lacks", result.lacks);
  read("excuse", result.excuse);
  if (json.contains("changes")) read("changes", result.changes);
  if (json.contains("mistake")) read("mistake", result.mistake);
  if (json.contains("failure")) result.failure = failure_from(json["failure"]);
  if (result.outcome != Outcome::kPass && !result.failure) {
    throw MalformedMessage("the case did not pass, and 'failure' is missing");
  }
  for (const auto& [command, reply] : exchanges_in(json)) {
    result.history.push_back({command_from_json(command), reply_from_json(reply)});
  }
  return entry;
}

JournalPart part_from(const JsonTree& json) {
  if (member_of(json, "journal") != kVersion) {
    throw MalformedMessage(fmt::format("expected version {} of the journal", kVersion));
  }
  JournalPart part;
  std::map<std::string, std::string> key;
  const JsonMembers read(json);
  read("run", key);
  part.key.assign(key.begin(), key.end());
  return part;
}

constexpr std::string_view kBeforeChecksum = R"(,"crc":")";
constexpr std::string_view kAfterChecksum = R"("})";

/// The checksum of the text before it.
std::string checksum(std::string_view text) {
  const auto* bytes = reinterpret_cast<const Bytef*>(text.data());
  return fmt::format("{:08x}", ::crc32_z(0, bytes, text.size()));
}

/// `object` with the checksum appended as its last member.
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
  JsonTree run = JsonTree::object();
  for (const auto& [name, value] : key) run[name] = value;
  return sealed(text_of({{"journal", kVersion}, {"part", part}, {"run", std::move(run)}}));
}

std::string end_line(bool complete) {
  return sealed(complete ? R"({"end":true})" : R"({"end":false})");
}

bool is_end(std::string_view line) { return line.starts_with(R"({"end":)"); }

bool is_complete_end(std::string_view line) { return line.starts_with(R"({"end":true,)"); }

std::string case_line(std::size_t part, const CaseResult& result) {
  JsonTree head = {{"part", part},
                   {"case", result.test->id},
                   {"contract", to_text(result.contract)},
                   {"outcome", name_of(result.outcome)},
                   {"ns", result.duration.count()},
                   {"excused", result.excused},
                   {"required", result.required},
                   {"lacks", result.lacks},
                   {"excuse", result.excuse}};
  if (!result.changes.empty()) head["changes"] = result.changes;
  if (!result.mistake.empty()) head["mistake"] = result.mistake;
  if (result.failure) head["failure"] = json_of(*result.failure);
  // Messages are inserted as text, because parsing them here would only take time.
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
  if (is_end(line)) return;
  const JsonTree json = tree_from_json(line);
  std::size_t part = 0;
  const JsonMembers read(json);
  read("part", part);
  if (json.contains("journal")) {
    if (parts.contains(part)) throw MalformedMessage("this part has already begun");
    parts[part] = part_from(json);
    return;
  }
  if (!parts.contains(part)) throw MalformedMessage("its part has not begun");
  parts[part].entries.push_back(entry_from(json, number));
}

}  // namespace assay
