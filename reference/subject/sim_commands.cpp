// Area sim: controls of the simulated machine, and the outcomes of litmus programs.
#include <algorithm>

#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/device/explore.hpp"
#include "reference/runtime/logs.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/runtime/streams/stream.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

Driver& driver(Call& call) { return driver_of(call.runtime()); }

Value list_of(const std::vector<std::string>& texts) {
  assay::List list;
  for (const std::string& text : texts) list.items.emplace_back(text);
  return list;
}

/// Sets the stream's device, so that a default stream refers to it.
template <typename Action>
int on_stream(Call& call, Action action) {
  const Stream stream = *call.held<Stream>("stream", "stream");
  const DeviceGuard guard(call.runtime(), call.runtime().resolve(stream.device).index);
  return action(handle_of(call.runtime(), stream));
}

/// One item of `plan`.
class Planned {
 public:
  explicit Planned(const Value& item) : dict_(item.get_if<Dict>()) {
    if (dict_ == nullptr) throw InvalidArgument("sim.faults: 'plan' is a list of dicts");
    for (const auto& [key, value] : dict_->items) check_key(key);
  }

  template <typename T>
  std::optional<T> find(std::string_view name) const {
    const Value* value = at(name);
    if (value == nullptr) return std::nullopt;
    if (const T* found = value->get_if<T>()) return *found;
    throw InvalidArgument("sim.faults: '" + std::string(name) + "' is of another kind");
  }
  template <typename T>
  T need(std::string_view name) const {
    const std::optional<T> found = find<T>(name);
    if (!found) throw InvalidArgument("sim.faults: '" + std::string(name) + "' is missing");
    return *found;
  }

 private:
  const Value* at(std::string_view name) const {
    for (const auto& [key, value] : dict_->items) {
      if (*key.get_if<std::string>() == name) return &value;
    }
    return nullptr;
  }

  static void check_key(const Value& key) {
    for (const char* known :
         {"call", "occurrence", "after", "code", "sticky", "thread", "clears"}) {
      const auto* text = key.get_if<std::string>();
      if (text != nullptr && *text == known) return;
    }
    throw NotSupported("a planned fault has a key that is not known here");
  }

  const Dict* dict_;
};

PlannedFault fault_of(const Value& item) {
  const Planned planned(item);
  PlannedFault fault;
  fault.call = planned.need<std::string>("call");
  fault.code = static_cast<Code>(planned.need<std::int64_t>("code"));
  fault.occurrence = static_cast<int>(planned.find<std::int64_t>("occurrence").value_or(1));
  fault.has_effect = planned.find<bool>("after").value_or(false);
  fault.sticky = planned.find<bool>("sticky").value_or(false);
  fault.thread = planned.find<std::string>("thread");
  fault.clears_register = planned.find<bool>("clears").value_or(false);
  return fault;
}

}  // namespace

void sim_machine(Call& call) {
  Arguments& with = call.arguments();
  MachineShape shape;
  const std::int64_t devices = with.integer("devices", shape.devices);
  if (devices < 0 || devices > Runtime::kCudaDevices) {
    throw NotSupported("a machine of " + std::to_string(devices) + " devices");
  }
  shape.devices = static_cast<int>(devices);
  shape.priorities.least = with.int32("least", shape.priorities.least);
  shape.priorities.greatest = with.int32("greatest", shape.priorities.greatest);
  const auto memory_bytes = static_cast<std::int64_t>(shape.memory_bytes);
  shape.memory_bytes = static_cast<std::uint64_t>(with.integer("memory", memory_bytes));
  shape.peers = std::max(1, with.int32("peers", shape.peers));
  shape.blocks_launches = with.boolean("blocking", false);
  shape.has_driver = with.boolean("driver", call.contract().cuda());
  driver(call).shape_machine(shape);
}

void sim_schedule(Call& call) {
  const std::string mode = call.arguments().text("mode");
  Schedule schedule;
  schedule.seed = static_cast<std::uint64_t>(call.arguments().integer("seed", 0));
  if (mode == "eager") {
    schedule.kind = ScheduleKind::kEager;
  } else if (mode == "lazy") {
    schedule.kind = ScheduleKind::kLazy;
  } else if (mode == "manual") {
    schedule.kind = ScheduleKind::kManual;
  } else if (mode == "random") {
    schedule.kind = ScheduleKind::kRandom;
  } else {
    throw InvalidArgument("sim.schedule: there is no mode '" + mode + "'");
  }
  driver(call).set_schedule(schedule);
}

void sim_step(Call& call) {
  const auto times = call.arguments().int32("times", 1);
  call.result(
      on_stream(call, [&](StreamHandle stream) { return driver(call).step(stream, times); }));
}

void sim_run(Call& call) { driver(call).run_all(); }

void sim_pending(Call& call) {
  if (!call.has("stream")) return call.result(driver(call).pending(std::nullopt));
  call.result(on_stream(call, [&](StreamHandle stream) { return driver(call).pending(stream); }));
}

void sim_now(Call& call) { call.result(driver(call).now_ns()); }
void sim_advance(Call& call) { driver(call).advance_ns(call.arguments().integer("ns")); }

void sim_log(Call& call) {
  const std::string level = call.arguments().text("level", "driver");
  if (level == "driver") return call.result(list_of(driver(call).take_log()));
  if (level == "backend") return call.result(list_of(take_backend_log(call.runtime())));
  if (level == "trace") return call.result(list_of(take_trace_log(call.runtime())));
  throw InvalidArgument("sim.log: there is no level '" + level + "'");
}

void sim_faults(Call& call) {
  FaultPlan plan;
  for (const Value& item : call.arguments().items("plan")) plan.push_back(fault_of(item));
  driver(call).set_fault_plan(std::move(plan));
}

void sim_live(Call& call) {
  const Driver::Live live = driver(call).live();
  call.set("streams", live.streams);
  call.set("events", live.events);
  call.set("device_blocks", live.device_blocks);
  call.set("host_blocks", live.host_blocks);
}

void sim_contexts(Call& call) {
  assay::List list;
  for (int device = 0; device < Runtime::kCudaDevices; ++device) {
    if (driver(call).has_context(device)) list.items.emplace_back(device);
  }
  call.result(std::move(list));
}

void sim_counter(Call& call) {
  const Device device = call.runtime().resolve(call.device("device"));
  const auto level = call.arguments().int32("level");
  const auto value = static_cast<std::uint32_t>(call.arguments().integer("value"));
  set_pool_counter(call.runtime(), device.index, level, value);
}

// Litmus programs.

namespace {

Exploration explored(const std::string& text) {
  try {
    return explore(read_litmus_program(text));
  } catch (const BadLitmusProgram& bad) {
    throw InvalidArgument(std::string("sim.permitted: ") + bad.what());
  }
}

}  // namespace

void sim_permitted(Call& call) {
  const Exploration found = explored(call.arguments().text("program"));
  assay::List outcomes;
  for (const LitmusOutcome& outcome : found.outcomes) {
    assay::List values;
    for (const std::int64_t value : outcome) values.items.emplace_back(value);
    outcomes.items.emplace_back(std::move(values));
  }
  call.set("outcomes", std::move(outcomes));
  call.set("hangs", found.hangs);
  call.set("states", static_cast<std::int64_t>(found.states));
}

}  // namespace assay::reference
