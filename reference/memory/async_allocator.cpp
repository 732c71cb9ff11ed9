// Implements MEM-024.
#include "reference/memory/async_allocator.hpp"

#include <algorithm>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/memory/block.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/runtime/events/common.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {

/// The first use of a device takes a stream from its pool, which users can observe in stream ids.
AsyncAllocator::PerDevice& AsyncAllocator::on_device(int device) {
  const auto found = devices_.find(device);
  if (found != devices_.end()) return found->second;
  const Stream joining = stream_from_pool(runtime_, 0, device);
  PerDevice& made = devices_[device];
  made.joining = joining;
  return made;
}

Address AsyncAllocator::malloc(int device, std::uint64_t size, const StreamTag& stream) {
  const std::scoped_lock lock(mutex_);
  PerDevice& here = on_device(device);
  free_deferred();
  const ScopedDevice scope(runtime_, device);
  const auto used = static_cast<std::uint64_t>(here.used.current);
  if (here.limit && used + size > *here.limit) fail(device, size);
  Address address = 0;
  const Code code = driver_.malloc_async(address, size, stream.handle);
  if (code == Code::kOutOfMemory) {
    driver_.get_last_error();
    fail(device, size);
  }
  cuda_check(runtime_, code);
  here.used.add(static_cast<std::int64_t>(size));
  allocated_[address] = {device, size, stream, {}, driver_.is_capturing()};
  return address;
}

bool AsyncAllocator::free(Address address) {
  const std::scoped_lock lock(mutex_);
  const auto found = allocated_.find(address);
  if (found == allocated_.end()) return false;
  const Allocation allocation = found->second;
  const bool is_foreign_to_capture = driver_.is_capturing() && !allocation.is_captured;
  if (is_foreign_to_capture) {
    runtime_.warn_once("UserWarning",
                       "memory that a capture did not allocate was freed during it; the free is "
                       "deferred until the capture is over");
    deferred_.emplace_back(address, allocation);
    allocated_.erase(found);
    return true;
  }
  free_deferred();
  give_back(address, allocation);
  allocated_.erase(address);
  return true;
}

void AsyncAllocator::free_deferred() {
  if (driver_.is_capturing()) return;
  while (!deferred_.empty()) {
    const auto& [address, allocation] = deferred_.front();
    give_back(address, allocation);  // may raise; the memory is still deferred then
    deferred_.erase(deferred_.begin());
  }
}

void AsyncAllocator::give_back(Address address, const Allocation& allocation) {
  PerDevice& here = on_device(allocation.device);
  StreamHandle stream = allocation.stream.handle;
  if (!allocation.users.empty()) {
    const StreamHandle joining = handle_of(runtime_, here.joining);
    join(allocation.stream, joining);
    for (const StreamTag& user : allocation.users) {
      join(user, joining);
    }
    stream = joining;
  }
  const ScopedDevice scope(runtime_, allocation.device);
  cuda_check(runtime_, driver_.free_async(address, stream));
  here.used.remove(static_cast<std::int64_t>(allocation.size));
}

/// Makes the `joining` stream wait for the present work of `awaited`.
void AsyncAllocator::join(const StreamTag& awaited, StreamHandle joining) {
  const ScopedDevice scope(runtime_, awaited.device);
  OwnedEvent event(runtime_);
  event.record(awaited.handle);
  cuda_check(runtime_, driver_.stream_wait(joining, event.handle()));
}

bool AsyncAllocator::record_stream(Address address, const StreamTag& stream) {
  const std::scoped_lock lock(mutex_);
  const auto found = allocated_.find(address);
  if (found == allocated_.end()) return false;
  auto& users = found->second.users;
  const bool is_known = found->second.stream == stream ||
                        std::find(users.begin(), users.end(), stream) != users.end();
  if (!is_known) users.push_back(stream);
  return true;
}

std::optional<AsyncAllocator::Allocation> AsyncAllocator::facts_of(Address address) {
  const std::scoped_lock lock(mutex_);
  const auto found = allocated_.find(address);
  if (found == allocated_.end()) return std::nullopt;
  return found->second;
}

void AsyncAllocator::set_limit(int device, std::optional<std::uint64_t> bytes) {
  const std::scoped_lock lock(mutex_);
  on_device(device).limit = bytes;
}

DeviceStats AsyncAllocator::stats(int device) {
  const std::scoped_lock lock(mutex_);
  DeviceStats stats;
  Stat& used = on_device(device).used;
  stats.allocated_bytes.of[0] = stats.reserved_bytes.of[0] = {used.current, used.peak};
  return stats;
}

void AsyncAllocator::reset_peak(int device) {
  const std::scoped_lock lock(mutex_);
  on_device(device).used.reset_peak();
}

void AsyncAllocator::fail(int device, std::uint64_t size) {
  std::uint64_t free_bytes = 0;
  std::uint64_t total = 0;
  cuda_check(runtime_, driver_.mem_info(free_bytes, total));
  const PerDevice& here = on_device(device);
  const std::string limit = here.limit ? size_text(*here.limit) : "none";
  throw Error(
      ErrorKind::kOutOfMemory,
      "Allocation on device " + std::to_string(device) +
          " would exceed allowed memory. (out of memory)\nCurrently allocated     : " +
          size_text(static_cast<std::uint64_t>(here.used.current)) +
          "\nRequested               : " + size_text(size) + "\nDevice limit            : " +
          size_text(total) + "\nFree (according to CUDA): " + size_text(free_bytes) +
          "\nPyTorch limit (set by user-supplied memory fraction)\n                        : " +
          limit);
}

}  // namespace assay::reference
