// A kernel with arguments of a chosen size, for measuring the cost of a launch.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// The sizes in bytes that `launch_with_arguments` supports: no argument, one address, and up to
/// the maximum of a launch.
inline constexpr int kArgumentBytes[] = {0, 8, 1024, 4096, 32760};

/// Launches one thread that adds its last argument word, a 1, to `counter` in device memory;
/// without arguments it does nothing. Returns false if no kernel takes this size.
bool launch_with_arguments(int bytes, std::int32_t* counter);

}  // namespace assay::cuda
