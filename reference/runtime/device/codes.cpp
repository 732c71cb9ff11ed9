// Names and messages of error codes; matches driver calls with the fault plan.
#include "reference/runtime/device/codes.hpp"

#include <algorithm>
#include <iterator>

namespace assay::reference {
namespace {

struct Entry {
  int code;
  std::string_view name;
  std::string_view text;
};

constexpr Entry kCodes[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {4, "cudaErrorCudartUnloading", "driver shutting down"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {35, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {46, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {209, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {220, "cudaErrorNvlinkUncorrectable",
     "uncorrectable NVLink error detected during the execution"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {714, "cudaErrorHardwareStackError", "hardware stack error"},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space"},
    {718, "cudaErrorInvalidPc", "invalid program counter"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {901, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {902, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {903, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {905, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {906, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {907, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {908, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
};

constexpr int kSticky[] = {214, 220, 226, 700, 702, 710, 714, 715,
                           716, 717, 718, 719, 721, 810, 911};

const Entry* find(Code code) {
  const auto found = std::find_if(std::begin(kCodes), std::end(kCodes),
                                  [&](const Entry& e) { return e.code == number_of(code); });
  return found == std::end(kCodes) ? nullptr : found;
}

}  // namespace

std::string_view name_of(Code code) {
  const Entry* found = find(code);
  return found == nullptr ? "cudaErrorUnknown" : found->name;
}

std::string_view text_of(Code code) {
  const Entry* found = find(code);
  return found == nullptr ? "unknown error" : found->text;
}

bool is_sticky(Code code) {  // FLT-002
  return std::find(std::begin(kSticky), std::end(kSticky), number_of(code)) != std::end(kSticky);
}

// Fault injection.

std::optional<PlannedFault> PlannedFaults::next(std::string_view call, const std::string& thread) {
  std::optional<PlannedFault> found;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const PlannedFault& planned = plan_[i];
    const bool is_meant = !planned.thread || *planned.thread == thread;
    if (planned.call != call) continue;
    if (!is_meant) continue;
    seen_[i] += 1;
    const bool is_due = planned.occurrence == 0 || planned.occurrence == seen_[i];
    if (is_due && !found) found = planned;
  }
  return found;
}

}  // namespace assay::reference
