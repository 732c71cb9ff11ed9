// Submits and runs items, and lets the host wait for them.
#include <algorithm>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {

ItemId Driver::State::submit(Stream& stream, Payload payload, GateId gate) {
  if (captures.has(stream.queue)) {
    const Code code = captures.add(stream.queue, {.work = std::move(payload.work)});
    if (code != Code::kSuccess) throw Refusal{code};
    return 0;
  }
  const ItemId item = add_payload(stream, std::move(payload));
  machine.submit(item, stream.queue, gate);
  return item;
}

void Driver::State::launch(Lock& lock, Stream& stream, Payload payload, GateId gate) {
  const ItemId item = submit(stream, std::move(payload), gate);
  const bool is_captured = item == 0;
  if (!shape.blocks_launches || is_captured) return;
  wait_for(lock, {item});
  now_ns = std::max(now_ns, stream.finished_ns);
}

ItemId Driver::State::add_payload(Stream& stream, Payload payload) {
  payload.queue = stream.queue;
  payload.ready_ns = std::max(payload.ready_ns, now_ns);
  for (const QueueId joined : machine.joined(stream.queue)) {
    payload.ready_ns = std::max(payload.ready_ns, streams.at(joined).finished_ns);
  }
  const ItemId item = next_item++;
  payloads.emplace(item, std::move(payload));
  return item;
}

void Driver::State::record(Stream& stream, const std::shared_ptr<Event>& event) {
  if (captures.has(stream.queue)) {
    const Code code = captures.record(stream.queue, event->id);
    if (code != Code::kSuccess) throw Refusal{code};
    return;
  }
  captures.forget_event(event->id);
  Payload payload;
  payload.work.virtual_ns = 0;
  payload.recorded = event;
  event->version = add_payload(stream, std::move(payload));
  event->finished_ns = 0;
  machine.record(event->version, stream.queue, event->id);
}

void Driver::State::wait(Stream& stream, const Event& event) {
  const bool is_captured =
      captures.has_event(event.id) && captures.verdict_on_event(event.id) == Code::kCapturedEvent;
  if (stream.is_legacy && is_captured) {
    captures.invalidate_event(event.id);
    throw Refusal{Code::kCaptureImplicit};
  }
  const Code code = captures.wait(stream.queue, event.id, event.version != 0);
  if (code != Code::kSuccess) throw Refusal{code};
  if (captures.has(stream.queue)) return;
  Payload payload;
  payload.work.virtual_ns = 0;
  payload.ready_ns = event.finished_ns;
  const ItemId item = add_payload(stream, std::move(payload));
  machine.wait(item, stream.queue, event.id);
}

void Driver::State::add_external(const Stream& stream, CapturedNode node) {
  if (!captures.has(stream.queue)) throw Refusal{Code::kInvalidValue};
  const Code code = captures.add(stream.queue, std::move(node));
  if (code != Code::kSuccess) throw Refusal{code};
}

void Driver::State::go_on(Lock& lock) {
  while (machine.pending_count() != 0 && claim(lock)) {
    const std::optional<ItemId> next = scheduler.after_call(machine);
    if (!next) return;
    run_one(lock, *next);
  }
}

void Driver::State::wait_for(Lock& lock, std::vector<ItemId> awaited) {
  while (!machine.are_complete(awaited)) {
    const std::vector<ItemId> needed = machine.needed(awaited);
    check_failed(needed);
    // Work that waits for the device would deadlock.
    if (!claim(lock)) throw Refusal{Code::kLaunchFailure};
    if (is_closing) throw Refusal{Code::kUnloading};
    if (const std::optional<ItemId> next = scheduler.for_host(machine, awaited)) {
      run_one(lock, *next);
    } else if (!machine.are_complete(awaited)) {
      wait_for_others(lock, machine.needed(awaited));
    }
    if (is_closing) throw Refusal{Code::kUnloading};
  }
}

