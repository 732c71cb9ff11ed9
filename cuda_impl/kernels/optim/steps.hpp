// Optimizer steps and gradient clipping over rows of parameters, on a device or on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"

namespace assay::cuda {

/// The tensors of one parameter, all of one dtype and one memory order. Absent tensors are null.
/// The step applies to the first `count` elements, at least 1. If the first tensor is null, the
/// step updates only the row's scalars.
template <std::size_t kLists>
using StepRow = TensorRow<static_cast<int>(kLists)>;

/// Whether a step rounds after each operator (stepwise) or is one operator (fused).
enum class StepArithmetic : std::uint8_t { kStepwise, kFused };

/// Scalars of the gradient scaler, float32, on the rows' device; null where the scaler passes none.
struct ScalerPointers {
  const float* grad_scale = nullptr;
  const float* found_inf = nullptr;
};

/// The device and dtype of the rows.
struct StepPlace {
  Dtype dtype = Dtype::kFloat32;
  bool on_device = false;  ///< the current device, on its current stream
  /// A device word that is 0 before and after the step; required if rows have scalars.
  std::uint32_t* ticket = nullptr;
};

struct AdamSettings {
  double lr = 0;
  double beta1 = 0;
  double beta2 = 0;
  double eps = 0;
  double weight_decay = 0;
  bool decoupled = false;
  bool amsgrad = false;
  bool maximize = false;
  bool writes_grad = false;  ///< stores the modified gradient
  StepArithmetic arithmetic = StepArithmetic::kStepwise;

  // Stepwise forms only; all rows are at the same step.
  double step_size = 0;             ///< learning rate / first bias correction
  double root = 1;                  ///< of the second bias correction
  bool multiplies_inverse = false;  ///< computes x / root as x * (1 / root)
  bool interpolates = true;         ///< the first moment is updated by interpolation
  bool fuses_products = true;       ///< x + a * (y * z) is rounded once
  bool scales_first = false;        ///< computes x + (a * y) * z instead

  // Fused forms only.
  bool keeps_doubles = false;        ///< settings are doubles, not of the computation type
  bool narrows_before_root = false;  ///< rounds the second correction before its root
};

/// param, grad, first and second moment, largest second moment (or null), and the float32 step
/// counter, stored with the rows (null for the stepwise forms).
using AdamRow = StepRow<6>;

/// Makes as few launches as the kernel parameter limit allows and does not wait. The fused form
/// increments the step counter and subtracts found_inf from it (SCL-613).
void step_adam(std::span<const AdamRow> rows, const AdamSettings& settings,
               const ScalerPointers& from_scaler, const StepPlace& place);

struct SgdSettings {
  double lr = 0;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  bool is_first = false;     ///< no row has a momentum, unless its word says otherwise
  bool writes_grad = false;  ///< stores the modified gradient
  StepArithmetic arithmetic = StepArithmetic::kStepwise;
};

/// param, grad, momentum (or null), and a word that is not 0 once the momentum exists (or null).
using SgdRow = StepRow<4>;

/// Makes as few launches as the kernel parameter limit allows; does not wait.
void step_sgd(std::span<const SgdRow> rows, const SgdSettings& settings,
              const ScalerPointers& from_scaler, const StepPlace& place);

/// Writes the clip coefficient min(1, `max_norm` / (norm + 1e-6)) to `factor`. It is computed in
/// the type of the norm. `norm` is on the device or the host, as `place` says.
void write_clip_factor(const void* norm, double max_norm, double* factor, const StepPlace& place);

/// Multiplies all elements by the factor, after rounding the factor to their type.
void scale_rows(std::span<const StepRow<1>> rows, const double* factor, const StepPlace& place);

}  // namespace assay::cuda
