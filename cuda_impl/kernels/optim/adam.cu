// The Adam step: its arithmetic for one element, its kernels and its loops on the host. All forms
// but the fused one share their code with the host.

#include <cmath>
#include <type_traits>

#include "cuda_impl/kernels/optim/arithmetic.cuh"
#include "cuda_impl/kernels/optim/optimizer_step.cuh"
#include "cuda_impl/kernels/optim/steps.hpp"

namespace assay::cuda {

/// Values that are constant for a row. `Setting` is the type of the settings.
template <typename W, typename Setting>
struct AdamRowFacts {
  bool runs;
  W step_size;         ///< the learning rate over 1 - beta1 ^ step
  W root;              ///< square root of 1 - beta2 ^ step
  Setting grad_scale;  ///< of the gradient scaler, if there is one
};

struct AdamRule {
  static constexpr int kElementLists = 5;
  static constexpr int kLists = 6;

  AdamSettings settings;
  ScalerPointers from_scaler;

  __host__ __device__ bool writes(int list) const {
    return (list != 1 || settings.writes_grad) && (list != 4 || settings.amsgrad);
  }
};

/// Linear interpolation, computed from the nearer end to lose the fewest bits.
template <typename W>
__host__ __device__ inline W interpolated(W from, W to, W weight) {
  return std::fabs(weight) < W(0.5) ? from + weight * (to - from)
                                    : to - (to - from) * (W(1) - weight);
}

/// Default and foreach: rounds as if each operator stored its result.
template <typename Element>
struct StepwiseAdam : AdamRule {
  using Real = Element;
  using W = Wide<Real>;
  using Facts = AdamRowFacts<W, W>;

  __host__ __device__ Facts facts(void* const*) const { return {true, 0, 0, 0}; }
  /// Does nothing: the host keeps the step counter.
  __host__ __device__ void finish(void* const*) const {}

  __host__ __device__ static W narrowed(W value) { return rounded<Real>(value); }
  __host__ __device__ static W add(W x, W y, double alpha) {
    return narrowed(x + static_cast<W>(alpha) * y);
  }

  __host__ __device__ void operator()(Real (&values)[5], const Facts&) const {
    auto param = static_cast<W>(values[0]);
    auto grad = static_cast<W>(values[1]);
    if (settings.maximize) grad = -grad;
    if (settings.weight_decay != 0 && settings.decoupled) {
      param = narrowed(param * static_cast<W>(1 - settings.lr * settings.weight_decay));
    } else if (settings.weight_decay != 0) {
      grad = add(grad, param, settings.weight_decay);
    }
    const W first = next_first(static_cast<W>(values[2]), grad);
    const W second = next_second(static_cast<W>(values[3]), grad);
    W used = second;
    if (settings.amsgrad) {
      used = larger(static_cast<W>(values[4]), second);
      values[4] = static_cast<Real>(used);
    }
    const auto step = static_cast<W>(-settings.step_size);
    const W below = denominator(used);
    values[0] = static_cast<Real>(settings.scales_first ? narrowed(param + step * first / below)
                                                        : add_product(param, first / below, step));
    values[2] = static_cast<Real>(first);
    values[3] = static_cast<Real>(second);
    if (settings.writes_grad) values[1] = static_cast<Real>(grad);
  }

 private:
  __host__ __device__ W add_product(W x, W product, W factor) const {
    return settings.fuses_products ? narrowed(std::fma(factor, product, x))
                                   : narrowed(x + factor * product);
  }

  __host__ __device__ W next_first(W average, W grad) const {
    if (!settings.interpolates) {
      return add(narrowed(average * static_cast<W>(settings.beta1)), grad, 1 - settings.beta1);
    }
    return narrowed(interpolated(average, grad, static_cast<W>(1 - settings.beta1)));
  }

  __host__ __device__ W next_second(W average, W grad) const {
    const W kept = narrowed(average * static_cast<W>(settings.beta2));
    const auto rest = static_cast<W>(1 - settings.beta2);
    return settings.scales_first ? narrowed(kept + rest * grad * grad)
                                 : add_product(kept, grad * grad, rest);
  }

  __host__ __device__ W denominator(W second) const {
    const auto root = static_cast<W>(settings.root);
    const W numerator = narrowed(std::sqrt(second));
    const W quotient = settings.multiplies_inverse ? numerator * (W(1) / root) : numerator / root;
    return narrowed(narrowed(quotient) + static_cast<W>(settings.eps));
  }

