// Controls and queries of the simulation, which real drivers lack.
#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {

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
