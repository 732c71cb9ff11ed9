// Clipping gradients by their common norm.
#include "reference/optim/clip.hpp"

#include <algorithm>
#include <cmath>

#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"
#include "reference/optim/elements.hpp"

namespace assay::reference {

namespace {

/// Rounded to float32 once, from sums in double: any order of summation gives this for the vectors.
float norm_of(const std::vector<Tensor>& grads) {
  double sum = 0;
  for (const Tensor& grad : grads) {
    for (const double value : elements_of(grad).values) {
      sum = fault("clip_norm_of_largest_element") ? std::max(sum, value * value)
                                                  : sum + value * value;
    }
    if (fault("clip_norm_of_first_gradient")) break;
  }
  return static_cast<float>(std::sqrt(sum));
}

float coefficient(float norm, double max_norm) {
  const float wanted = static_cast<float>(max_norm);
  const float quotient = wanted / (norm + 1e-6F);
  if (fault("clip_scales_up")) return quotient;
  if (fault("clip_leaves_infinite_norm") && std::isinf(norm)) return 1;
  return std::isnan(quotient) ? quotient : std::min(quotient, 1.0F);
}

}  // namespace

Tensor clip_grad_norm_(Runtime& runtime, const std::vector<Tensor>& params, double max_norm) {
  std::vector<Tensor> grads;
  for (const Tensor& param : params) {
    if (param.grad().defined()) grads.push_back(param.grad());
  }
  const Device device = grads.empty() ? runtime.home() : grads.front().device();
  for (const Tensor& grad : grads) check_dense(grad);
  const Tensor total = scalar_tensor(runtime, 0, ScalarType::kFloat, device);
  for (const Tensor& grad : grads) {
    if (grad.device() != device) wait_for_stream(runtime, grad.device());
  }
  launch(runtime, device, "clip_grad_norm",
         [grads = borrowed(grads), to = borrowed(total), max_norm] {
           const float norm = norm_of(grads);
           const auto factor = static_cast<double>(coefficient(norm, max_norm));
           for (const Tensor& grad : grads) write_elements(grad, mul(elements_of(grad), factor));
           set_real_at(to, 0, static_cast<double>(norm));
         });
  return total;
}

}  // namespace assay::reference
