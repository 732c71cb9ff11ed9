// Implements the client for controls of the simulated machine.
#include "harness/suite/clients/sim.hpp"

#include "harness/suite/clients/dispatch_fields.hpp"

namespace assay {
namespace {

void put(Dict& dict, const char* name, Value value) {
  dict.items.emplace_back(Value(name), std::move(value));
}

template <typename T>
void put_if(Dict& dict, const char* name, const std::optional<T>& value) {
  if (value) put(dict, name, *value);
}

Dict dict_of(const PlannedFailure& failure) {
  Dict dict;
  put(dict, "call", failure.call);
  put(dict, "code", failure.code);
  put_if(dict, "occurrence", failure.occurrence);
  put_if(dict, "after", failure.after);
  put_if(dict, "sticky", failure.sticky);
  put_if(dict, "thread", failure.thread);
  put_if(dict, "clears", failure.clears);
  return dict;
}

}  // namespace

SimClient Session::sim() { return SimClient(*this); }

void SimClient::machine(const MachineOptions& options) const {
  Fields with;
  set_if(with, "devices", options.devices);
  set_if(with, "least", options.least);
  set_if(with, "greatest", options.greatest);
  set_if(with, "memory", options.memory);
  set_if(with, "driver", options.driver);
  session_->send("sim.machine", std::move(with));
}

void SimClient::schedule(const std::string& mode, std::optional<std::int64_t> seed) const {
  Fields with{{"mode", mode}};
  set_if(with, "seed", seed);
  session_->send("sim.schedule", std::move(with));
}

std::int64_t SimClient::step(const Value& stream, std::optional<std::int64_t> times) const {
  Fields with{{"stream", stream}};
  set_if(with, "times", times);
  return session_->read<std::int64_t>("sim.step", std::move(with));
}

void SimClient::run() const { session_->send("sim.run"); }

std::int64_t SimClient::pending(const std::optional<Value>& stream) const {
  Fields with;
  set_if(with, "stream", stream);
  return session_->read<std::int64_t>("sim.pending", std::move(with));
}

std::int64_t SimClient::now() const { return session_->read<std::int64_t>("sim.now"); }

void SimClient::advance(std::int64_t ns) const { session_->send("sim.advance", {{"ns", ns}}); }

std::vector<std::string> SimClient::log(const std::string& level) const {
  const Reply reply = session_->send("sim.log", {{"level", level}});
  return session_->recording() ? std::vector<std::string>() : texts_of(field(reply, "result"));
}

void SimClient::faults(const std::vector<PlannedFailure>& plan) const {
  List list;
  for (const PlannedFailure& failure : plan) list.items.emplace_back(dict_of(failure));
  session_->send("sim.faults", {{"plan", std::move(list)}});
}

LiveObjects SimClient::live() const {
  const Reply reply = session_->send("sim.live");
  if (session_->recording()) return {};
  return {.streams = field_as<std::int64_t>(reply, "streams"),
          .events = field_as<std::int64_t>(reply, "events"),
          .device_blocks = field_as<std::int64_t>(reply, "device_blocks"),
          .host_blocks = field_as<std::int64_t>(reply, "host_blocks")};
}

std::vector<std::int64_t> SimClient::contexts() const {
  const Reply reply = session_->send("sim.contexts");
  std::vector<std::int64_t> devices;
  if (session_->recording()) return devices;
  for (const Value& item : items_of(field(reply, "result"))) {
    const auto* number = item.get_if<std::int64_t>();
    if (number == nullptr) throw BadReply("'result' should be a list of ints");
    devices.push_back(*number);
  }
  return devices;
}

void SimClient::counter(const Device& device, std::int64_t level, std::int64_t value) const {
  session_->send("sim.counter", {{"device", device}, {"level", level}, {"value", value}});
}

PermittedOutcomes SimClient::permitted(const std::string& program) const {
  const Reply reply = session_->send("sim.permitted", {{"program", program}});
  if (session_->recording()) return {};
  PermittedOutcomes found{.outcomes = {},
                          .hangs = field_as<bool>(reply, "hangs"),
                          .states = field_as<std::int64_t>(reply, "states")};
  for (const Value& outcome : items_of(field(reply, "outcomes"))) {
    found.outcomes.push_back(items_of(outcome));
  }
  return found;
}

}  // namespace assay
