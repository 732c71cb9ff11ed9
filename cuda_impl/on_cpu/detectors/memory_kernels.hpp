// Kernels that access invalid memory, depending on their arguments. All use the default stream.
#pragma once

namespace assay::cuda::on_cpu::detectors {

constexpr int kThreads = 32;

void read_at(int* to, const int* from, long index);
void write_at(int* to, long index);
/// Uses kThreads ints; correct if `shift` is 0.
void read_static_shared(int* to, int shift);
void write_dynamic_shared(int* to, int shift);
/// Correct for 0 to 7.
void write_local_array(int* to, int index);
/// Uses kThreads ints, the first `filled` of which are initialized to 1.
void read_fresh_shared(int* to, int filled);
/// An offset in bytes; correct if it is a multiple of 4.
void write_misaligned(int* to, long offset);

}  // namespace assay::cuda::on_cpu::detectors
