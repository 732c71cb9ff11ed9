// Kernels that touch what is not theirs where their arguments say so. All on the default stream.
#pragma once

namespace assay::cuda::on_cpu::detectors {

constexpr int kThreads = 32;

void read_at(int* to, const int* from, long index);
void write_at(int* to, long index);
/// kThreads ints; right where `shift` is 0.
void read_static_shared(int* to, int shift);
void write_dynamic_shared(int* to, int shift);
/// Right from 0 to 7.
void write_local_array(int* to, int index);
/// kThreads ints, of which as many are 1 as were filled.
void read_fresh_shared(int* to, int filled);
/// Of bytes; right where it is a multiple of 4.
void write_misaligned(int* to, long offset);

}  // namespace assay::cuda::on_cpu::detectors
