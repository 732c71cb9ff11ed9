// Error codes of the driver, and fault injection: the driver calls that are made to fail (FLT-018).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Fault injection.

struct PlannedFault {
  std::string call;         ///< the name of a driver call: `event_record`
  int occurrence = 1;       ///< the first call that fails, counted from 1; 0: every call
  bool has_effect = false;  ///< the call has its effect and still returns the code
  Code code = Code::kInvalidValue;
  bool sticky = false;  ///< every later call that uses the device returns the code, too
  std::optional<std::string> thread = {};  ///< only calls on the thread of this name
  bool clears_register = false;  ///< the code is returned but not stored in the register (FLT-004)
};

using FaultPlan = std::vector<PlannedFault>;

/// Counts calls and selects those that fail.
class PlannedFaults {
 public:
  explicit PlannedFaults(FaultPlan plan = {}) : plan_(std::move(plan)), seen_(plan_.size(), 0) {}

  /// Returns the fault of the present call, if there is one.
  std::optional<PlannedFault> next(std::string_view call, const std::string& thread);

 private:
  FaultPlan plan_;
  std::vector<int> seen_;
};

}  // namespace assay::reference
