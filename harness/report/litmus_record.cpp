// Litmus records as JSON.
#include "harness/report/litmus_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::report {

using Json = nlohmann::ordered_json;

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

}  // namespace assay::report