/// FLT-010: the successors of a failed kernel never complete.
void Driver::State::check_failed(const std::vector<ItemId>& needed) const {
  for (const ItemId item : needed) {
    const auto found = failed.find(item);
    if (found != failed.end()) throw Refusal{found->second};
  }
}

/// All needed items are blocked by closed gates: waits until these are opened or expire.
void Driver::State::wait_for_others(Lock& lock, const std::vector<ItemId>& needed) {
  const auto deadline = arm_gates(needed);
  // Without a gate this would be a deadlock, which only a bug in the machine could cause.
  if (!deadline) throw Refusal{Code::kLaunchTimeout};
  changed.wait_until(lock, *deadline);
  expire_gates();
}

void Driver::State::answer_query(Lock& lock, bool is_ready, const std::vector<ItemId>& awaited) {
  if (is_ready) return;
  if (claim(lock)) {
    if (const auto next = scheduler.after_query(machine, awaited)) run_one(lock, *next);
  }
  throw Refusal{Code::kNotReady};
}

std::optional<Driver::State::SteadyClock::time_point> Driver::State::arm_gates(
    const std::vector<ItemId>& needed) {
  std::optional<SteadyClock::time_point> first;
  for (const ItemId item : needed) {
    const auto found = gates.find(machine.gate_of(item));
    if (found == gates.end()) continue;
    Gate& gate = found->second;
    if (!gate.deadline) gate.deadline = SteadyClock::now() + gate.timeout;
    if (!first || *gate.deadline < *first) first = gate.deadline;
  }
  return first;
}

void Driver::State::expire_gates() {
  for (auto& [id, gate] : gates) {
    const bool is_over = gate.deadline && *gate.deadline <= SteadyClock::now();
    if (is_over && gate.state == GateState::kClosed) open_gate(id, GateState::kExpired);
  }
}

void Driver::State::open_gate(GateId id, GateState state) {
  Gate& gate = gates.at(id);
  if (gate.state != GateState::kClosed) return;
  gate.state = state;
  for (auto& [item, payload] : payloads) {
    if (machine.gate_of(item) == id) payload.ready_ns = std::max(payload.ready_ns, now_ns);
  }
  machine.open(id);
  changed.notify_all();
}

bool Driver::State::claim(Lock& lock) {
  if (runner == std::this_thread::get_id()) return false;
  changed.wait(lock, [&] { return !runner.has_value(); });
  return true;
}

void Driver::State::run_one(Lock& lock, ItemId item) {
  const auto found = payloads.find(item);
  Payload payload = std::move(found->second);
  payloads.erase(found);
  Code code = payload.work.fails;
  if (payload.work.run) {
    runner = std::this_thread::get_id();
    lock.unlock();
    try {
      payload.work.run();
    } catch (...) {
      code = Code::kLaunchFailure;  // device code cannot propagate exceptions
    }
    lock.lock();
    runner.reset();
  }
  if (code == Code::kSuccess) {
    finish(item, std::move(payload));
  } else {
    fail(item, payload, code);
    done.push_back(std::move(payload.work));
  }
  changed.notify_all();
}

void Driver::State::finish(ItemId item, Payload payload) {
  const std::int64_t finished_ns = payload.ready_ns + payload.work.virtual_ns;
  Stream& stream = streams.at(payload.queue);
  stream.finished_ns = std::max(stream.finished_ns, finished_ns);
  if (payload.recorded && payload.recorded->version == item) {
    payload.recorded->finished_ns = finished_ns;
  }
  for (const ItemId follower : machine.followers(item)) {
    std::int64_t& ready_ns = payloads.at(follower).ready_ns;
    ready_ns = std::max(ready_ns, finished_ns);
  }
  machine.complete(item);
  done.push_back(std::move(payload.work));
  if (machine.pending_count() == 0) memory.sweep();
}

void Driver::State::fail(ItemId item, const Payload& payload, Code code) {
  lost.emplace(streams.at(payload.queue).device, code);
  machine.stop(item);
  failed.emplace(item, code);
}

}  // namespace assay::reference
