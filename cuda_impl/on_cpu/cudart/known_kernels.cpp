// Looks up kernels and computes their occupancy.
#include "cuda_impl/on_cpu/cudart/known_kernels.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "cuda_impl/on_cpu/cudart/shape.hpp"

namespace assay::cuda::on_cpu {
namespace {

std::map<const void*, KnownKernel>& kernels() {
  static auto* const known = new std::map<const void*, KnownKernel>();
  return *known;
}

std::optional<Program>& the_program() {
  static auto* const made = new std::optional<Program>();
  return *made;
}

constexpr std::size_t kKib = 1024;

/// Per multiprocessor; a block may use 1 KiB less, but all of it on 7.5.
std::size_t multiprocessor_shared_bytes() {
  switch (shape().architecture) {
    case 75:
      return 64 * kKib;
    case 80:
    case 87:
      return 164 * kKib;
    case 86:
    case 89:
    case 120:
      return 100 * kKib;
    default:
      return 228 * kKib;
  }
}

}  // namespace

void add_kernel(const void* function, Kernel kernel) {
  kernels()[function] = {.kernel = std::move(kernel)};
}

void set_program(const Program& program) {
  the_program() = program;
  shape().architecture = program.architecture;
}

const Program* program() { return the_program() ? &*the_program() : nullptr; }

KnownKernel* find_kernel(const void* function) {
  const auto found = kernels().find(function);
  if (found == kernels().end()) return nullptr;
  KnownKernel& known = found->second;
  if (!known.is_complete && program() != nullptr) {
    if (!program()->complete_kernel(known.kernel)) return nullptr;
    known.is_complete = true;
  }
  return &known;
}

std::size_t most_shared_bytes() {
  const std::size_t all = multiprocessor_shared_bytes();
  return shape().architecture == 75 ? all : all - kKib;
}

int blocks_at_once(const Kernel& kernel, int threads, std::size_t dynamic_bytes) {
  constexpr std::size_t kThreads = 2048;
  constexpr std::size_t kBlocks = 32;
  constexpr std::size_t kReserved = kKib;  // of each block, for the system
  if (threads <= 0 || static_cast<unsigned>(threads) > kernel.max_threads) return 0;
  const std::size_t shared = kernel.static_shared_bytes + dynamic_bytes;
  if (shared > most_shared_bytes()) return 0;
  const std::size_t whole_warps = (static_cast<std::size_t>(threads) + 31) / 32 * 32;
  const std::size_t by_shared = multiprocessor_shared_bytes() / (shared + kReserved);
  return static_cast<int>(std::min({kThreads / whole_warps, by_shared, kBlocks}));
}

}  // namespace assay::cuda::on_cpu
