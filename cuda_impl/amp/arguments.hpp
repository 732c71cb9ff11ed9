// What the operators of loss scaling work on.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// The tensors must outlive the call, and only that.
struct UpdateScaleTensors {
  const Tensor& scale;
  const Tensor& growth_tracker;
  const Tensor& found_inf;
};

struct UpdateFactors {
  double growth;
  double backoff;
  std::int64_t interval;
};

/// The tensors must outlive the call, and only that.
struct UnscaleTensors {
  std::span<const Tensor> grads;
  const Tensor& found_inf;
  const Tensor& inv_scale;
};

}  // namespace assay::cuda
