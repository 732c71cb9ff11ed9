// Creates pools and hands out their streams in rotation.
#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"

namespace assay::cuda {
namespace {

constexpr int kMostDevices = 64;
constexpr int kOldLevels = 2;

using Level = std::array<cudaStream_t, kPoolSize>;

/// The pool of one device.
struct Pool {
  std::atomic<bool> is_made = false;
  std::mutex making;
  int levels = 0;
  std::array<Level, kMostLevels> streams{};
  std::array<std::atomic<std::uint32_t>, kMostLevels> counters{};
};

Pool& pool_of(int device) {
  static std::array<Pool, kMostDevices> pools;
  require(device < kMostDevices, [] {
    return "there are pools for " + std::to_string(kMostDevices) + " devices at most";
  });
  return pools.at(static_cast<std::size_t>(device));
}

std::atomic<int>& known_levels() {
  static std::atomic<int> levels{0};
  return levels;
}

PriorityRange range_of_driver() {
  PriorityRange range;
  cuda_check(cudaDeviceGetStreamPriorityRange(&range.least, &range.greatest));
  return range;
}

void destroy(const std::vector<cudaStream_t>& streams) {
  for (cudaStream_t const stream : streams) cuda_warn(cudaStreamDestroy(stream));
}

std::vector<cudaStream_t> created(int levels) {
  std::vector<cudaStream_t> made;
  for (int level = 0; level < levels; ++level) {
    for (int i = 0; i < kPoolSize; ++i) {
      cudaStream_t stream = nullptr;
      const cudaError_t result =
          cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -level);
      if (result != cudaSuccess) {
        if (rules().is_strict) destroy(made);  // FLT-014: PyTorch leaks them
        cuda_check(result);
      }
      made.push_back(stream);
    }
  }
  return made;
}

void make(Pool& pool, int device) {
  const std::scoped_lock lock(pool.making);
  if (pool.is_made) return;
  const int levels = pool_levels();
  std::vector<cudaStream_t> streams;
  {
    const DeviceScope scope(device);
    streams = created(levels);
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    pool.streams.at(i / kPoolSize).at(i % kPoolSize) = streams[i];
  }
  pool.levels = levels;
  pool.is_made.store(true, std::memory_order_release);
}

Pool& made_pool(int device) {
  Pool& pool = pool_of(device);
  if (!pool.is_made.load(std::memory_order_acquire)) make(pool, device);
  return pool;
}

void forget(Pool& pool) {
  const std::scoped_lock lock(pool.making);
  std::vector<cudaStream_t> streams;
  if (pool.is_made) {
    for (int level = 0; level < pool.levels; ++level) {
      const Level& all = pool.streams.at(static_cast<std::size_t>(level));
      streams.insert(streams.end(), all.begin(), all.end());
    }
  }
  destroy(streams);
  pool.is_made = false;
  for (auto& counter : pool.counters) counter = 0;
}

}  // namespace

PriorityRange priority_range() {
  if (rules().release == Release::k1_13) return {0, -1};
  const PriorityRange range = range_of_driver();
  require(range.least == 0, ErrorKind::kInternal, [&] {
    return "the least priority of streams must be 0, the driver says " +
           std::to_string(range.least);
  });
  require(range.greatest <= -1, ErrorKind::kInternal, [&] {
    return "the greatest priority of streams must be -1 or less, the driver says " +
           std::to_string(range.greatest);
  });
  return {0, std::max(1 - kMostLevels, range.greatest)};
}

int pool_levels() {
  if (const int levels = known_levels(); levels != 0) return levels;
  const PriorityRange range = range_of_driver();
  const int levels = rules().release == Release::k1_13
                         ? kOldLevels
                         : std::clamp(range.least - range.greatest + 1, 1, kMostLevels);
  known_levels() = levels;
  return levels;
}

int level_for(int priority) {
  const Release release = rules().release;
  if (release == Release::k1_13) return priority != 0 ? kOldLevels - 1 : 0;
  require(release != Release::k2_4 || priority <= 0, [&] {
    return "Expected cuda stream priority to be less than or equal to 0, got " +
           std::to_string(priority);
  });
  return -std::clamp(priority, 1 - pool_levels(), 0);
}

Stream next_of_pool(int device, int level) {
  Pool& pool = made_pool(device);
  auto& counter = pool.counters.at(static_cast<std::size_t>(level));
  const std::uint32_t request = counter.fetch_add(1, std::memory_order_relaxed);
  const auto index = static_cast<int>(request % kPoolSize);
  return {cuda_device(device), id_of({level, index}, rules().release)};
}

cudaStream_t handle_in_pool(int device, PoolPlace place) {
  const Pool& pool = made_pool(device);
  return pool.streams.at(static_cast<std::size_t>(place.level))
      .at(static_cast<std::size_t>(place.index));
}

std::int64_t id_of_handle(int device, cudaStream_t handle) {
  const Pool& pool = pool_of(device);
  const int levels = pool.is_made.load(std::memory_order_acquire) ? pool.levels : 0;
  for (int level = 0; level < levels; ++level) {
    const Level& all = pool.streams.at(static_cast<std::size_t>(level));
    const auto found = std::ranges::find(all, handle);
    if (found == all.end()) continue;
    return id_of({level, static_cast<int>(found - all.begin())}, rules().release);
  }
  return reinterpret_cast<std::intptr_t>(handle);
}

void set_pool_counter(int device, int level, std::uint32_t value) {
  pool_of(device).counters.at(static_cast<std::size_t>(level)) = value;
}

void forget_pools() {
  for (int device = 0; device < kMostDevices; ++device) forget(pool_of(device));
  known_levels() = 0;
}

}  // namespace assay::cuda
