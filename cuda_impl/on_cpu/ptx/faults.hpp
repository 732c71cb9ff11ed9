// Faults that end a kernel, and state that its threads share.
#pragma once

#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx {

[[noreturn]] void misaligned_access(u64 address, u32 bytes);
[[noreturn]] void branch_out_of_range();
[[noreturn]] void trap();

/// The function that nvcc calls for a failed assert(). Takes the addresses of its parameters.
[[noreturn]] void function___assertfail(u64 message, u64 file, u64 line, u64 function,
                                        u64 character_bytes);

bool is_in_shared_memory(u64 address);

/// The clock: the number of calls, so it always advances.
u64 clock_ticks();

}  // namespace assay::cuda::on_cpu::ptx
