// Autocast for a client's autograd function.
#include "reference/autocast/custom_function.hpp"

#include "reference/autocast/region.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {
namespace {

bool is_old(const Runtime& runtime) { return runtime.contract().release == Release::k1_13; }

/// 1.13 supports CUDA only.
CastDevice device_of(const Runtime& runtime, const CustomCasts& casts) {
  return device_from_text(casts.device, runtime.contract()).type;
}

/// Like `torch.cuda.amp.autocast` in 1.13: the default dtype is float16.
RegionOptions region_of(const Runtime& runtime, const CustomCasts& casts, bool enabled) {
  RegionOptions options;
  options.device = casts.device;
  options.enabled = enabled;
  options.cuda_available = true;
  if (is_old(runtime) && casts.device == "cuda") options.dtype = ScalarType::kHalf;
  return options;
}

/// Emulates PyTorch's backward thread of a CUDA device, on which no region is active.
class NestingOfOtherThread {
 public:
  explicit NestingOfOtherThread(Runtime& runtime)
      : runtime_(runtime), outer_(change_nesting(runtime, 0)) {
    change_nesting(runtime_, -outer_);
  }
  ~NestingOfOtherThread() { change_nesting(runtime_, outer_ - change_nesting(runtime_, 0)); }
  NestingOfOtherThread(const NestingOfOtherThread&) = delete;
  NestingOfOtherThread& operator=(const NestingOfOtherThread&) = delete;

 private:
  Runtime& runtime_;
  int outer_;
};

}  // namespace

CustomCastState custom_forward(
    Runtime& runtime, const CustomCasts& casts,
    const std::function<void(std::optional<ScalarType> cast_inputs)>& forward) {
  const CastDevice device = device_of(runtime, casts);
  const bool enabled = is_autocast_enabled(runtime, device);
  CustomCastState state{autocast_dtype(runtime, device), enabled && !casts.inputs};
  if (!casts.inputs || !enabled) {
    forward(std::nullopt);
    return state;
  }
  AutocastRegion off(runtime, region_of(runtime, casts, false));
  const RegionGuard entered(off);
  forward(casts.inputs);
  return state;
}

void custom_backward(Runtime& runtime, const CustomCasts& casts, const CustomCastState& state,
                     Device device, const std::function<void()>& backward) {
  std::optional<NestingOfOtherThread> apart;
  if (device.is_cuda()) apart.emplace(runtime);
  RegionOptions options = region_of(runtime, casts, state.used_autocast);
  if (!is_old(runtime)) {
    options.dtype = state.dtype;
  }
  AutocastRegion region(runtime, options);
  const RegionGuard entered(region);
  backward();
}

Tensor cast_input(Runtime& runtime, const Tensor& input, const std::string& device, ScalarType to) {
  if (!input.defined() || !is_floating(input.dtype()) || input.dtype() == ScalarType::kDouble) {
    return input;
  }
  if (name_of(input.device().type, runtime.contract().release) != device) return input;
  return cast_to(runtime, input, to);
}

}  // namespace assay::reference
