// Planted errors: out-of-bounds accesses in kernels.
#include <array>

#include "cuda_impl/on_cpu/detectors/device.hpp"
#include "cuda_impl/on_cpu/detectors/memory_kernels.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace {

constexpr int kCount = 8;

Result reads_at(long index) {
  const Ints from(kCount);
  const Ints to(1);
  read_at(to.data(), from.data(), index);
  return to.read();
}

Result writes_at(long index) {
  const Ints to(kCount);
  write_at(to.data(), index);
  return to.read();
}

Result reads_before(bool is_made) { return reads_at(is_made ? -1 : 0); }
Result reads_behind(bool is_made) { return reads_at(is_made ? kCount : kCount - 1); }
Result writes_behind(bool is_made) { return writes_at(is_made ? kCount : kCount - 1); }
Result writes_far_behind(bool is_made) { return writes_at(is_made ? 1 << 20 : 0); }

Result reads_behind_static_shared(bool is_made) {
  const Ints to(kThreads);
  read_static_shared(to.data(), is_made ? 1 : 0);
  return to.read();
}

Result writes_behind_dynamic_shared(bool is_made) {
  const Ints to(kThreads);
  write_dynamic_shared(to.data(), is_made ? 1 : 0);
  return to.read();
}

Result writes_behind_local_array(bool is_made) {
  const Ints to(1);
  write_local_array(to.data(), is_made ? 8 : 7);
  return to.read();
}

Result reads_fresh_shared(bool is_made) {
  const Ints to(kThreads);
  read_fresh_shared(to.data(), is_made ? kThreads / 2 : kThreads);
  return to.read();
}

Result reads_fresh_memory(bool is_made) {
  void* fresh = nullptr;
  must(cudaMalloc(&fresh, sizeof(int)));
  if (!is_made) must(cudaMemset(fresh, 0, sizeof(int)));
  const Ints to(1);
  read_at(to.data(), static_cast<int*>(fresh), 0);
  const Result result = to.read();
  cudaFree(fresh);
  return result;
}

Result reads_freed(bool is_made) {
  void* freed = nullptr;
  must(cudaMalloc(&freed, sizeof(int)));
  must(cudaMemset(freed, 0, sizeof(int)));
  const Ints to(1);
  if (is_made) must(cudaFree(freed));
  read_at(to.data(), static_cast<int*>(freed), 0);
  const Result result = to.read();
  if (!is_made) must(cudaFree(freed));
  return result;
}

Result writes_misaligned(bool is_made) {
  const Ints to(kCount);
  write_misaligned(to.data(), is_made ? 6 : 4);
  return to.read();
}

constexpr std::array kMistakes = {
    Mistake{"reads_before", reads_before},
    Mistake{"reads_behind", reads_behind},
    Mistake{"writes_behind", writes_behind},
    Mistake{"writes_far_behind", writes_far_behind},
    Mistake{"reads_behind_static_shared", reads_behind_static_shared},
    Mistake{"writes_behind_dynamic_shared", writes_behind_dynamic_shared},
    Mistake{"writes_behind_local_array", writes_behind_local_array},
    Mistake{"reads_fresh_shared", reads_fresh_shared},
    Mistake{"reads_fresh_memory", reads_fresh_memory},
    Mistake{"reads_freed", reads_freed},
    Mistake{"writes_misaligned", writes_misaligned},
};

}  // namespace

std::span<const Mistake> memory_mistakes() { return kMistakes; }

}  // namespace assay::cuda::on_cpu::detectors
