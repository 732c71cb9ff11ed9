// Reads and writes litmus records as JSON.
#include "harness/report/litmus_record.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/protocol/tree/json_tree.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {

namespace {

LitmusSeen seen_from(const JsonTree& json) {
  LitmusSeen seen;
  const JsonMembers read(json);
  read("outcome", seen.outcome);
  read("permitted", seen.permitted);
  read("times", seen.times);
  if (seen.times < 0) throw std::runtime_error("an outcome has a negative count");
  return seen;
}

LitmusEntry entry_from(const JsonTree& json) {
  LitmusEntry entry;
  const JsonMembers read(json);
  read("id", entry.id);
  read("name", entry.name);
  read("program", entry.program);
  read("observations", entry.observations);
  read("listed", entry.listed);
  read("hangs", entry.hangs);
  read("runs", entry.runs);
  read("lacking", entry.lacking);
  read("broken", entry.broken);
  for (const JsonTree& seen : list_in(json, "seen")) entry.seen.push_back(seen_from(seen));
  for (const LitmusSeen& seen : entry.seen) {
    if (seen.outcome.size() != entry.observations.size())
      throw std::runtime_error("an outcome of " + entry.id +
                               " does not have one value for each observation");
  }
  return entry;
}

LitmusRecord record_from(const JsonTree& json) {
  require_schema(json, "assay.litmus/1");
  LitmusRecord record;
  const JsonMembers read(json);
  read("subject", record.subject);
  read("contract", record.contract);
  read("schedule", record.schedule);
  read("exit", record.exit);
  read("line", record.line);
  for (const JsonTree& entry : list_in(json, "programs"))
    record.entries.push_back(entry_from(entry));
  return record;
}

}  // namespace

bool LitmusEntry::failed() const {
  return !broken.empty() || std::ranges::any_of(seen, &LitmusSeen::forbidden);
}

std::string to_json(const LitmusRecord& record) {
  JsonTree programs = JsonTree::array();
  for (const LitmusEntry& entry : record.entries) {
    JsonTree seen = JsonTree::array();
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
  const JsonTree json = {{"schema", "assay.litmus/1"},
                         {"subject", record.subject},
                         {"contract", record.contract},
                         {"schedule", record.schedule},
                         {"programs", std::move(programs)},
                         {"exit", record.exit},
                         {"line", record.line}};
  return data_without_ci_commands(json.dump(1, ' ', false, JsonTree::error_handler_t::replace) +
                                  "\n");
}

LitmusRecord litmus_from_json(std::string_view text) { return record_from(tree_from_json(text)); }

}  // namespace assay::report
