// Running sums and products along a dimension.
#pragma once

#include <optional>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

enum class Scan : std::uint8_t { kSum, kProduct };
/// Converts the input to `dtype` first, if given; integers and bools become int64 otherwise.
Tensor scan(Scan what, const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});

}  // namespace assay::cuda
