// The memory behind tensors: a piece of a device's memory, or of the host's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

class GraphMemory;

/// Owns its memory, alone or with the graph that it was allocated for. Other device memory comes
/// from, and goes back to, the pool of the current stream, in the order of that stream: neither
/// waits for the device.
class Storage {
 public:
  /// Nothing is allocated for no bytes, and for meta whatever the size. Raises `out_of_memory`.
  Storage(Device device, std::size_t size_bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Device device() const { return device_; }
  std::size_t size_bytes() const { return size_bytes_; }
  /// An address of the device; null where nothing was allocated.
  std::byte* data() const { return data_; }

 private:
  Device device_;
  std::size_t size_bytes_;
  std::byte* data_ = nullptr;
  std::shared_ptr<GraphMemory> graph_;  ///< what the memory is part of, if of any
};

}  // namespace assay::cuda
