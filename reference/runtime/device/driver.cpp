// Driver calls for devices and streams; controls and queries of the simulation, which real drivers
// lack.
#include "reference/runtime/device/driver.hpp"

#include <algorithm>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {
namespace {

struct Slot {
  std::mutex mutex;
  std::shared_ptr<Driver> driver;

  ~Slot() {
    if (driver) driver->shut_down();
  }
};

/// Keeps the driver alive until the thread's state is reset, too.
struct DriverHolder {
  std::shared_ptr<Driver> driver;
};

}  // namespace

Driver& driver_of(Runtime& runtime) {
  std::shared_ptr<Driver>& mine = runtime.local<DriverHolder>().driver;
  if (mine) return *mine;
  Slot& slot = runtime.shared<Slot>();
  const std::scoped_lock lock(slot.mutex);
  if (!slot.driver) slot.driver = std::make_shared<Driver>(runtime);
  mine = slot.driver;
  return *mine;
}

Driver::Driver(Runtime& runtime) : state_(std::make_unique<State>(runtime)) {}
Driver::~Driver() { shut_down(); }
void Driver::shut_down() { state_->shut_down(); }

Code Driver::device_count(int& count) {
  return state_->answer({"device_count", "", false}, [&](State::Lock&) {
    if (state_->shape.devices == 0) throw State::Refusal{Code::kNoDevice};
    count = state_->shape.devices;
  });
}

Code Driver::get_device(int& index) {
  return state_->answer({"get_device", "", false},
                        [&](State::Lock&) { index = state_->current_device(); });
}

Code Driver::set_device(int index) {
  return state_->answer({"set_device", std::to_string(index), false}, [&](State::Lock&) {
    if (index < 0 || index >= state_->shape.devices) throw State::Refusal{Code::kInvalidDevice};
    state_->runtime.set_current_device(index);
    state_->contexts.insert(index);
  });
}

Code Driver::can_access_peer(bool& can, int device, int peer) {
  const std::string pair = std::to_string(device) + ", " + std::to_string(peer);
  return state_->answer({"can_access_peer", pair, false}, [&](State::Lock&) {
    const MachineShape& shape = state_->shape;
    for (const int index : {device, peer}) {
      if (index < 0 || index >= shape.devices) throw State::Refusal{Code::kInvalidDevice};
    }
    can = device != peer && device / shape.peers == peer / shape.peers;
  });
}

Code Driver::device_sync() {
  return state_->answer({"device_sync"}, [&](State::Lock& lock) {
    if (state_->captures.any()) throw State::Refusal{state_->captures.invalidate_all()};
    const int device = state_->current_device();
    state_->wait_for(lock, state_->machine.work_of_device(device));
    for (const auto& [queue, stream] : state_->streams) {
      if (stream.device == device) {
        state_->now_ns = std::max(state_->now_ns, stream.finished_ns);
      }
    }
    state_->touch(device);
  });
}

bool Driver::has_context(int device) const {
  const std::scoped_lock lock(state_->mutex);
  return state_->contexts.contains(device);
}

Code Driver::priority_range(PriorityRange& range) {
  return state_->answer({"priority_range", "", false},
                        [&](State::Lock&) { range = state_->shape.priorities; });
}

Code Driver::stream_create(StreamHandle& stream, bool non_blocking, int priority) {
  const std::string arguments =
      std::string(non_blocking ? "non_blocking" : "blocking") + ", " + std::to_string(priority);
  return state_->answer({"stream_create", arguments}, [&](State::Lock&) {
    const PriorityRange range = state_->shape.priorities;
    const int device = state_->current_device();
    const StreamHandle handle = state_->next_stream;
    state_->next_stream += 16;  // 1.13 stores the kind of a stream in the low bits (STR-010)
    State::Stream made{handle, device, false, non_blocking};
    made.priority = std::clamp(priority, range.greatest, range.least);
    state_->streams.emplace(handle, made);
    state_->created_streams.emplace(handle, handle);
    state_->machine.add_queue(handle, device,
                              non_blocking ? QueueKind::kNonBlocking : QueueKind::kBlocking);
    stream = handle;
  });
}

