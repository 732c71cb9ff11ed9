// Determines the size limit of kernel parameters, and assigns block counters to streams and
// captured launches.
#include "cuda_impl/kernels/multi_tensor.hpp"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {
namespace {

/// Override for tests; 0 if none.
std::atomic<std::size_t> pretended = 0;

bool driver_takes_large() {
  int version = 0;
  cuda_check(cudaDriverGetVersion(&version));
  return version >= 12010;
}

std::vector<std::size_t> bytes_of_devices() {
  int devices = 0;
  cuda_check(cudaGetDeviceCount(&devices));
  const bool new_driver = driver_takes_large();
  std::vector<std::size_t> bytes;
  for (int device = 0; device < devices; ++device) {
    int major = 0;
    cuda_check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    bytes.push_back(new_driver && major >= 7 ? kLargeParameters : kSmallParameters);
  }
  return bytes;
}

bool environment_says_small() {
  const char* said = std::getenv("ASSAY_CUDA_PARAMETER_BYTES");
  return said != nullptr && std::string_view(said) == "4096";
}

}  // namespace

std::size_t parameter_bytes() {
  if (const std::size_t told = pretended.load(std::memory_order_relaxed); told != 0) return told;
  static const bool small = environment_says_small();
  static const std::vector<std::size_t> bytes = bytes_of_devices();
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  return small ? kSmallParameters : bytes.at(static_cast<std::size_t>(device));
}

void pretend_parameter_bytes(std::optional<std::size_t> bytes) {
  pretended.store(bytes.value_or(0), std::memory_order_relaxed);
}

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
