// The arguments of the loss-scaling operators.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// References that must stay valid during the call only.
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

/// References that must stay valid during the call only.
struct UnscaleTensors {
  std::span<const Tensor> grads;
  const Tensor& found_inf;
  const Tensor& inv_scale;
};

}  // namespace assay::cuda