Code Driver::stream_destroy(StreamHandle stream) {
  return state_->answer({"stream_destroy", stream_text(stream)}, [&](State::Lock&) {
    const auto found = state_->created_streams.find(stream);
    if (found == state_->created_streams.end()) throw State::Refusal{Code::kInvalidHandle};
    state_->check_not_captured(state_->streams.at(found->second));
    state_->machine.close_queue(found->second);  // queued work still completes
    state_->created_streams.erase(found);
  });
}

Code Driver::stream_priority(StreamHandle stream, int& priority) {
  return state_->answer({"stream_priority", stream_text(stream), false},
                        [&](State::Lock&) { priority = state_->stream(stream).priority; });
}

Code Driver::stream_query(StreamHandle stream) {
  return state_->answer({"stream_query", stream_text(stream)}, [&](State::Lock& lock) {
    const State::Stream& asked = state_->usable_stream(stream);
    state_->check_not_captured(asked);
    state_->refuse_unsafe();
    state_->answer_query(lock, state_->machine.is_queue_idle(asked.queue),
                         state_->machine.work_of_queue(asked.queue));
  });
}

Code Driver::stream_sync(StreamHandle stream) {
  return state_->answer({"stream_sync", stream_text(stream)}, [&](State::Lock& lock) {
    const State::Stream& awaited = state_->usable_stream(stream);
    state_->check_not_captured(awaited);
    state_->refuse_unsafe();
    const int device = awaited.device;
    state_->wait_for(lock, state_->machine.work_of_queue(awaited.queue));
    state_->now_ns = std::max(state_->now_ns, awaited.finished_ns);
    state_->touch(device);
  });
}

Code Driver::stream_wait(StreamHandle stream, EventHandle event, bool external) {
  const std::string arguments =
      stream_text(stream) + ", " + event_text(event) + (external ? ", external" : "");
  return state_->answer({"stream_wait", arguments}, [&](State::Lock&) {
    State::Stream& waiting = state_->usable_stream(stream);
    const std::shared_ptr<State::Event> awaited = state_->event(event);
    if (external) return state_->add_external(waiting, {.awaited = event});
    state_->wait(waiting, *awaited);
  });
}

// Controls and queries of the simulation.

void Driver::shape_machine(const MachineShape& shape) {
  state_->control([&](State::Lock&) { state_->shape = shape; });
}

void Driver::set_schedule(Schedule schedule) {
  state_->control([&](State::Lock& lock) {
    state_->scheduler = Scheduler(schedule);
    state_->go_on(lock);
  });
}

int Driver::step(StreamHandle stream, int count) {
  int completed = 0;
  state_->control([&](State::Lock& lock) {
    const QueueId queue = state_->stream(stream).queue;
    while (completed < count && state_->claim(lock)) {
      const std::vector<ItemId> items = state_->machine.pending_of(queue);
      if (items.empty() || !state_->machine.can_complete(items.front())) return;
      state_->run_one(lock, items.front());
      completed += 1;
    }
  });
  return completed;
}

void Driver::run_all() {
  state_->control([&](State::Lock& lock) {
    while (state_->claim(lock)) {
      const std::vector<ItemId> items = state_->machine.completable();
      if (items.empty()) return;
      state_->run_one(lock, items.front());
    }
  });
}

int Driver::pending(std::optional<StreamHandle> stream) const {
  std::size_t count = 0;
  state_->control([&](State::Lock&) {
    count = stream ? state_->machine.pending_of(state_->stream(*stream).queue).size()
                   : state_->machine.pending_count();
  });
  return static_cast<int>(count);
}

std::int64_t Driver::now_ns() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->now_ns;
}

void Driver::advance_ns(std::int64_t ns) {
  state_->control([&](State::Lock&) { state_->now_ns += ns; });
}

void Driver::set_fault_plan(FaultPlan plan) {
  state_->control([&](State::Lock&) {
    state_->faults = PlannedFaults(std::move(plan));
    state_->lost_by_plan.reset();
  });
}

std::vector<std::string> Driver::take_log() {
  const std::scoped_lock lock(state_->mutex);
  std::vector<std::string> taken(state_->log.begin(), state_->log.end());
  state_->log.clear();
  return taken;
}

Driver::Live Driver::live() const {
  const std::scoped_lock lock(state_->mutex);
  return {.streams = static_cast<int>(state_->created_streams.size()),
          .events = static_cast<int>(state_->events.size()),
          .device_blocks = state_->memory.blocks(false),
          .host_blocks = state_->memory.blocks(true)};
}

}  // namespace assay::reference
