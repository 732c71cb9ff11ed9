// Counts the CUDA devices (GRD-028); queries and sets the current one.
#include "reference/runtime/cuda_device.hpp"

#include <mutex>
#include <optional>

#include "reference/core/types/error.hpp"
#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/logs.hpp"

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

// The current device.

namespace {

/// The current device is only recorded here and not yet set in the driver (GRD-009).
struct Remembered {
  bool only_here = false;
};

bool creates_no_context(Runtime& runtime) { return runtime.contract().release != Release::k1_13; }

void tell_driver(Runtime& runtime, int index) {
  cuda_check(runtime, driver_of(runtime).set_device(index));
  runtime.local<Remembered>().only_here = false;
}

/// FLT-008.
std::optional<int> current_or_warn(Runtime& runtime) noexcept {
  if (runtime.local<Remembered>().only_here) return runtime.current_device();
  int index = 0;
  const Code code = driver_of(runtime).get_device(index);
  cuda_warn(runtime, code);
  return code == Code::kSuccess ? std::optional(index) : std::nullopt;
}

bool set_or_warn(Runtime& runtime, int current, int index) noexcept {
  Remembered& remembered = runtime.local<Remembered>();
  if (current == index && !remembered.only_here) return true;
  const Code code = driver_of(runtime).set_device(index);
  cuda_warn(runtime, code);
  if (code == Code::kSuccess) remembered.only_here = false;
  return code == Code::kSuccess;
}

}  // namespace

int cuda_current_device(Runtime& runtime) {
  if (runtime.local<Remembered>().only_here) return runtime.current_device();
  int index = 0;
  cuda_check(runtime, driver_of(runtime).get_device(index));
  return index;
}

void cuda_set_device(Runtime& runtime, int index) {
  const bool is_new = runtime.contract().at_least(Release::k2_11);  // FLT-009
  check(index >= 0, [&] {
    return std::string("device id must be ") + (is_new ? "non-negative" : "positive") + "! It is " +
           std::to_string(index);
  });
  if (index < 0) return;
  if (cuda_current_device(runtime) == index && !runtime.local<Remembered>().only_here) return;
  tell_driver(runtime, index);
}

int cuda_exchange_device(Runtime& runtime, int index) {
  const int before = cuda_current_device(runtime);
  cuda_set_device(runtime, index);
  return before;
}

void cuda_make_current(Runtime& runtime) {
  if (runtime.local<Remembered>().only_here) tell_driver(runtime, runtime.current_device());
}

std::optional<int> cuda_visit_device(Runtime& runtime, int index) noexcept {
  const std::optional<int> before = current_or_warn(runtime);
  if (!before || !set_or_warn(runtime, *before, index)) return std::nullopt;
  return before;
}

void cuda_restore_device(Runtime& runtime, int index) noexcept {
  const std::optional<int> current = current_or_warn(runtime);
  if (current == index) return;
  if (creates_no_context(runtime) && !driver_of(runtime).has_context(index)) {
    runtime.set_current_device(index);
    runtime.local<Remembered>().only_here = true;
    return;
  }
  set_or_warn(runtime, current.value_or(-1), index);
}

int checked_cuda_index(Runtime& runtime, int index) {
  if (index == -1) {
    const int current = cuda_current_device(runtime);
    cuda_make_current(runtime);
    return current;
  }
  const int count = cuda_device_count(runtime);
  const bool is_one = index >= 0 && index < count;
  if (is_one) return index;
  if (runtime.contract().release == Release::k1_13) {
    throw Error(ErrorKind::kInternal,
                "the device index must be that of a CUDA device: " + std::to_string(index) +
                    " is not in [0, " + std::to_string(count) + ")");
  }
  throw Error("Device index value " + std::to_string(index) + " is out of index range [0, " +
              std::to_string(count) + ")");
}

OnCudaDevice::OnCudaDevice(Runtime& runtime, int index)
    : runtime_(runtime), before_(cuda_exchange_device(runtime, index)) {}

bool cuda_can_access_peer(Runtime& runtime, Device device, Device peer) {
  for (const Device& given : {device, peer}) {
    check(given.is_cuda(), ErrorKind::kValue,
          [&] { return "Expected a cuda device, but got: " + to_text(given); });
  }
  check(peer.index != -1, ErrorKind::kValue,
        [] { return "Expected a torch.device with a specified index"; });
  if (device.index == -1) device.index = cuda_current_device(runtime);
  const int count = cuda_device_count(runtime);
  check(device.index < count, ErrorKind::kAssertion, [] { return "Invalid device id"; });
  check(peer.index < count, ErrorKind::kAssertion, [] { return "Invalid peer device id"; });
  bool can = false;
  cuda_check(runtime, driver_of(runtime).can_access_peer(can, device.index, peer.index));
  return can;
}

void cuda_synchronize_device(Runtime& runtime, int index) {
  const int device = index == -1 ? cuda_current_device(runtime) : index;
  const OnCudaDevice on(runtime, device);
  log_trace(runtime, "sync_device(" + std::to_string(device) + ")");
  cuda_check(runtime, driver_of(runtime).device_sync());
}

}  // namespace assay::reference
