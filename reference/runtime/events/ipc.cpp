// IPC handles of events (EVT-029).
#include "reference/runtime/events/ipc.hpp"

#include <string_view>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"

namespace assay::reference {
namespace {

constexpr std::size_t kHandleBytes = 64;
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

CudaEvent event_from_ipc(Runtime& runtime, Device device, const std::string& handle) {
  check(handle.size() == kHandleBytes, [&] {
    return "cudaIpcEventHandle_t expects byte-like object of size " + std::to_string(kHandleBytes) +
           ", but got " + std::to_string(handle.size());
  });
  check(device.is_cuda(),
        [&] { return "Event can only be created on CUDA devices, not on " + to_text(device); });
  const int index = device.index == -1 ? cuda_current_device(runtime) : device.index;
  return CudaEvent::from_ipc(runtime, index, handle);
}

std::string to_digits(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kDigits[value >> 4];
    digits += kDigits[value & 15];
  }
  return digits;
}

std::optional<std::string> from_digits(const std::string& digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = kDigits.find(digits[i]);
    const auto low = kDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

}  // namespace assay::reference
