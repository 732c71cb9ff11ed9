// The negative logarithm that a loss picks for each target class.
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>

namespace assay::cuda {

/// `logarithms` [batches, classes, plane] and `targets` [batches, plane] are contiguous, the former
/// float32 or float64 and the latter int64. `weights` has one number for each class, or is null.
/// Writes for each target its loss and its weight: 0 for an ignored target, and NaN for one that is
/// no class.
struct ClassLossTask {
  bool is_double = false;
  std::int64_t batches = 1;
  std::int64_t classes = 1;
  std::int64_t plane = 1;
  std::int64_t ignored = -100;
  const void* logarithms = nullptr;
  const std::int64_t* targets = nullptr;
  const void* weights = nullptr;
  void* losses = nullptr;
  void* shares = nullptr;

  __host__ __device__ std::int64_t count() const { return batches * plane; }
};

void launch_class_loss(const ClassLossTask& task);

template <typename Real>
__host__ __device__ void pick_class(const ClassLossTask& task, std::int64_t i) {
  const std::int64_t target = task.targets[i];
  Real loss = 0;
  Real share = 0;
  if (target != task.ignored) {
    const bool is_class = target >= 0 && target < task.classes;
    const std::int64_t at = is_class ? target : 0;
    share = task.weights == nullptr ? Real{1} : static_cast<const Real*>(task.weights)[at];
    const std::int64_t place = (i / task.plane * task.classes + at) * task.plane + i % task.plane;
    loss = -static_cast<const Real*>(task.logarithms)[place] * share;
    if (!is_class) loss = share = static_cast<Real>(NAN);
  }
  static_cast<Real*>(task.losses)[i] = loss;
  static_cast<Real*>(task.shares)[i] = share;
}

}  // namespace assay::cuda
