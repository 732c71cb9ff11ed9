// Small counters that live where a fused step runs.
#include "cuda_impl/optim/device_words.hpp"

#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {

Tensor DeviceWords::words_on(Device device) {
  for (const Tensor& words : words_) {
    if (words.device() == device) return words;
  }
  words_.push_back(zeros({static_cast<std::int64_t>(per_device_)}, Dtype::kInt32, device));
  return words_.back();
}

std::uint32_t* DeviceWords::at(Device device, std::size_t index) {
  return words_on(device).data_as<std::uint32_t>() + index;
}

void DeviceWords::clear(Device device, std::size_t index) {
  clear_(as_strided(words_on(device), {}, {}, static_cast<std::int64_t>(index)));
}

std::uint32_t DeviceWords::read(Device device, std::size_t index) {
  const Tensor word = as_strided(words_on(device), {}, {}, static_cast<std::int64_t>(index));
  return static_cast<std::uint32_t>(read_number(word));
}

}  // namespace assay::cuda
