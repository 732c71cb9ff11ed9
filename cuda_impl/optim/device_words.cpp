// Counters in device memory.
#include "cuda_impl/optim/device_words.hpp"

#include <optional>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {

Tensor DeviceWords::words_on(Device device) {
  for (const Tensor& words : words_) {
    if (words.device() == device) return words;
  }
  const std::optional<DeviceScope> on_device =
      device.is_cuda() ? std::optional<DeviceScope>(std::in_place, device.index) : std::nullopt;
  // Cleared outside the capture: inside, each replay would clear them, and they would be unset
  // before the first.
  const OutsideCapture now;
  words_.push_back(zeros({static_cast<std::int64_t>(per_device_)}, Dtype::kInt32, device));
  return words_.back();
}

std::uint32_t* DeviceWords::at(Device device, std::size_t index) {
  const Tensor words = words_on(device);
  if (const auto graph = memory_of_capture()) graph->keep(words->storage);
  return words.data_as<std::uint32_t>() + index;
}

void DeviceWords::clear(Device device, std::size_t index) {
  clear_(as_strided(words_on(device), {}, {}, static_cast<std::int64_t>(index)));
}

std::uint32_t DeviceWords::read(Device device, std::size_t index) {
  const Tensor word = as_strided(words_on(device), {}, {}, static_cast<std::int64_t>(index));
  return static_cast<std::uint32_t>(read_number(word));
}

}  // namespace assay::cuda
