// Implements flags (EVT-003), checks and owned driver events.
#include "reference/runtime/events/common.hpp"

#include <string>

#include "reference/core/types/error.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {
namespace {

constexpr unsigned kWithTiming = 0;
constexpr unsigned kWithoutTiming = 2;

}  // namespace

std::optional<int> event_flag_named(std::string_view name, Release release) {
  if (name == "pytorch_default") return EventFlag::kPytorchDefault;
  if (name == "backend_default") return EventFlag::kBackendDefault;
  if (name == "invalid") return EventFlag::invalid(release);
  return std::nullopt;
}

std::optional<std::string_view> name_of_event_flag(int flag, Release release) {
  if (flag == EventFlag::kPytorchDefault) return "pytorch_default";
  if (flag == EventFlag::kBackendDefault) return "backend_default";
  if (flag == EventFlag::invalid(release)) return "invalid";
  return std::nullopt;
}

unsigned cuda_event_flags(int flag, Release release) {
  if (flag == EventFlag::kPytorchDefault) return kWithoutTiming;
  if (flag == EventFlag::kBackendDefault) return kWithTiming;
  const bool has_driver_s_names = release == Release::k1_13;
  if (has_driver_s_names && flag == 2) return kWithTiming;
  if (has_driver_s_names && flag == 3) return kWithoutTiming;
  throw Error("CUDA event received unknown flag " + std::to_string(flag));
}

// Checks.

/// A number; in compat mode, the character with that code ([DEV] of EVT-005).
std::string index_text(const Contract& contract, int index) {
  return contract.strict() ? std::to_string(index) : std::string(1, static_cast<char>(index));
}

void check_event_index(const Contract& contract, int before, int now) {
  check(before == -1 || before == now, [&] {
    return "Event device index " + index_text(contract, before) +
           " does not match recording stream's device index " + index_text(contract, now) + ".";
  });
}

void check_timing(bool holds) {
  check(holds, ErrorKind::kValue,
        [] { return "Both events must be created with argument 'enable_timing=True'."; });
}

void check_recorded(bool holds, ErrorKind kind) {
  check(holds, kind,
        [] { return "Both events must be recorded before calculating elapsed time."; });
}

void check_one_device(const Contract& contract, int from, int to) {
  // [DEV] of EVT-020: PyTorch does not check this.
  check(from == to || !contract.strict(), ErrorKind::kValue, [&] {
    return "both events must be of one device, not of " + std::to_string(from) + " and " +
           std::to_string(to);
  });
}

void check_complete(bool holds) {
  check(holds, [] { return "Both events must be completed before calculating elapsed time."; });
}

// Owned events.

OwnedEvent::OwnedEvent(Runtime& runtime) : runtime_(runtime) {
  const auto flags = static_cast<unsigned>(EventFlags::kDisableTiming);
  cuda_check(runtime_, driver_of(runtime_).event_create(handle_, flags));
}

OwnedEvent::~OwnedEvent() {
  if (handle_ != 0) cuda_warn(runtime_, driver_of(runtime_).event_destroy(handle_));
}

void OwnedEvent::record(StreamHandle stream) {
  cuda_check(runtime_, driver_of(runtime_).event_record(handle_, stream));
}

}  // namespace assay::reference
