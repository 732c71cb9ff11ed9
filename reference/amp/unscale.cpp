// Unscales one element, a chunk or a view of them, and a list of tensors: checks, plan and
// launches.
#include "reference/amp/unscale.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "reference/amp/arguments.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

/// Tests the input, not the product (AMP-207).
bool is_non_finite(double value, bool tests_as_float) {
  if (!tests_as_float) return !std::isfinite(value);
  return !std::isfinite(static_cast<float>(value));  // AMP-209
}

/// Computed in float32, or in double for float64, and rounded once; half types are rounded again by
/// the store (AMP-202, AMP-203).
double product(ScalarType type, double value, float inv_scale) {
  if (type == ScalarType::kDouble) return value * static_cast<double>(inv_scale);
  return static_cast<double>(static_cast<float>(value) * inv_scale);
}

bool keeps_bits(float inv_scale) {
  return inv_scale == 1.0F;  // AMP-204
}

}  // namespace

UnscaledElement unscale_element(ScalarType type, double value, float inv_scale,
                                bool tests_as_float) {
  UnscaledElement result;
  result.is_bad = is_non_finite(value, tests_as_float);
  if (keeps_bits(inv_scale)) return result;
  result.value = product(type, value, inv_scale);
  result.is_written = true;
  return result;
}

namespace {

/// The elements of a tensor, with the parameters of the unscale.
class Elements {
 public:
  Elements(const Tensor& grad, const UnscaleContext& context)
      : dtype_(grad.dtype()), size_(element_size(dtype_)), data_(grad.data()), context_(context) {}

  /// Unscales the element at `offset`; returns true if it was not finite.
  bool unscale(std::int64_t offset) {
    std::uint8_t* at = data_ + static_cast<std::size_t>(offset) * size_;
    const std::uint64_t bits = load_bits(at, size_);
    const UnscaledElement result = unscale_element(dtype_, real_of_bits(dtype_, bits),
                                                   context_.inv_scale, context_.tests_as_float);
    if (result.is_written) store_bits(at, size_, stored(result.value));
    return result.is_bad;
  }

 private:
  std::uint64_t stored(double value) const { return bits_of_real(dtype_, value); }

  ScalarType dtype_;
  std::size_t size_;
  std::uint8_t* data_;
  UnscaleContext context_;
};

}  // namespace

std::int64_t unscale_chunk(const Tensor& grad, const Chunk& chunk, const UnscaleContext& context) {
  Elements elements(grad, context);
  std::int64_t bad = 0;
  for (std::int64_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
    if (elements.unscale(i)) ++bad;
  }
  return bad;
}

std::int64_t unscale_strided(const Tensor& grad, const UnscaleContext& context) {
  Elements elements(grad, context);
  std::int64_t bad = 0;
  for_each_offset(grad.sizes(), grad.strides(), 0, [&](std::int64_t offset) {
    if (elements.unscale(offset)) ++bad;
  });
  return bad;
}

namespace {

constexpr const char* kMultiTensorName = "_amp_foreach_non_finite_check_and_unscale_";
constexpr const char* kElementwiseName = "_amp_non_finite_check_and_unscale_";

void check_grad(const Tensor& grad, const Tensor& first, DeviceType kernel) {
  check(grad.device().type == kernel, [&] {
    return std::string("one of scaled_grads was not a ") + kernel_name_of(kernel) +
           " tensor, but is " + describe(grad);
  });
  check(grad.device() == first.device(), [&] {
    return "scaled_grads must be on the same device, got " + to_text(first.device()) + " and " +
           to_text(grad.device());
  });
  check(!grad.is_sparse(), [] { return "one of scaled_grads was not a strided tensor"; });
}

/// AMP-401. If a check fails, nothing has been modified.
void check_arguments(const UnscaleTensors& tensors, DeviceType kernel) {
  const std::array<ScalarArgument, 2> arguments = {{
      {"inv_scale", tensors.inv_scale, ScalarType::kFloat},
      {"found_inf", tensors.found_inf, ScalarType::kFloat},
  }};
  check_scalar_arguments(arguments, kernel);
  for (const Tensor& grad : tensors.grads) check_grad(grad, tensors.grads.front(), kernel);
}

/// AMP-212.
void check_dtype(const Tensor& grad, DeviceType kernel, const char* name) {
  const ScalarType dtype = grad.dtype();
  const bool is_cuda = kernel == DeviceType::kCuda;
  const bool is_taken = dtype == ScalarType::kHalf || dtype == ScalarType::kFloat ||
                        dtype == ScalarType::kDouble ||
                        (dtype == ScalarType::kBFloat16 && !is_cuda);
  check(is_taken, ErrorKind::kNotImplemented, [&] {
    return "\"" + std::string(name) + (is_cuda ? "cuda" : "cpu") + "\" not implemented for '" +
           std::string(cpp_name_of(dtype)) + "'";
  });
}

/// Tensors whose elements share memory are rejected (AMP-307).
void check_no_internal_overlap(const Tensor& grad) {
  if (grad.is_non_overlapping_and_dense() || grad.numel() == 0) return;
  for (std::size_t dim = 0; dim < grad.sizes().size(); ++dim) {
    check(grad.sizes()[dim] <= 1 || grad.strides()[dim] != 0, [&] {
      return "more than one element of the written-to tensor refers to a single memory location; "
             "clone() it first: " +
             describe(grad);
    });
  }
}

float number_in(const Tensor& tensor) { return static_cast<float>(real_at(tensor, 0)); }

/// One kernel call: its device type, and the flag that its launches share.
class UnscaleCall {
 public:
  UnscaleCall(Runtime& runtime, DeviceType kernel, const UnscaleTensors& tensors)
      : runtime_(runtime),
        kernel_(kernel),
        tensors_(tensors),
        inv_scale_(borrowed(tensors.inv_scale)),
        flag_(borrowed(tensors.found_inf)) {}

