// What loops on a device are made with: the arguments of `bench.run`, and tensors by them.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// `dtype`. Throws NotSupported for a type that loops do not have.
Dtype bench_dtype(Call& call);
/// `N`. Throws NotSupported for more than a simulated device can do in reasonable time.
std::int64_t bench_elements(Call& call);
/// Of each tensor: `sizes`, or `tensors` of `N` elements. Throws as `bench_elements` does.
std::vector<std::int64_t> bench_sizes(Call& call);
/// `alignment`, 256 where nothing is said: a power of two up to that.
std::int64_t bench_alignment(Call& call);

/// A tensor on the device whose address is an odd multiple of so many bytes. Throws NotSupported
/// where its elements cannot be there.
Tensor bench_tensor(std::int64_t elements, Dtype dtype, std::int64_t alignment);

}  // namespace assay::cuda
