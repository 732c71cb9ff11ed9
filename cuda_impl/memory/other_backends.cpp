// Driver allocation, and waits for other users of a block.
#include "cuda_impl/memory/other_backends.hpp"

#include <algorithm>
#include <utility>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/event_pool.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/out_of_memory.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"

namespace assay::cuda::memory {

/// MEM-024: the first use of a device takes the first stream of its pool.
PlainBackend::OfDevice& PlainBackend::used(int device) {
  OfDevice& found = devices_[device];
  if (is_async_ && !found.is_used) {
    found.freeing = handle_of(stream_from_pool(0, device));
    found.is_used = true;
  }
  return found;
}

Block& PlainBackend::allocate(std::size_t size_bytes, StreamUse stream) {
  const std::scoped_lock lock(mutex_);
  const DeviceScope scope(stream.device);
  void* const data = is_async_ ? allocate_async(size_bytes, stream) : allocate_at_once(size_bytes);
  auto kept = std::make_unique<Kept>();
  kept->device = stream.device;
  kept->is_captured = is_capture_under_way() && is_async_ && is_capturing(stream.handle);
  Block& block = kept->block;
  block.data = static_cast<std::byte*>(data);
  block.size_bytes = block.requested_bytes = size_bytes;
  block.stream = stream.handle;
  block.plain = this;
  block.is_allocated = true;
  kept_[data] = std::move(kept);
  return block;
}

void* PlainBackend::allocate_at_once(std::size_t size_bytes) {
  void* data = nullptr;
  cuda_check_memory(cudaMalloc(&data, size_bytes));
  return data;
}

void* PlainBackend::allocate_async(std::size_t size_bytes, StreamUse stream) {
  OfDevice& device = used(stream.device);
  if (!is_capture_under_way()) free_deferred();
  cuda_check(cudaPeekAtLastError());  // MEM-025
  const auto has = static_cast<std::size_t>(device.bytes.current);
  const bool is_beyond = device.limit_bytes && has + size_bytes > *device.limit_bytes;
  void* data = nullptr;
  const cudaError_t result =
      is_beyond ? cudaErrorMemoryAllocation : cudaMallocAsync(&data, size_bytes, stream.handle);
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    raise_out_of_memory(size_bytes, stream.device);
  }
  cuda_check(result);
  device.bytes.add(static_cast<std::int64_t>(size_bytes));
  return data;
}

void PlainBackend::raise_out_of_memory(std::size_t size_bytes, int device) {
  const OfDevice& of_device = devices_[device];
  Shortage shortage{.device = device,
                    .wanted_bytes = size_bytes,
                    .allocated_bytes = static_cast<std::size_t>(of_device.bytes.current),
                    .limit_bytes = of_device.limit_bytes};
  cuda_check(cudaMemGetInfo(&shortage.free_bytes, &shortage.total_bytes));
  throw Error(ErrorKind::kOutOfMemory, in_words_of_async(shortage));
}

void PlainBackend::free(Block& block) {
  const std::scoped_lock lock(mutex_);
  const Kept& kept = *kept_.at(block.data);
  const DeviceScope scope(kept.device);
  if (!is_async_) {
    cuda_check(cudaFree(block.data));
    return forget(block);
  }
  if (is_capture_under_way() && !kept.is_captured) {
    warn("UserWarning",
         "free of memory that no capture allocated, while one is under way: it goes when the "
         "capture is over");
    block.is_allocated = false;
    return deferred_.push_back(&block);
  }
  free_async(kept);
  forget(block);
}

void PlainBackend::free_async(const Kept& kept) {
  const Block& block = kept.block;
  if (!block.users.empty()) return free_behind_all(kept, devices_[kept.device]);
  cuda_check(cudaFreeAsync(block.data, block.stream));
}

/// Frees on a separate stream, which waits for all users of the block.
void PlainBackend::free_behind_all(const Kept& kept, OfDevice& device) {
  std::vector<StreamUse> users = {{kept.device, kept.block.stream}};
  for (const BlockUser& user : kept.block.users) users.push_back(user.stream);
  for (const StreamUse user : users) {
    const PooledEvent is_used(user);
    is_used.hold_back(device.freeing);
  }
  cuda_check(cudaFreeAsync(kept.block.data, device.freeing));
}

void PlainBackend::free_deferred() {
  while (!deferred_.empty()) {
    const Block& block = *deferred_.back();
    const Kept& kept = *kept_.at(block.data);
    const DeviceScope scope(kept.device);
    free_async(kept);
    deferred_.pop_back();
    forget(block);
  }
}

void PlainBackend::forget(const Block& block) {
  const auto found = kept_.find(block.data);
  if (is_async_) {
    devices_[found->second->device].bytes.remove(static_cast<std::int64_t>(block.size_bytes));
  }
  kept_.erase(found);
}

void PlainBackend::note_use(Block& block, StreamUse user) {
  const std::scoped_lock lock(mutex_);
  const bool is_known = std::ranges::any_of(
      block.users, [&](const BlockUser& known) { return known.stream == user; });
  if (!is_async_ || is_known) return;
  const StreamUse own{kept_.at(block.data)->device, block.stream};
  if (!is_own_stream(user, own)) block.users.push_back({user, false});
}

Block* PlainBackend::find(const void* address) {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(address);
  const bool is_there = found != kept_.end() && found->second->block.is_allocated;
  return is_there ? &found->second->block : nullptr;
}

Statistics PlainBackend::statistics(int device) {
  const std::scoped_lock lock(mutex_);
  Statistics statistics;
  const Stat bytes = devices_[device].bytes;
  statistics.allocated_bytes.for_each([&](std::string_view pool, Stat& stat) {
    if (pool == "all") stat = bytes;
  });
  return statistics;
}

bool PlainBackend::is_empty() {
  const std::scoped_lock lock(mutex_);
  return kept_.empty();
}

void PlainBackend::set_limit(int device, std::optional<std::size_t> bytes) {
  const std::scoped_lock lock(mutex_);
  devices_[device].limit_bytes = bytes;
}

}  // namespace assay::cuda::memory
