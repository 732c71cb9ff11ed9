// Planted errors: missing barriers and deadlocks in kernels.
#include <array>

#include "cuda_impl/on_cpu/detectors/block_kernels.hpp"
#include "cuda_impl/on_cpu/detectors/device.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace {

Result forgets_syncthreads(bool is_made) {
  const Ints to(kBlockThreads);
  read_neighbour_in_block(to.data(), !is_made);
  return to.read();
}

Result forgets_syncwarp(bool is_made) {
  const Ints to(32);
  read_neighbour_in_warp(to.data(), !is_made);
  return to.read();
}

Result raises_flag_plainly(bool is_made) {
  const Ints flag(1);
  raise_flag(flag.data(), !is_made);
  return flag.read();
}

Result forgets_threadfence(bool is_made) {
  const Ints total(1);
  const Ints scratch(5);
  add_blocks(total.data(), scratch.data(), !is_made);
  return total.read();
}

Result diverges_at_barrier(bool is_made) {
  const Ints to(kBlockThreads);
  wait_apart(to.data(), is_made ? 61 : 64);
  return to.read();
}

Result shuffles_outside_of_mask(bool is_made) {
  const Ints to(32);
  shuffle_in(to.data(), is_made ? 0xffff : 0xffffffff);
  return to.read();
}

Result relies_on_order_of_threads(bool is_made) {
  const Ints to(32);
  const Ints counter(1);
  write_numbers(to.data(), counter.data(), is_made);
  return to.read();
}

constexpr std::array kMistakes = {
    Mistake{"forgets_syncthreads", forgets_syncthreads},
    Mistake{"forgets_syncwarp", forgets_syncwarp},
    Mistake{"raises_flag_plainly", raises_flag_plainly},
    Mistake{"forgets_threadfence", forgets_threadfence},
    Mistake{"diverges_at_barrier", diverges_at_barrier},
    Mistake{"shuffles_outside_of_mask", shuffles_outside_of_mask},
    Mistake{"relies_on_order_of_threads", relies_on_order_of_threads},
};

}  // namespace

std::span<const Mistake> block_mistakes() { return kMistakes; }

}  // namespace assay::cuda::on_cpu::detectors
