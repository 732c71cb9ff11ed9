// The arguments of `bench.run` for device loops, and tensors made from them.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// The argument `dtype`. Throws NotSupported for a type without loops.
Dtype bench_dtype(Call& call);
/// The argument `N`. Throws NotSupported if a simulated device would take too long.
std::int64_t bench_elements(Call& call);
/// The tensors' element counts: `sizes`, or `tensors` times `N`. Throws like `bench_elements`.
std::vector<std::int64_t> bench_sizes(Call& call);
/// The argument `alignment`: a power of two up to 256, which is the default.
std::int64_t bench_alignment(Call& call);

/// Returns a device tensor whose address is an odd multiple of `alignment` bytes. Throws
/// NotSupported if the dtype does not permit this.
Tensor bench_tensor(std::int64_t elements, Dtype dtype, std::int64_t alignment);

}  // namespace assay::cuda
