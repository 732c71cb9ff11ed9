// Kernels whose threads do not wait for each other, or wait for ever, where their arguments say so.
// All on the default stream.
#pragma once

namespace assay::cuda::on_cpu::detectors {

constexpr int kBlockThreads = 64;

/// Each thread reads what its neighbour in the block, or in the warp, has written.
void read_neighbour_in_block(int* to, bool waits);
void read_neighbour_in_warp(int* to, bool waits);
/// One thread of each of two blocks.
void raise_flag(int* flag, bool atomically);
/// The block that comes last adds what four blocks have written. `scratch` has five zeros.
void add_blocks(int* total, int* scratch, bool fences);
/// Threads from `first` on wait for their warp, the others for the block.
void wait_apart(int* to, unsigned first);
/// All lanes of a warp name this mask.
void shuffle_in(int* to, unsigned mask);
/// Each thread writes its number: at the place of its number, or where it comes in the order of
/// those that came before. `counter` is 0.
void write_numbers(int* to, int* counter, bool by_order);

}  // namespace assay::cuda::on_cpu::detectors
