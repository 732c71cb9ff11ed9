// Litmus records as JSON.
#include "harness/report/litmus_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/protocol/json_guard.hpp"

namespace assay::report {

using Json = nlohmann::ordered_json;

namespace {

LitmusSeen seen_from(const Json& json) {
  LitmusSeen seen{json.at("outcome"), json.at("permitted"), json.at("times")};
  if (seen.times < 0) throw std::runtime_error("an outcome was seen less than never");
  return seen;
}

LitmusEntry entry_from(const Json& json) {
  LitmusEntry entry{
      json.at("id"),      json.at("name"),  json.at("program"), json.at("observations"),
      json.at("listed"),  json.at("hangs"), json.at("runs"),    {},
      json.at("lacking"), json.at("broken")};
  for (const Json& seen : json.at("seen")) entry.seen.push_back(seen_from(seen));
  for (const LitmusSeen& seen : entry.seen) {
    if (seen.outcome.size() != entry.observations.size())
      throw std::runtime_error("an outcome of " + entry.id +
                               " has not a value for each observation");
  }
  return entry;
}

LitmusRecord record_from(const Json& json) {
  if (json.at("schema") != "assay.litmus/1") throw std::runtime_error("its schema is another one");
  LitmusRecord record{json.at("subject"), json.at("contract"), json.at("schedule"), {},
                      json.at("exit"),    json.at("line")};
  for (const Json& entry : json.at("programs")) record.entries.push_back(entry_from(entry));
  return record;
}

}  // namespace

bool LitmusEntry::failed() const {
  return !broken.empty() || std::ranges::any_of(seen, &LitmusSeen::forbidden);
}

std::string to_json(const LitmusRecord& record) {
  Json programs = Json::array();
  for (const LitmusEntry& entry : record.entries) {
    Json seen = Json::array();
    for (const LitmusSeen& row : entry.seen) {
      seen.push_back(
          {{"outcome", row.outcome}, {"permitted", row.permitted}, {"times", row.times}});
    }
    programs.push_back({{"id", entry.id},
                        {"name", entry.name},
                        {"program", entry.program},
                        {"observations", entry.observations},
                        {"listed", entry.listed},
                        {"hangs", entry.hangs},
                        {"runs", entry.runs},
                        {"seen", std::move(seen)},
                        {"lacking", entry.lacking},
                        {"broken", entry.broken}});
  }
  const Json json = {{"schema", "assay.litmus/1"},
                     {"subject", record.subject},
                     {"contract", record.contract},
                     {"schedule", record.schedule},
                     {"programs", std::move(programs)},
                     {"exit", record.exit},
                     {"line", record.line}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

LitmusRecord litmus_from_json(std::string_view text) {
  guard_json(text);
  try {
    return record_from(Json::parse(text));
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace assay::report
