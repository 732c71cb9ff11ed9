// Small counters that live where a fused step runs, so that the host need not wait for its outcome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Words of 32 bits for each device that asks, 0 at first.
class DeviceWords {
 public:
  explicit DeviceWords(std::size_t per_device) : per_device_(per_device) {}

  std::uint32_t* at(Device device, std::size_t index);
  /// 0 again, in the order of the current stream.
  void clear(Device device, std::size_t index);
  /// The word as the host reads it: waits for the device.
  std::uint32_t read(Device device, std::size_t index);

 private:
  Tensor words_on(Device device);

  std::size_t per_device_;
  std::vector<Tensor> words_;
};

}  // namespace assay::cuda
