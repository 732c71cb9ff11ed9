// Clipping gradients by their common norm.
#include "reference/optim/clip.hpp"

#include <algorithm>
#include <cmath>

#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
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
  const float norm = norm_of(grads);
  const auto factor = static_cast<double>(coefficient(norm, max_norm));
  for (const Tensor& grad : grads) write_elements(grad, mul(elements_of(grad), factor));
  return scalar_tensor(runtime, static_cast<double>(norm), ScalarType::kFloat, device);
}

}  // namespace assay::reference
