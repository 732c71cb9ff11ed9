// The SGD step: its arithmetic for one element, its kernels and its loops on the host.

#include <cstdint>

#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/kernels/optim/arithmetic.cuh"
#include "cuda_impl/kernels/optim/optimizer_step.cuh"
#include "cuda_impl/kernels/optim/steps.hpp"

namespace assay::cuda {

/// Values that are constant for a row.
struct SgdRowFacts {
  bool runs;
  bool is_first;      ///< the momentum buffer is set to the gradient
  double grad_scale;  ///< of the gradient scaler, if there is one
};

/// A row has param, grad, momentum (or null), and a word that is not 0 once the momentum exists (or
/// null: `settings.is_first` says so).
struct SgdRule {
  static constexpr int kElementLists = 3;
  static constexpr int kLists = 4;

  SgdSettings settings;
  ScalerPointers from_scaler;

  __host__ __device__ SgdRowFacts facts(void* const* data) const {
    const bool runs =
        from_scaler.found_inf == nullptr || *from_scaler.found_inf != 1.0f;  // SCL-610
    const auto* primed = static_cast<const std::uint32_t*>(data[3]);
    const float scale = from_scaler.grad_scale == nullptr ? 1.0f : *from_scaler.grad_scale;
    // A captured first step stays a first step in every replay, whatever the word says by then.
    return {runs, settings.is_first || (primed != nullptr && *primed == 0), scale};
  }
  /// Called once for each row, after all of its elements.
  __host__ __device__ void finish(void* const* data) const {
    if (data[3] != nullptr && facts(data).runs) *static_cast<std::uint32_t*>(data[3]) = 1;
  }
  __host__ __device__ bool writes(int list) const { return list != 1 || settings.writes_grad; }
};

/// Default and foreach: rounds as if each operator stored its result (SCL-801).
template <typename Element>
struct StepwiseSgd : SgdRule {
  using Real = Element;
  using W = Wide<Real>;

  __host__ __device__ static W add(W x, W y, double alpha) {
    return rounded<Real>(multiply_add(static_cast<W>(alpha), y, x));  // OPT-022
  }

  __host__ __device__ void operator()(Real (&values)[3], const SgdRowFacts& facts) const {
    const auto param = static_cast<W>(values[0]);
    auto grad = static_cast<W>(values[1]);
    if (settings.maximize) grad = -grad;
    if (settings.weight_decay != 0) grad = add(grad, param, settings.weight_decay);
    if (settings.momentum != 0) {
      const W buffer = facts.is_first ? grad : next_momentum(static_cast<W>(values[2]), grad);
      values[2] = static_cast<Real>(buffer);
      grad = settings.nesterov ? add(grad, buffer, settings.momentum) : buffer;
    }
    values[0] = static_cast<Real>(add(param, grad, -settings.lr));
    if (settings.writes_grad) values[1] = static_cast<Real>(grad);
  }

 private:
  __host__ __device__ W next_momentum(W buffer, W grad) const {
    const W kept = rounded<Real>(buffer * static_cast<W>(settings.momentum));
    return add(kept, grad, 1 - settings.dampening);
  }
};

/// Fused: settings are doubles, so each statement is computed in double and rounded once to the
/// computation type.
template <typename Element>
struct FusedSgd : SgdRule {
  using Real = Element;
  using W = Wide<Real>;

  __host__ __device__ void operator()(Real (&values)[3], const SgdRowFacts& facts) const {
    const auto param = static_cast<W>(values[0]);
    auto grad = static_cast<W>(values[1]);
    if (from_scaler.grad_scale != nullptr) {  // SCL-612
      grad = static_cast<W>(static_cast<double>(grad) / facts.grad_scale);
      values[1] = static_cast<Real>(grad);
    }
    if (settings.maximize) grad = -grad;
    if (settings.weight_decay != 0) grad = static_cast<W>(grad + settings.weight_decay * param);
    if (settings.momentum != 0) {
      const double old = static_cast<W>(values[2]);
      const double buffer =
          facts.is_first ? grad : settings.momentum * old + (1 - settings.dampening) * grad;
      values[2] = static_cast<Real>(static_cast<W>(buffer));
      grad = static_cast<W>(settings.nesterov ? grad + settings.momentum * buffer : buffer);
    }
    values[0] = static_cast<Real>(static_cast<W>(param - settings.lr * grad));
  }
};

namespace {

template <typename Real>
void step_typed(std::span<const SgdRow> rows, const SgdRule& rule, const StepPlace& place) {
  if (rule.settings.arithmetic == StepArithmetic::kFused) {
    step_rows(FusedSgd<Real>{rule}, rows, place);
  } else {
    step_rows(StepwiseSgd<Real>{rule}, rows, place);
  }
}

}  // namespace

void step_sgd(std::span<const SgdRow> rows, const SgdSettings& settings,
              const ScalerPointers& from_scaler, const StepPlace& place) {
  const SgdRule rule{settings, from_scaler};
  for_step_type(place.dtype, [&]<typename Real>(Real) { step_typed<Real>(rows, rule, place); });
}

}  // namespace assay::cuda
