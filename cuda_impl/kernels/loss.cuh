// Losses of single elements; and the negative logarithm that a loss picks for each target class,
// with its gradient.
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/functions.cuh"

namespace assay::cuda {

enum class LossKind : std::uint8_t {
  kAbsolute,          ///< |x - y|
  kSmooth,            ///< quadratic below `limit`, absolute above it
  kHuber,             ///< the same times `limit`
  kDivergence,        ///< y (ln y - x)
  kDivergenceOfLogs,  ///< exp(y) (y - x)
  kSoftMargin,        ///< ln(1 + exp(-x y))
  kHinge,             ///< x for y = 1, max(0, limit - x) for y = -1
  kRanking,           ///< max(0, limit - x y)
  kPoisson,           ///< x - y ln(x + limit)
  kPoissonOfLogs,     ///< exp(x) - x y
  kStirling,          ///< ln y! for y > 1, approximately
  kProbability,       ///< -(y ln x + (1 - y) ln(1 - x)), the logarithms at least -100
  kLogits,            ///< (1 - y) x + z ln(1 + exp(-x))
};

/// `count` elements of a tensor each, float32 or float64; `third` (z) may be null and is 1 then.
struct LossTask {
  LossKind kind = LossKind::kAbsolute;
  bool is_double = false;
  std::int64_t count = 0;
  const void* first = nullptr;   ///< x
  const void* second = nullptr;  ///< y
  const void* third = nullptr;
  double limit = 1;
  void* out = nullptr;
};

void launch_loss(const LossTask& task);

namespace detail {

/// ln(1 + exp(x)) without overflow.
__host__ __device__ inline double softplus(double x) {
  return logarithm_of_one_and(exp(-fabs(x))) + (x > 0 ? x : 0);
}

__host__ __device__ inline double at_least(double least, double x) { return x < least ? least : x; }

__host__ __device__ inline double loss_of(LossKind kind, double x, double y, double z,
                                          double limit) {
  const double apart = fabs(x - y);
  switch (kind) {
    case LossKind::kAbsolute:
      return apart;
    case LossKind::kSmooth:
      return apart < limit ? 0.5 * apart * apart / limit : apart - 0.5 * limit;
    case LossKind::kHuber:
      return apart <= limit ? 0.5 * apart * apart : limit * (apart - 0.5 * limit);
    case LossKind::kDivergence:
      return (y == 0 ? 0 : y * logarithm(y)) - y * x;
    case LossKind::kDivergenceOfLogs:
      return exp(y) * (y - x);
    case LossKind::kSoftMargin:
      return softplus(-x * y);
    case LossKind::kHinge:
      return (y == -1 ? 0 : x) + (y == 1 ? 0 : at_least(0, limit - x));
    case LossKind::kRanking:
      return at_least(0, limit - x * y);
    case LossKind::kPoisson:
      return x - y * logarithm(x + limit);
    case LossKind::kPoissonOfLogs:
      return exp(x) - x * y;
    case LossKind::kStirling:
      return y <= 1 ? 0 : y * logarithm(y) - y + 0.5 * logarithm(2 * 3.141592653589793 * y);
    case LossKind::kProbability:
      return (y - 1) * at_least(-100, logarithm(1 - x)) - y * at_least(-100, logarithm(x));
    case LossKind::kLogits:
      return (1 - y) * x + z * softplus(-x);
  }
  return 0;
}

}  // namespace detail

/// Computed in double and rounded once.
template <typename Real>
__host__ __device__ Real loss_at(const LossTask& task, std::int64_t i) {
  const auto at = [i](const void* data, double otherwise) {
    return data == nullptr ? otherwise : static_cast<double>(static_cast<const Real*>(data)[i]);
  };
  return static_cast<Real>(detail::loss_of(task.kind, at(task.first, 0), at(task.second, 0),
                                           at(task.third, 1), task.limit));
}

/// `targets` [batches, plane] are contiguous int64; all other tensors are contiguous, float32 or
/// float64. `weights` has one number for each class, or is null.
struct ClassPicks {
  bool is_double = false;
  std::int64_t batches = 1;
  std::int64_t classes = 1;
  std::int64_t plane = 1;
  std::int64_t ignored = -100;
  const std::int64_t* targets = nullptr;
  const void* weights = nullptr;

  __host__ __device__ std::int64_t count() const { return batches * plane; }
  __host__ __device__ bool is_class(std::int64_t target) const {
    return target >= 0 && target < classes;
  }
  /// The place of a class of the target's sample in [batches, classes, plane].
  __host__ __device__ std::int64_t place(std::int64_t i, std::int64_t at) const {
    return (i / plane * classes + at) * plane + i % plane;
  }
  template <typename Real>
  __host__ __device__ Real weight(std::int64_t at) const {
    return weights == nullptr ? Real{1} : static_cast<const Real*>(weights)[at];
  }
};

/// Writes for each target its loss, from `logarithms` [batches, classes, plane], and its weight: 0
/// for an ignored target, and NaN for one that is no class.
struct ClassLossTask : ClassPicks {
  const void* logarithms = nullptr;
  void* losses = nullptr;
  void* shares = nullptr;
};
void launch_class_loss(const ClassLossTask& task);

/// `gradients` [batches, plane] are those of the losses. Writes the gradient of each logarithm that
/// a target picked to `slopes` [batches, classes, plane].
struct ClassSlopeTask : ClassPicks {
  const void* gradients = nullptr;
  void* slopes = nullptr;
};
void launch_class_slope(const ClassSlopeTask& task);

template <typename Real>
__host__ __device__ void pick_class(const ClassLossTask& task, std::int64_t i) {
  const std::int64_t target = task.targets[i];
  Real loss = 0;
  Real share = 0;
  if (target != task.ignored) {
    const std::int64_t at = task.is_class(target) ? target : 0;
    share = task.weight<Real>(at);
    loss = -static_cast<const Real*>(task.logarithms)[task.place(i, at)] * share;
    if (!task.is_class(target)) loss = share = static_cast<Real>(NAN);
  }
  static_cast<Real*>(task.losses)[i] = loss;
  static_cast<Real*>(task.shares)[i] = share;
}

template <typename Real>
__host__ __device__ void spread_class(const ClassSlopeTask& task, std::int64_t i) {
  const std::int64_t target = task.targets[i];
  if (target == task.ignored || !task.is_class(target)) return;
  static_cast<Real*>(task.slopes)[task.place(i, target)] =
      -task.weight<Real>(target) * static_cast<const Real*>(task.gradients)[i];
}

}  // namespace assay::cuda