  /// Propagates NaN.
  __host__ __device__ static W larger(W x, W y) { return x != x || x > y ? x : y; }
};

/// Fused: the step counter is in device memory, one for each row.
struct FusedAdamRule : AdamRule {
  __host__ __device__ static float* counter(void* const* data) {
    return static_cast<float*>(data[5]);
  }
  /// SCL-610
  __host__ __device__ bool is_skipped() const {
    return from_scaler.found_inf != nullptr && *from_scaler.found_inf == 1.0f;
  }
  /// SCL-613: increments the step before the elements, and takes found_inf off after them.
  __host__ __device__ void finish(void* const* data) const {
    const float counted = *counter(data) + 1;
    *counter(data) = from_scaler.found_inf == nullptr ? counted : counted - *from_scaler.found_inf;
  }
};

/// Fused, on a device: computes in registers and rounds to the tensor's type only at the store.
/// Settings have the computation type, or are doubles (before 2.11).
template <typename Element, bool kDoubles>
struct FusedAdam : FusedAdamRule {
  using Real = Element;
  using W = Wide<Real>;
  using Setting = std::conditional_t<kDoubles, double, W>;
  using Facts = AdamRowFacts<W, Setting>;

  __device__ Facts facts(void* const* data) const {
    if (is_skipped()) return {false, 0, 0, 0};
    const auto step = static_cast<Setting>(*counter(data) + 1);
    const Setting first = 1 - power(static_cast<Setting>(settings.beta1), step);
    const Setting second = 1 - power(static_cast<Setting>(settings.beta2), step);
    const W root = settings.narrows_before_root ? std::sqrt(static_cast<W>(second))
                                                : static_cast<W>(std::sqrt(second));
    const W step_size = static_cast<W>(static_cast<Setting>(settings.lr) / static_cast<W>(first));
    const float scale = from_scaler.grad_scale == nullptr ? 1.0f : *from_scaler.grad_scale;
    return {true, step_size, root, static_cast<Setting>(scale)};
  }

  __device__ void operator()(Real (&values)[5], const Facts& facts) const {
    auto param = static_cast<W>(values[0]);
    auto grad = static_cast<W>(values[1]);
    if (from_scaler.grad_scale != nullptr) {  // SCL-612
      grad = static_cast<W>(grad / facts.grad_scale);
      values[1] = static_cast<Real>(grad);
    }
    if (settings.maximize) grad = -grad;
    decay(param, grad);
    const W first = next_first(static_cast<W>(values[2]), grad);
    const W second = next_second(static_cast<W>(values[3]), grad);
    W used = second;
    if (settings.amsgrad) {
      const auto largest = static_cast<W>(values[4]);
      used = largest < second ? second : largest;
      values[4] = static_cast<Real>(used);
    }
    const W below =
        static_cast<W>(std::sqrt(used) / facts.root + static_cast<Setting>(settings.eps));
    values[0] = static_cast<Real>(param - facts.step_size * first / below);
    values[2] = static_cast<Real>(first);
    values[3] = static_cast<Real>(second);
  }

 private:
  __device__ void decay(W& param, W& grad) const {
    const auto by = static_cast<Setting>(settings.weight_decay);
    if (by == 0) return;
    if (settings.decoupled) {
      param = static_cast<W>(param - static_cast<Setting>(settings.lr) * by * param);
    } else {
      grad = static_cast<W>(grad + param * by);
    }
  }

  __device__ W next_first(W average, W grad) const {
    const auto beta = static_cast<Setting>(settings.beta1);
    if constexpr (kDoubles) {
      return static_cast<W>(beta * average + (1 - beta) * grad);
    } else {
      return std::fma(beta, average, std::fma(-beta, grad, grad));
    }
  }

  __device__ W next_second(W average, W grad) const {
    const auto beta = static_cast<Setting>(settings.beta2);
    const W square = grad * grad;
    if constexpr (kDoubles) {
      return static_cast<W>(beta * average + (1 - beta) * grad * grad);
    } else {
      return std::fma(beta, average, std::fma(-beta, square, square));
    }
  }
};

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

namespace {

template <typename Real>
void step_typed(std::span<const AdamRow> rows, const AdamRule& rule, const StepPlace& place) {
  if (rule.settings.arithmetic == StepArithmetic::kStepwise) {
    step_rows(StepwiseAdam<Real>{rule}, rows, place);
  } else if (!place.on_device) {
    step_on_host(HostFusedAdam<Real>{rule}, rows);
  } else if (rule.settings.keeps_doubles) {
    step_on_device(FusedAdam<Real, true>{rule}, rows, place.ticket);
  } else {
    step_on_device(FusedAdam<Real, false>{rule}, rows, place.ticket);
  }
}

}  // namespace

void step_adam(std::span<const AdamRow> rows, const AdamSettings& settings,
               const ScalerPointers& from_scaler, const StepPlace& place) {
  const AdamRule rule{settings, from_scaler};
  for_step_type(place.dtype, [&]<typename Real>(Real) { step_typed<Real>(rows, rule, place); });
}

}  // namespace assay::cuda
