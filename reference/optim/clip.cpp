// Implements gradient clipping.
#include "reference/optim/clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/core/math/coalesce.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/element.hpp"
#include "reference/optim/elements.hpp"

namespace assay::reference {

namespace {

/// Except for float64, PyTorch stores the sum in float32: it overflows to infinity and loses digits
/// when it is small (OPT-009).
double root_of(double sum, ScalarType dtype) {
  const double held =
      rounded_to(dtype == ScalarType::kDouble ? ScalarType::kDouble : ScalarType::kFloat, sum);
  const bool is_normal = std::isfinite(held) && held >= std::numeric_limits<float>::min();
  return rounded_to(dtype, std::sqrt(is_normal ? sum : held));
}

/// The norm of one gradient in its own dtype, from a sum in double, so that the order does not
/// matter. `alone_is_itself`: a single element is not squared.
double norm_of(const Tensor& grad, bool alone_is_itself) {
  const Elements elements = elements_of(grad);
  if (alone_is_itself && elements.size() == 1) return std::abs(elements.values.front());
  double sum = 0;
  for (const double value : elements.values) {
    sum += value * value;
  }
  return root_of(sum, grad.dtype());
}

/// The norm of the gradients' norms.
double norm_of(const std::vector<Tensor>& grads, ScalarType dtype, bool alone_is_itself) {
  double sum = 0;
  for (const Tensor& grad : grads) {
    const double norm = norm_of(grad, alone_is_itself && grad.device().is_cpu());
    if (alone_is_itself && grads.size() == 1) return norm;
    sum += norm * norm;
  }
  return root_of(sum, dtype);
}

/// The promoted dtype of all gradients (OPT-009).
ScalarType common_type(const Runtime& runtime, const std::vector<Tensor>& grads) {
  ScalarType dtype = grads.front().dtype();
  for (const Tensor& grad : grads) dtype = promote_types(dtype, grad.dtype(), runtime.contract());
  return dtype;
}

/// What is measured of each gradient: of a sparse one, the sums of its entries (OPT-009).
std::vector<Tensor> measured(Runtime& runtime, const std::vector<Tensor>& grads) {
  std::vector<Tensor> found;
  for (const Tensor& grad : grads) {
    if (runtime.contract().before(Release::k2_14)) check_dense(grad);
    found.push_back(grad.is_sparse() ? coalesce(runtime, grad).values() : grad);
  }
  return found;
}

const Tensor& elements_in(const Tensor& grad) { return grad.is_sparse() ? grad.values() : grad; }

/// [DEV] of OPT-009: in PyTorch, several entries count as uncoalesced once they were multiplied.
void forget_order(const Runtime& runtime, const std::vector<Tensor>& grads) {
  if (runtime.contract().strict()) return;
  for (const Tensor& grad : grads) {
    if (grad.is_sparse() && grad.indices().size(1) > 1) grad.impl()->sparse->coalesced = false;
  }
}

/// Rounds to the norm's dtype after each operation.
double coefficient(double norm, double max_norm, ScalarType dtype) {
  const double below = rounded_to(dtype, norm + 1e-6);
  const double inverse = rounded_to(dtype, 1 / below);
  const double quotient = rounded_to(dtype, inverse * max_norm);
  return std::isnan(quotient) ? quotient : std::min(quotient, 1.0);
}

}  // namespace

Tensor clip_grad_norm_(Runtime& runtime, const std::vector<Tensor>& params, double max_norm) {
  std::vector<Tensor> grads;
  for (const Tensor& param : params) {
    if (param.grad().defined()) grads.push_back(param.grad());
  }
  // OPT-009
  if (grads.empty()) {
    return scalar_tensor(runtime, 0, ScalarType::kFloat, kCpuDevice);
  }
  const Device device = grads.empty() ? runtime.home() : grads.front().device();
  const std::vector<Tensor> sums = measured(runtime, grads);
  const ScalarType dtype = grads.empty() ? ScalarType::kFloat : common_type(runtime, grads);
  const Tensor total = scalar_tensor(runtime, 0, dtype, device);
  for (const Tensor& grad : grads) {
    if (grad.device() != device) wait_for_stream(runtime, grad.device());
  }
  const bool alone_is_itself = runtime.contract().release != Release::k1_13;
  launch(runtime, device, "clip_grad_norm",
         [grads = borrowed(grads), sums = borrowed(sums), to = borrowed(total), max_norm, dtype,
          alone_is_itself] {
           const double norm = norm_of(sums, dtype, alone_is_itself);
           const double factor = coefficient(norm, max_norm, dtype);
           for (const Tensor& grad : grads) {
             const Tensor& held = elements_in(grad);
             write_elements(held, mul(elements_of(held), factor), 0);
             grad.bump_version();
           }
           set_real_at(to, 0, norm);
         });
  forget_order(runtime, grads);
  return total;
}

}  // namespace assay::reference
