// Default values of schemas in the protocol.
#pragma once

#include "cuda_impl/dispatch/schema/schema.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// Converts a default value to a protocol value.
Value to_waist(const dispatch::Constant& constant, Release release);

}  // namespace assay::cuda
