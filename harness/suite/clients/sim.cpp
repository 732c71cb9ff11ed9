// Implements what the client of a simulated machine adds to the generated calls.
#include "harness/suite/clients/sim.hpp"

namespace assay {
namespace {

Dict dict_of(const PlannedFailure& failure) {
  Fields fields{{"call", failure.call}, {"code", failure.code}};
  put(fields, "occurrence", failure.occurrence);
  put(fields, "after", failure.after);
  put(fields, "sticky", failure.sticky);
  put(fields, "thread", failure.thread);
  put(fields, "clears", failure.clears);
  return {{fields.begin(), fields.end()}};
}

}  // namespace

SimClient Session::sim() { return SimClient(*this); }

std::vector<std::string> SimClient::log(const std::string& level) const {
  return read_field<std::vector<std::string>>("sim.log", {{"level", level}});
}

void SimClient::faults(const std::vector<PlannedFailure>& plan) const {
  List list;
  for (const PlannedFailure& failure : plan) list.items.emplace_back(dict_of(failure));
  session().send("sim.faults", {{"plan", std::move(list)}});
}

PermittedOutcomes SimClient::permitted(const std::string& program) const {
  const Reply reply = session().send("sim.permitted", {{"program", program}});
  if (session().recording()) return {};
  return {.outcomes = field_to<std::vector<std::vector<Value>>>(reply, "outcomes"),
          .hangs = field_to<bool>(reply, "hangs"),
          .states = field_to<std::int64_t>(reply, "states")};
}

}  // namespace assay
