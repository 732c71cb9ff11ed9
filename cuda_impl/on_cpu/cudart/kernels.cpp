// Looks up kernels and computes their occupancy.
#include "cuda_impl/on_cpu/cudart/kernels.hpp"

#include <algorithm>
#include <map>

namespace assay::cuda::on_cpu {
namespace {

std::map<const void*, KnownKernel>& kernels() {
  static auto* const known = new std::map<const void*, KnownKernel>();
  return *known;
}

FindVariable finder = nullptr;  // of the program, if its kernels run here

constexpr std::size_t kKib = 1024;
constexpr std::size_t kMultiprocessorSharedBytes = 228 * kKib;
constexpr std::size_t kReserved = kKib;  // of each block, for the system

}  // namespace

void add_kernel(const void* function, Kernel kernel) {
  kernels()[function] = {.kernel = std::move(kernel)};
}

void set_program(FindVariable find) { finder = find; }

bool has_program() { return finder != nullptr; }

bool find_in_program(const void* symbol, Variable& variable) {
  return has_program() && finder(symbol, variable);
}

KnownKernel* find_kernel(const void* function) {
  const auto found = kernels().find(function);
  return found == kernels().end() ? nullptr : &found->second;
}

std::size_t most_shared_bytes() { return kMultiprocessorSharedBytes - kReserved; }

int blocks_at_once(const Kernel& kernel, int threads, std::size_t dynamic_bytes) {
  constexpr std::size_t kThreads = 2048;
  constexpr std::size_t kBlocks = 32;
  if (threads <= 0 || static_cast<unsigned>(threads) > kernel.max_threads) return 0;
  if (dynamic_bytes > most_shared_bytes()) return 0;
  const std::size_t whole_warps = (static_cast<std::size_t>(threads) + 31) / 32 * 32;
  const std::size_t by_shared = kMultiprocessorSharedBytes / (dynamic_bytes + kReserved);
  return static_cast<int>(std::min({kThreads / whole_warps, by_shared, kBlocks}));
}

}  // namespace assay::cuda::on_cpu
