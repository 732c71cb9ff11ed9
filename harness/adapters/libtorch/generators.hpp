// Generators of random numbers: a real one for the CPU, one that only has its key for other
// devices.
#pragma once

#include <ATen/core/Generator.h>

#include "harness/protocol/value.hpp"

namespace assay::libtorch {

at::Generator generator_of(const Generator& generator);

}  // namespace assay::libtorch
