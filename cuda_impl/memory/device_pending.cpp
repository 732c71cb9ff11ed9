// Blocks that were freed while other streams used them (MEM-006 to MEM-009).
#include <algorithm>
#include <utility>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/device_allocator.hpp"

namespace assay::cuda::memory {

void DeviceAllocator::note_use(Block& block, StreamUse user) {
  const Lock lock(mutex_);
  if (is_own_stream(user, {device_, block.stream})) return;
  const bool is_captured = is_capture_under_way();
  for (BlockUser& known : block.users) {
    if (!(known.stream == user)) continue;
    known.is_captured = known.is_captured && is_captured;
    return;
  }
  block.users.push_back({user, is_captured});
}

/// MEM-008, MEM-023
void DeviceAllocator::poll() {
  if (pending_.empty() && deferred_.empty()) [[likely]]
    return;
  if (is_capture_under_way()) return;
  look_at_deferred();
  pending_.poll([this](Block& block) { one_event_less(block); });
}

/// Records an event for each user. If it raises `device`, no block waits for any of them.
DeviceAllocator::Events DeviceAllocator::events_for(const Block& block) {
  Events events;
  events.reserve(block.users.size());
  for (const BlockUser& user : block.users) events.emplace_back(user.stream);
  return events;
}

void DeviceAllocator::wait_for_events(Block& block, Events events) {
  block.pending = static_cast<int>(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    pending_.add(block.users[i].stream, std::move(events[i]), block);
  }
  block.users.clear();
}

void DeviceAllocator::one_event_less(Block& block) {
  if (--block.pending == 0) make_free(block);
}

/// Streams that used the block only during a capture have no work left on it (MEM-023).
void DeviceAllocator::look_at_deferred() {
  while (!deferred_.empty()) {
    Block& block = *deferred_.back();
    std::erase_if(block.users, [](const BlockUser& user) { return user.is_captured; });
    Events events = events_for(block);
    deferred_.pop_back();
    wait_for_events(block, std::move(events));
    if (block.pending == 0) make_free(block);
  }
}

}  // namespace assay::cuda::memory
