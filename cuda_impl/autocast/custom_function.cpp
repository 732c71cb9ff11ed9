// The regions around a custom function's forward and backward.
#include "cuda_impl/autocast/custom_function.hpp"

#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda::autocast {
namespace {

bool is_old() { return contract().release == Release::k1_13; }

/// In 1.13 the dtype is always float16, whatever forward used (CAST-705).
RegionOptions region_of(const CustomCasts& casts, bool enabled) {
  RegionOptions options;
  options.device = casts.device;
  options.enabled = enabled;
  if (is_old()) options.dtype = Dtype::kFloat16;
  return options;
}

void run_in(const RegionOptions& options, const std::function<void()>& body) {
  Region region(options);
  run_inside(region, [&] {
    body();
    return true;
  });
}

/// Mimics PyTorch's backward thread of a CUDA device, which is outside of all regions.
class ThreadOf {
 public:
  explicit ThreadOf(Device device) : regions_(device.is_cuda() ? change_nesting(0) : 0) {
    change_nesting(-regions_);
  }
  ~ThreadOf() { change_nesting(regions_); }
  ThreadOf(const ThreadOf&) = delete;
  ThreadOf& operator=(const ThreadOf&) = delete;

 private:
  int regions_;
};

}  // namespace

CustomState custom_forward(const CustomCasts& casts,
                           const std::function<void(std::optional<Dtype> inputs)>& forward) {
  const bool enabled = is_enabled(casts.kind);
  const CustomState state{low_dtype(casts.kind), enabled && !casts.inputs};
  if (casts.inputs && enabled) {
    run_in(region_of(casts, false), [&] { forward(casts.inputs); });  // CAST-702
  } else {
    forward(std::nullopt);
  }
  return state;
}

void custom_backward(const CustomCasts& casts, const CustomState& state, Device device,
                     const std::function<void()>& backward) {
  RegionOptions options = region_of(casts, state.used_autocast);
  if (!is_old()) options.dtype = state.dtype;
  const ThreadOf thread(device);
  run_in(options, backward);
}

Tensor cast_input(const Tensor& input, const CustomCasts& casts, Dtype to) {
  if (!input.defined() || input.device().kind != casts.kind) return input;
  if (!facts(input.dtype()).is_floating || input.dtype() == Dtype::kFloat64) return input;
  return autograd::made_of(assay::cuda::to(input, to), input);
}

}  // namespace assay::cuda::autocast
