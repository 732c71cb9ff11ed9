// Counters in device memory for fused steps, so that the host need not wait for their outcome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Zero-initialized 32-bit words, created for each device on demand.
class DeviceWords {
 public:
  explicit DeviceWords(std::size_t per_device) : per_device_(per_device) {}

  std::uint32_t* at(Device device, std::size_t index);
  /// Sets the word to 0 on the current stream.
  void clear(Device device, std::size_t index);
  /// Reads the word on the host; waits for the device.
  std::uint32_t read(Device device, std::size_t index);

 private:
  Tensor words_on(Device device);

  std::size_t per_device_;
  std::vector<Tensor> words_;
};

}  // namespace assay::cuda
