// Calls of the CUDA runtime: errors become exceptions, and threads remember streams.
#include "cuda_impl/core/cuda_check.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

std::string in_words(cudaError_t result, const std::source_location& where) {
  return "CUDA error: " + std::string(cudaGetErrorString(result)) + " (" +
         cudaGetErrorName(result) + "), seen at " + where.file_name() + ":" +
         std::to_string(where.line());
}

/// What the thread has made current, by device; nothing for the legacy default stream everywhere.
std::vector<cudaStream_t>& streams_of_thread() {
  thread_local std::vector<cudaStream_t> streams;
  return streams;
}

int current_device() {
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  return device;
}

}  // namespace

void cuda_check(cudaError_t result, std::source_location where) {
  if (result == cudaSuccess) [[likely]]
    return;
  static_cast<void>(cudaGetLastError());  // or the next launch would be blamed for it
  const bool is_memory = result == cudaErrorMemoryAllocation;
  throw Error(is_memory ? ErrorKind::kOutOfMemory : ErrorKind::kDevice, in_words(result, where),
              static_cast<int>(result));
}

void cuda_warn(cudaError_t result, std::source_location where) noexcept {
  // When the process ends the runtime goes first, and takes all memory with it.
  if (result == cudaSuccess || result == cudaErrorCudartUnloading) return;
  static_cast<void>(cudaGetLastError());
  std::fprintf(stderr, "%s\n", in_words(result, where).c_str());
}

DeviceScope::DeviceScope(int index) : before_(current_device()), changed_(before_ != index) {
  if (changed_) cuda_check(cudaSetDevice(index));
}

DeviceScope::~DeviceScope() {
  if (changed_) cuda_warn(cudaSetDevice(before_));
}

cudaStream_t current_stream() {
  const auto& streams = streams_of_thread();
  if (streams.empty()) [[likely]]
    return nullptr;
  const auto device = static_cast<std::size_t>(current_device());
  return device < streams.size() ? streams[device] : nullptr;
}

StreamScope::StreamScope(cudaStream_t stream)
    : device_(current_device()), before_(current_stream()) {
  auto& streams = streams_of_thread();
  const auto device = static_cast<std::size_t>(device_);
  if (streams.size() <= device) streams.resize(device + 1);
  streams[device] = stream;
}

StreamScope::~StreamScope() { streams_of_thread()[static_cast<std::size_t>(device_)] = before_; }

}  // namespace assay::cuda
