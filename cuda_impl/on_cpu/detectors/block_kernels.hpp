// Kernels in which threads lack a synchronization or deadlock, depending on their arguments.
// All use the default stream.
#pragma once

namespace assay::cuda::on_cpu::detectors {

constexpr int kBlockThreads = 64;

/// Each thread reads what its neighbor in the block or warp has written.
void read_neighbour_in_block(int* to, bool waits);
void read_neighbour_in_warp(int* to, bool waits);
/// One thread in each of two blocks sets the flag.
void raise_flag(int* flag, bool atomically);
/// The last block adds the results of four blocks. `scratch` has five zeros.
void add_blocks(int* total, int* scratch, bool fences);
/// Threads from `first` on wait for their warp, the others for the block.
void wait_apart(int* to, unsigned first);
/// All lanes of a warp pass this mask.
void shuffle_in(int* to, unsigned mask);
/// Each thread writes its index: at that index, or at the position in which it arrives. `counter`
/// must be 0.
void write_numbers(int* to, int* counter, bool by_order);

}  // namespace assay::cuda::on_cpu::detectors
