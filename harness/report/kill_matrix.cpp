// Reads and writes the kill matrix as JSON.
#include "harness/report/kill_matrix.hpp"

#include "harness/protocol/tree/json_tree.hpp"

namespace assay::report {

namespace {

FaultRow row_from(const JsonTree& json) {
  FaultRow row;
  const JsonMembers read(json);
  read("fault", row.fault);
  read("clauses", row.clauses);
  read("ran", row.ran);
  read("killed_by", row.killed_by);
  read.if_there("symptoms", row.symptoms);
  read("seconds", row.seconds);
  read.if_there("lost", row.lost);
  return row;
}

}  // namespace

std::string to_json(const KillMatrix& matrix) {
  JsonTree faults = JsonTree::array();
  for (const FaultRow& row : matrix.faults) {
    faults.push_back({{"fault", row.fault},
                      {"clauses", row.clauses},
                      {"ran", row.ran},
                      {"survived", row.survived()},
                      {"killed_by", row.killed_by},
                      {"symptoms", row.symptoms},
                      {"lost", row.lost},
                      {"seconds", row.seconds}});
  }
  const JsonTree json = {
      {"schema", "assay.kills/1"}, {"whole", matrix.whole}, {"faults", std::move(faults)}};
  return json.dump(1) + "\n";
}

KillMatrix kill_matrix_from_json(std::string_view text) {
  const JsonTree json = tree_from_json(text);
  require_schema(json, "assay.kills/1");
  KillMatrix matrix;
  const JsonMembers read(json);
  read("whole", matrix.whole);
  for (const JsonTree& row : list_in(json, "faults")) matrix.faults.push_back(row_from(row));
  return matrix;
}

}  // namespace assay::report
