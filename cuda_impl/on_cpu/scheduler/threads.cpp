// The requests of a running CUDA thread.
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

#include <stdexcept>
#include <utility>

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

Votes block_barrier(bool vote) { return running().barrier(vote); }

Exchange warp_exchange(std::uint32_t mask, std::uint64_t deposit, bool orders_memory) {
  return running().exchange(mask, deposit, orders_memory);
}

void memory_fence() { running().fence(); }

std::byte* shared_memory() { return running().shared().base(); }

std::byte* shared_variable(const void* name, std::size_t bytes) {
  return running().shared_variable(name, bytes);
}

void kernel_fault(const std::string& reason) { running().give_up(reason); }

void end_faulty_thread(std::string&& reason) { running().end_thread(std::move(reason)); }

}  // namespace assay::cuda::on_cpu
