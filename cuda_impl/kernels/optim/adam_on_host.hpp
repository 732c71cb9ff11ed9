// One fused Adam step for one element on the host. It follows PyTorch's CPU kernel, whose order of
// operations differs from that of the CUDA kernel.
#pragma once

#include <cmath>

#include "cuda_impl/kernels/optim/adam.cuh"

namespace assay::cuda {

/// Computes in registers and rounds to the tensor's type only at the store. Settings are combined
/// in double and then rounded.
template <typename Element>
struct HostFusedAdam : FusedAdamRule {
  using Real = Element;
  using W = Wide<Real>;
  using Facts = AdamRowFacts<W, W>;

  Facts facts(void* const* data) const {
    if (is_skipped()) return {false, 0, 0, 0};
    const double step = *counter(data) + 1;
    const double first = 1 - std::pow(settings.beta1, step);
    const double second = 1 - std::pow(settings.beta2, step);
    const float scale = from_scaler.grad_scale == nullptr ? 1.0f : *from_scaler.grad_scale;
    return {true, static_cast<W>(settings.lr / first), static_cast<W>(std::sqrt(second)), scale};
  }

  void operator()(Real (&values)[5], const Facts& facts) const {
    auto param = static_cast<W>(values[0]);
    auto grad = static_cast<W>(values[1]);
    if (from_scaler.grad_scale != nullptr) {  // SCL-612
      grad /= facts.grad_scale;
      values[1] = static_cast<Real>(grad);
    }
    if (settings.maximize) grad = -grad;
    if (settings.weight_decay != 0 && settings.decoupled) {
      param *= static_cast<W>(1 - settings.lr * settings.weight_decay);
    } else if (settings.weight_decay != 0) {
      grad += param * static_cast<W>(settings.weight_decay);
    }
    const W first =
        interpolated(static_cast<W>(values[2]), grad, static_cast<W>(1 - settings.beta1));
    const W second = static_cast<W>(values[3]) * static_cast<W>(settings.beta2) +
                     static_cast<W>(1 - settings.beta2) * grad * grad;
    W used = second;
    if (settings.amsgrad) {
      const auto largest = static_cast<W>(values[4]);
      used = largest > second || std::isnan(largest) ? largest : second;
      values[4] = static_cast<Real>(used);
    }
    const W below = std::sqrt(used) / facts.root + static_cast<W>(settings.eps);
    values[0] = static_cast<Real>(param - facts.step_size * first / below);
    values[2] = static_cast<Real>(first);
    values[3] = static_cast<Real>(second);
  }
};

}  // namespace assay::cuda
