// Assigns block counters to streams and captured launches.
#include "cuda_impl/kernels/block_counters.hpp"

#include <map>
#include <mutex>

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/device/current_stream.hpp"
#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {
namespace {

/// Counters in use on a device, by the stream that owns each.
using TakenWords = std::map<cudaStream_t, unsigned>;

struct TakenOfDevices {
  std::mutex mutex;
  std::map<int, TakenWords> by_device;
};

TakenOfDevices& taken() {
  static auto* const made = new TakenOfDevices();
  return *made;
}

std::optional<BlockCounter> counter_of_stream(cudaStream_t stream, unsigned counters) {
  if (stream == cudaStreamPerThread) return std::nullopt;
  TakenOfDevices& all = taken();
  const std::scoped_lock lock(all.mutex);
  TakenWords& words = all.by_device[current_device()];
  const auto known = words.find(stream);
  if (known != words.end()) return BlockCounter{.index = known->second};
  const auto next = static_cast<unsigned>(words.size());
  if (next >= counters) return std::nullopt;
  words.emplace(stream, next);
  return BlockCounter{.index = next};
}

}  // namespace

std::optional<BlockCounter> block_counter(unsigned counters) {
  if (!is_capturing()) return counter_of_stream(current_stream(), counters);
  const auto graph = memory_of_capture();
  if (graph == nullptr) return std::nullopt;
  return BlockCounter{.own = graph->word()};
}

}  // namespace assay::cuda
