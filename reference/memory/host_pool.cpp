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
  const std::uint64_t capture = capture_here();
  if (capture == 0) poll_events();
  const std::uint64_t wanted = rounded(size);
  HostBlock* block = find_free(wanted, capture);
  if (block == nullptr) {
    const Address address = from_driver(wanted, capture != 0);
    block = &blocks_[address];
    block->address = address;
    block->size = wanted;
    block->capture = capture;
  }
  block->requested = size;
  block->is_allocated = true;
  return block->address;
}

/// MEM-030: the capture of the thread's current stream.
std::uint64_t HostPool::capture_here() const {
  if (runtime_.contract().before(Release::k2_11) || !driver_.is_capturing()) return 0;
  return driver_.capture_of(handle_of(runtime_, current_stream(runtime_)));
}

Address HostPool::from_driver(std::uint64_t size, bool is_relaxed) {
  Address address = 0;
  CaptureMode mode = CaptureMode::kRelaxed;
  if (is_relaxed) cuda_check(runtime_, driver_.exchange_capture_mode(mode));
  const Code code = driver_.host_alloc(address, size);
  if (is_relaxed) cuda_warn(runtime_, driver_.exchange_capture_mode(mode));
  cuda_check(runtime_, code);
  return address;
}

/// 2.x has a free list for each size; 1.13 takes the smallest sufficient block.
HostPool::HostBlock* HostPool::find_free(std::uint64_t size, std::uint64_t capture) {
  const bool is_exact = runtime_.contract().at_least(Release::k2_4);
  HostBlock* best = nullptr;
  for (auto& [address, block] : blocks_) {
    if (block.is_allocated || block.is_spent || !block.events.empty()) continue;
    if (block.capture != capture) continue;
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
  if (block.capture != 0) {
    block.is_spent = !block.users.empty();
  } else {
    for (const StreamTag& user : block.users) {
      events.push_back(record_event(user));
    }
  }
  // No error from here on; before this line nothing was modified.
  block.is_allocated = false;
  block.users.clear();
  block.events = std::move(events);
  if (block.events.empty()) allocator_of(runtime_).bytes().poison(address, block.size);
}

void HostPool::empty_cache() {
  const std::scoped_lock lock(mutex_);
  poll_events();
  for (auto at = blocks_.begin(); at != blocks_.end();) {
    const HostBlock& block = at->second;
    if (block.is_allocated || !block.events.empty() || block.capture != 0) {
      ++at;
      continue;
    }
    const Code code = driver_.host_free(block.address);
    const bool is_kept = code != Code::kSuccess && driver_.data(block.address) != nullptr;
    if (!is_kept) at = blocks_.erase(at);
    cuda_check(runtime_, code);
  }
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
