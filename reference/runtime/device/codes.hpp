// Error codes of the driver.
#pragma once

#include <string_view>

namespace assay::reference {

/// CUDA's numbers. Fault plans may use other values.
enum class Code : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kUnloading = 4,
  kInvalidConfiguration = 9,
  kInsufficientDriver = 35,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidHandle = 400,
  kIllegalState = 401,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kCaptureMerge = 902,
  kCaptureUnmatched = 903,
  kCaptureUnjoined = 904,
  kCaptureIsolation = 905,
  kCaptureImplicit = 906,
  kCapturedEvent = 907,
  kCaptureWrongThread = 908,
};

inline constexpr int number_of(Code code) { return static_cast<int>(code); }
/// For example `cudaErrorNotReady` (FLT-005).
std::string_view name_of(Code code);
/// For example `device not ready`; `unknown error` for an unknown code (V-92).
std::string_view text_of(Code code);
/// Returns whether the error is sticky: every later call that uses the device returns it (FLT-002).
bool is_sticky(Code code);

}  // namespace assay::reference
