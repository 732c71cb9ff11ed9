// Event flags of each release.
#include "cuda_impl/runtime/event_flag.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <span>
#include <utility>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

using Named = std::pair<std::string_view, int>;

constexpr Named kOldNames[] = {{"pytorch_default", 0},
                               {"backend_default", 1},
                               {"cuda_event_default", 2},
                               {"cuda_event_disable_timing", 3},
                               {"hip_event_default", 4},
                               {"hip_event_disable_timing", 5},
                               {"invalid", 6}};
constexpr Named kNames[] = {{"pytorch_default", 0}, {"backend_default", 1}, {"invalid", 2}};
constexpr int kOldCudaDefault = 2;
constexpr int kOldCudaDisableTiming = 3;

std::span<const Named> names_in(Release release) {
  if (release == Release::k1_13) return kOldNames;
  return kNames;
}

}  // namespace

std::optional<int> event_flag_named(std::string_view name, Release release) {
  const auto names = names_in(release);
  const auto found = std::ranges::find(names, name, &Named::first);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> name_of_event_flag(int flag, Release release) {
  const auto names = names_in(release);
  const auto found = std::ranges::find(names, flag, &Named::second);
  if (found == names.end()) return std::nullopt;
  return found->first;
}

bool takes_time(int flag, Release release) {
  return flag == kBackendDefault || (release == Release::k1_13 && flag == kOldCudaDefault);
}

unsigned driver_flags_of(int flag, Release release) {
  const bool is_old = release == Release::k1_13;
  if (flag == kPytorchDefault || (is_old && flag == kOldCudaDisableTiming)) {
    return cudaEventDisableTiming;
  }
  if (flag == kBackendDefault || (is_old && flag == kOldCudaDefault)) return cudaEventDefault;
  throw Error("CUDA event received unknown flag");
}

}  // namespace assay::cuda
