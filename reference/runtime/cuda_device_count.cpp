// Counts the CUDA devices (GRD-028).
#include <mutex>
#include <optional>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {
namespace {

constexpr const char* kNoDriver =
    "Found no NVIDIA driver on your system. Check that there is an NVIDIA GPU, and install a "
    "driver for it.";

struct DeviceCount {
  std::mutex mutex;
  std::optional<int> known;
};

/// Raises for errors other than "no device"; for "no driver" only if `needs_driver`.
int ask(Runtime& runtime, bool needs_driver) {
  if (!runtime.contract().cuda()) return 0;
  Driver& driver = driver_of(runtime);
  int count = 0;
  const Code code = driver.device_count(count);
  if (code == Code::kSuccess) return count;
  driver.get_last_error();
  if (code == Code::kNoDevice) return 0;
  if (code == Code::kInsufficientDriver) {
    check(!needs_driver, [] { return kNoDriver; });
    return 0;
  }
  throw Error("Unexpected error from the count of CUDA devices: " +
              std::to_string(number_of(code)) + ", " + std::string(text_of(code)));
}

}  // namespace

int cuda_device_count(Runtime& runtime) {
  auto& count = runtime.shared<DeviceCount>();
  const std::scoped_lock lock(count.mutex);
  if (count.known) return *count.known;
  try {
    count.known = ask(runtime, false);
  } catch (const Error& error) {
    runtime.warn("UserWarning", "CUDA initialization: " + error.message());
    count.known = 0;
  }
  return *count.known;
}

int cuda_device_count_ensured(Runtime& runtime) {
  const int count = ask(runtime, true);
  check(count > 0, [] { return "No CUDA GPUs are available"; });
  return count;
}

}  // namespace assay::reference
