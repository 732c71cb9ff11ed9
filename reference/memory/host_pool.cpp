// Implements MEM-028.
#include "reference/memory/host_pool.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

HostPool::~HostPool() {
  for (auto& [address, block] : blocks_) {
    for (Use& use : block.events) use.event.release();
  }
}

std::uint64_t HostPool::rounded(std::uint64_t size) const {
  const bool is_exact = runtime_.contract().before(Release::k2_4);
  return is_exact ? size : std::bit_ceil(size);
}

Address HostPool::allocate(std::uint64_t size) {
  if (size == 0) return 0;
  const std::scoped_lock lock(mutex_);
  poll_events();
  const std::uint64_t wanted = rounded(size);
  HostBlock* block = find_free(wanted);
  if (block == nullptr) {
    Address address = 0;
    cuda_check(runtime_, driver_.host_alloc(address, wanted));
    block = &blocks_[address];
    block->address = address;
    block->size = wanted;
  }
  block->requested = size;
  block->is_allocated = true;
  return block->address;
}

/// 2.x has a free list for each size; 1.13 takes the smallest sufficient block.
HostPool::HostBlock* HostPool::find_free(std::uint64_t size) {
  const bool is_exact = runtime_.contract().at_least(Release::k2_4);
  HostBlock* best = nullptr;
  for (auto& [address, block] : blocks_) {
    if (block.is_allocated || !block.events.empty()) continue;
    if (is_exact ? block.size != size : block.size < size) continue;
    if (best == nullptr || block.size < best->size) best = &block;
  }
  return best;
}

void HostPool::poll_events() {
  for (auto& [address, block] : blocks_) {
    if (!block.events.empty() && is_idle(block)) block.events.clear();
  }
}

bool HostPool::is_idle(HostBlock& block) {
  while (!block.events.empty()) {
    Use& use = block.events.back();
    if (!is_ready(runtime_, driver_.event_query(use.event.handle()))) return false;
    spare_.put(use.device, std::move(use.event));
    block.events.pop_back();
  }
  return true;
}

bool HostPool::record(Address address, const Stream& stream) {
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || !found->second.is_allocated) {
    return false;
  }
  const StreamTag tag = allocator_of(runtime_).tag_of(stream);
  auto& users = found->second.users;
  if (std::find(users.begin(), users.end(), tag) == users.end()) users.push_back(tag);
  return true;
}

HostPool::Use HostPool::record_event(const StreamTag& stream) {
  const ScopedDevice scope(runtime_, stream.device);
  OwnedEvent event = spare_.take(stream.device);
  event.record(stream.handle);
  return {stream.device, std::move(event)};
}

void HostPool::free(Address address) {
  if (address == 0) return;
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(address);
  check(found != blocks_.end() && found->second.is_allocated,
        [&] { return "no pinned memory is allocated at " + std::to_string(address); });
  HostBlock& block = found->second;
  std::vector<Use> events;
  for (const StreamTag& user : block.users) {
    events.push_back(record_event(user));
  }
  // No error from here on; before this line nothing was modified.
  block.is_allocated = false;
  block.users.clear();
  block.events = std::move(events);
  if (block.events.empty()) allocator_of(runtime_).bytes().poison(address, block.size);
}

BlockFacts HostPool::facts_of(Address address) {
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || !found->second.is_allocated) return {};
  return {address, found->second.size, found->second.requested, address, {}};
}

namespace {

struct SessionPool {
  std::once_flag once;
  std::unique_ptr<HostPool> pool;
};

}  // namespace

HostPool& host_pool_of(Runtime& runtime) {
  auto& session = runtime.shared<SessionPool>();
  std::call_once(session.once, [&] { session.pool = std::make_unique<HostPool>(runtime); });
  return *session.pool;
}

}  // namespace assay::reference
