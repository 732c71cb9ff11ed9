// Default values of schemas as boxed values.
#pragma once

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/dispatch/schema/constant.hpp"

namespace assay::cuda {

Boxed boxed_constant(const dispatch::Constant& constant);

}  // namespace assay::cuda
