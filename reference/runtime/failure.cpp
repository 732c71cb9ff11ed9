// Converts error codes to exceptions and warnings, with their messages (FLT-005).
#include "reference/runtime/failure.hpp"

#include <atomic>
#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>

#include "reference/core/runtime.hpp"
#include "reference/runtime/device/codes.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {
namespace {

// The message of a failed driver call.

constexpr std::string_view kTypesPage =
    "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html";

std::string help_line(Code code) {
  if (code == Code::kInvalidDevice) {
    return "\nGPU device may be out of range, do you have enough GPUs?";
  }
  return "\nSearch for `" + std::string(name_of(code)) + "' in " + std::string(kTypesPage) +
         " for more information.";
}

/// Errors of kernel execution, which unrelated calls may return.
bool is_asynchronous(Code code) {
  switch (number_of(code)) {
    case 700:
    case 710:
    case 715:
    case 716:
    case 719:
      return true;
    default:
      return false;
  }
}

bool launches_block() {
  static const bool set = [] {
    const char* value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value != nullptr && std::string_view(value) == "1";
  }();
  return set;
}

std::string suffix_line(const Contract& contract, Code code) {
  const bool is_late = contract.release >= Release::k2_11;
  if (is_late && !is_asynchronous(code)) {
    return "\nSet CUDA_LOG_FILE=stderr to see what the driver has to say about it.";
  }
  if (launches_block()) return {};
  return "\nCUDA kernel errors might be asynchronously reported at some other API call, so this "
         "place may be the wrong one. Pass CUDA_LAUNCH_BLOCKING=1 to find the right one.";
}

std::string place(const std::source_location& where) {
  return "\n(" + std::string(where.file_name()) + ":" + std::to_string(where.line()) + ")";
}

/// FLT-005: the driver's text, a help line (2.11), a line on debugging, and the source location.
std::string failure_text(const Runtime& runtime, Code code, const std::source_location& where) {
  std::string text = "CUDA error: " + std::string(text_of(code));
  if (runtime.contract().release >= Release::k2_11) text += help_line(code);
  return text + suffix_line(runtime.contract(), code) + place(where);
}

// Exceptions and warnings.

struct SyncDebug {
  std::atomic<SyncDebugMode> mode = SyncDebugMode::kDefault;
};

[[noreturn]] void raise(Runtime& runtime, Code code, const std::source_location& where) {
  const auto number = static_cast<std::int64_t>(number_of(code));
  throw Error(ErrorKind::kDevice, failure_text(runtime, code, where),
              runtime.contract().has_codes() ? std::optional(number) : std::nullopt);
}

/// [DEV] of FLT-004: 1.13 takes the error, if any, from the register.
Code blamed(Runtime& runtime, Code code) {
  const Code registered = driver_of(runtime).get_last_error();
  const Contract& contract = runtime.contract();
  const bool asks_the_register = contract.release == Release::k1_13 && !contract.strict();
  return asks_the_register ? registered : code;
}

}  // namespace

void cuda_check(Runtime& runtime, Code code, const std::source_location& where) {
  if (code == Code::kSuccess) return;
  if (const Code found = blamed(runtime, code); found != Code::kSuccess) {
    raise(runtime, found, where);
  }
}

void cuda_warn(Runtime& runtime, Code code) {
  if (code == Code::kSuccess) return;
  // FLT-017.
  driver_of(runtime).get_last_error();
  runtime.warn("UserWarning", "CUDA warning: " + std::string(text_of(code)));
}

void cuda_ignore(Runtime& runtime, Code code) {
  if (code != Code::kSuccess) {
    driver_of(runtime).get_last_error();
  }
}

void launch_check(Runtime& runtime, const std::source_location& where) {
  Driver& driver = driver_of(runtime);
  // Reading clears the register; the error is the register's in every release (FLT-006).
  const Code code = driver.get_last_error();
  if (code != Code::kSuccess) raise(runtime, code, where);
}

bool is_ready(Runtime& runtime, Code code, const std::source_location& where) {
  if (code == Code::kNotReady) {
    driver_of(runtime).get_last_error();
    return false;
  }
  cuda_check(runtime, code, where);
  return code == Code::kSuccess;
}

void set_sync_debug_mode(Runtime& runtime, SyncDebugMode mode) {
  runtime.shared<SyncDebug>().mode = mode;
}

void about_to_wait(Runtime& runtime) {
  const SyncDebugMode mode = runtime.shared<SyncDebug>().mode;
  if (mode == SyncDebugMode::kDefault) return;
  const char* text = "called a synchronizing CUDA operation";
  if (mode == SyncDebugMode::kWarn) return runtime.warn("UserWarning", text);
  throw Error(text);
}

}  // namespace assay::reference
