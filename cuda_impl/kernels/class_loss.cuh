// The negative logarithm that a loss picks for each target class, and its gradient.
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>

namespace assay::cuda {

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
