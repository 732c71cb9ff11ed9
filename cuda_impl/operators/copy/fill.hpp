// One value for every element.
#pragma once

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Raises `error` for a number that the type cannot hold (CORE-07). Counts one version. Elements
/// that are one are let through.
void fill_(const Tensor& tensor, const Scalar& value, const Contract& contract = {});

/// Without a check and without a version: the bytes of one element, as `to_element` makes them.
void fill_elements(const Tensor& tensor, const Element& element);

}  // namespace assay::cuda
