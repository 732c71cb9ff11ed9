// Converts error codes to exceptions and warnings.
#include "reference/runtime/failure.hpp"

#include <atomic>

#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/failure_text.hpp"

namespace assay::reference {
namespace {

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
