// Fills a tensor with one value.
#pragma once

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Raises `error` for a number out of the dtype's range (CORE-07). Counts one version. Permits
/// elements that share memory.
void fill_(const Tensor& tensor, const Scalar& value, const Contract& contract = {});

/// Without checks or a version. `element` has the bytes that `to_element` returns.
void fill_elements(const Tensor& tensor, const Element& element);

}  // namespace assay::cuda
