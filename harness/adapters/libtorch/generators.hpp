// Random generators: a real one for the CPU, and ones that only have a key for other
// devices.
#pragma once

#include <ATen/core/Generator.h>

#include "harness/protocol/value.hpp"

namespace assay::libtorch {

at::Generator generator_of(const Generator& generator);

}  // namespace assay::libtorch
