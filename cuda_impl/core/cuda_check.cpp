// Turns CUDA errors into exceptions or warnings.
#include "cuda_impl/core/cuda_check.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

/// Errors of asynchronous kernel execution, which a later, unrelated call may report.
bool may_come_from_elsewhere(cudaError_t result) {
  constexpr std::array kCodes{cudaErrorIllegalAddress, cudaErrorAssert, cudaErrorIllegalInstruction,
                              cudaErrorMisalignedAddress, cudaErrorLaunchFailure};
  return std::ranges::find(kCodes, result) != kCodes.end();
}

std::string help_for(cudaError_t result) {
  if (result == cudaErrorInvalidDevice) {
    return "\nGPU device may be out of range, do you have enough GPUs?";
  }
  return "\nSearch for `" + std::string(cudaGetErrorName(result)) +
         "' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more "
         "information.";
}

std::string_view asynchronous_hint() {
  static const bool is_blocking = std::getenv("CUDA_LAUNCH_BLOCKING") != nullptr;
  if (is_blocking) return "";
  return "\nCUDA kernel errors might be asynchronously reported at some other API call, so the "
         "place below may be innocent. For debugging consider passing CUDA_LAUNCH_BLOCKING=1";
}

/// FLT-005: the complete error message.
std::string in_words(cudaError_t result, const std::source_location& where) {
  const bool is_new = rules().release >= Release::k2_11;
  std::string text = "CUDA error: " + std::string(cudaGetErrorString(result));
  if (is_new) text += help_for(result);
  if (!is_new || may_come_from_elsewhere(result)) {
    text += asynchronous_hint();
  } else {
    text += "\nFor more of the driver's own words pass CUDA_LOG_FILE=stderr";
  }
  const std::string_view path = where.file_name();
  return text + "\nSeen at " + std::string(path.substr(path.rfind('/') + 1)) + ":" +
         std::to_string(where.line());
}

/// FLT-004: 1.13 raises the last error of the runtime, and nothing if that is clear.
cudaError_t judged(cudaError_t result) {
  const cudaError_t in_register = cudaGetLastError();
  const bool trusts_register = rules().release == Release::k1_13 && !rules().is_strict;
  return trusts_register ? in_register : result;
}

void raise(cudaError_t result, ErrorKind kind, const std::source_location& where) {
  result = judged(result);
  if (result == cudaSuccess) return;
  throw Error(kind, in_words(result, where), static_cast<int>(result));
}

}  // namespace

void cuda_check(cudaError_t result, std::source_location where) {
  if (result != cudaSuccess) [[unlikely]]
    raise(result, ErrorKind::kDevice, where);
}

void cuda_check_memory(cudaError_t result, std::source_location where) {
  if (result == cudaSuccess) [[likely]]
    return;
  const bool is_short = result == cudaErrorMemoryAllocation;
  raise(result, is_short ? ErrorKind::kOutOfMemory : ErrorKind::kDevice, where);
}

void cuda_warn(cudaError_t result) noexcept {
  if (result == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  // At process exit the runtime may be unloaded already, and has freed everything (FLT-017).
  if (result == cudaErrorCudartUnloading) return;
  try {
    warn("UserWarning", "CUDA warning: " + std::string(cudaGetErrorString(result)));
  } catch (...) {
    // There is no memory for the warning, and no way to report it.
  }
}

DeviceScope::DeviceScope(int index)
    : before_(exchange_current_device(index)), changed_(before_ != index) {}

DeviceScope::~DeviceScope() {
  if (changed_) cuda_warn(restore_current_device(before_));
}

}  // namespace assay::cuda
