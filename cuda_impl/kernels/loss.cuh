// Losses of single elements.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/logarithm.cuh"

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

}  // namespace assay::cuda
