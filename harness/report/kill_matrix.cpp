// The kill matrix as JSON.
#include "harness/report/kill_matrix.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/protocol/json_guard.hpp"

namespace assay::report {

using Json = nlohmann::ordered_json;

std::string to_json(const KillMatrix& matrix) {
  Json faults = Json::array();
  for (const FaultRow& row : matrix.faults) {
    faults.push_back({{"fault", row.fault},
                      {"clauses", row.clauses},
                      {"ran", row.ran},
                      {"survived", row.survived()},
                      {"killed_by", row.killed_by},
                      {"lost", row.lost},
                      {"seconds", row.seconds}});
  }
  const Json json = {
      {"schema", "assay.kills/1"}, {"whole", matrix.whole}, {"faults", std::move(faults)}};
  return json.dump(1) + "\n";
}

KillMatrix kill_matrix_from_json(std::string_view text) {
  guard_json(text);
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != "assay.kills/1") throw std::runtime_error("its schema is another one");
    KillMatrix matrix;
    matrix.whole = json.at("whole");
    for (const Json& row : json.at("faults")) {
      matrix.faults.push_back({row.at("fault"), row.at("clauses"), row.at("ran"),
                               row.at("killed_by"), row.at("seconds"), row.value("lost", "")});
    }
    return matrix;
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace assay::report
