// A kernel whose arguments are as large as asked for.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// What it can be launched with, in bytes: nothing, the address alone, and up to what a launch may
/// carry.
inline constexpr int kArgumentBytes[] = {0, 8, 1024, 4096, 32760};

/// One thread adds 1 to the counter, an address of the device: a word of the arguments' last bytes.
/// Without arguments it does nothing. False where there is no kernel with so many bytes.
bool launch_with_arguments(int bytes, std::int32_t* counter);

}  // namespace assay::cuda
