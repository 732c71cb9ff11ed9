// The requests of a running CUDA thread.
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

#include <stdexcept>

#include "cuda_impl/on_cpu/scheduler/block.hpp"

namespace assay::cuda::on_cpu {
namespace {

Block& running() {
  Block* const block = Block::running();
  if (block == nullptr) throw std::logic_error("no CUDA thread is running here");
  return *block;
}

}  // namespace

ThreadPlace place() { return running().place(); }

Votes block_barrier(bool vote, std::uint32_t barrier, std::uint32_t threads) {
  return running().barrier({vote, barrier, threads});
}

void arrive_at_barrier(std::uint32_t barrier, std::uint32_t threads) {
  running().arrive({false, barrier, threads});
}

Exchange warp_exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory) {
  return running().exchange(mask, deposit, orders_memory);
}

std::uint32_t active_mask() { return 1u << running().place().lane(); }

void memory_fence() { running().fence(); }

void yield() { running().yield(); }

std::byte* shared_memory() { return running().shared().base(); }

std::size_t shared_memory_bytes() { return running().shared().bytes(); }

std::byte* shared_variable(const void* name, std::size_t bytes) {
  return running().shared_variable(name, bytes);
}

void kernel_fault(const std::string& reason) { running().give_up(reason); }

}  // namespace assay::cuda::on_cpu
