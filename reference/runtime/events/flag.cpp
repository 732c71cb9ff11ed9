// Flags of generic events in each release (EVT-003).
#include "reference/runtime/events/flag.hpp"

#include "reference/core/types/error.hpp"

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

}  // namespace assay::reference
