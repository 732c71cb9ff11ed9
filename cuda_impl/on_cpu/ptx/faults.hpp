// What ends a kernel from inside, and what its threads share behind the scenes.
#pragma once

#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

[[noreturn]] void misaligned_access(u64 address, u32 bytes);
[[noreturn]] void branch_out_of_range();
[[noreturn]] void trap();

/// What nvcc makes of assert(): the addresses of its parameters.
[[noreturn]] void function___assertfail(u64 message, u64 file, u64 line, u64 function,
                                        u64 character_bytes);

bool is_in_shared_memory(u64 address);

/// Counts the calls: a clock that never stands still.
u64 clock_ticks();

}  // namespace assay::cuda::on_cpu::ptx