  /// Processes the list in order (AMP-313).
  void run_cpu() {
    for (const Tensor& grad : tensors_.grads) run_alone(grad, kMultiTensorName);
  }

  /// Processes dense tensors of the first one's dtype in one multi-tensor call, after the others,
  /// which are processed individually (AMP-304, AMP-305).
  void run_cuda() {
    std::vector<Tensor> together;
    for (const Tensor& grad : tensors_.grads) {
      if (is_fast(grad)) {
        together.push_back(grad);
      } else {
        run_alone(grad, kElementwiseName);
      }
    }
    if (!together.empty()) run_together(together);
  }

 private:
  bool is_fast(const Tensor& grad) const {
    const bool same_dtype = grad.dtype() == tensors_.grads.front().dtype();
    return same_dtype && grad.is_non_overlapping_and_dense();
  }

  void run_alone(const Tensor& grad, const char* name) {
    check_no_internal_overlap(grad);
    check_dtype(grad, kernel_, name);
    if (grad.numel() == 0) return;  // AMP-302
    count_launch();
    enqueue([grad = borrowed(grad)](const UnscaleContext& context) {
      return unscale_strided(grad, context);
    });
  }

  void run_together(const std::vector<Tensor>& grads) {
    check_dtype(grads.front(), kernel_, kMultiTensorName);
    std::vector<std::int64_t> counts;
    for (const Tensor& grad : grads) counts.push_back(grad.numel());
    const bool drops_tail = runtime_.contract().release == Release::k1_13;  // AMP-303
    for (const Launch& launch : plan_launches(counts, {}, drops_tail)) {
      count_launch();
      enqueue([grads = borrowed(grads), launch](const UnscaleContext& context) {
        std::int64_t bad = 0;
        for (const Chunk& chunk : launch) bad += unscale_chunk(grads[chunk.tensor], chunk, context);
        return bad;
      });
    }
  }

  /// A kernel. It reads the factor when the stream executes it (AMP-502) and returns the number of
  /// non-finite elements.
  template <typename Kernel>
  void enqueue(Kernel kernel) {
    launch(runtime_, tensors_.found_inf.device(), "unscale",
           [kernel = std::move(kernel), inv_scale = inv_scale_, flag = flag_,
            is_cuda = kernel_ == DeviceType::kCuda] {
             raise_flag_if(flag, kernel({number_in(inv_scale), is_cuda}));  // AMP-209
           });
  }

  void count_launch() {
    if (kernel_ == DeviceType::kCuda) ++runtime_.counters().launches;
  }

  /// Writes only the value 1, and only if a non-finite element was found (AMP-206).
  static void raise_flag_if(const Tensor& flag, std::int64_t bad) {
    if (bad == 0) return;
    set_real_at(flag, 0, 1.0);
  }

  Runtime& runtime_;
  DeviceType kernel_;
  const UnscaleTensors& tensors_;
  Tensor inv_scale_;
  Tensor flag_;
};

/// Does not wait for the device or allocate on it (AMP-502).
void count_work(Runtime& runtime, const UnscaleTensors& tensors) {
  Counters& counters = runtime.counters();
  ++counters.unscale_calls;
  counters.unscale_tensors += static_cast<std::int64_t>(tensors.grads.size());
}

}  // namespace

void unscale_kernel(Runtime& runtime, DeviceType kernel, const UnscaleTensors& tensors) {
  count_work(runtime, tensors);
  if (tensors.grads.empty()) return;  // before every check: AMP-301
  check_arguments(tensors, kernel);
  UnscaleCall call(runtime, kernel, tensors);
  if (kernel == DeviceType::kCuda) {
    call.run_cuda();
  } else {
    call.run_cpu();
  }
}

}  // namespace assay::reference
