// The shared memory of the running block, with red zones around its arrays.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda_impl/on_cpu/scheduler/grid.hpp"

namespace assay::cuda::on_cpu {

class SharedMemory {
 public:
  /// Prepares memory for one block; `poison` fills it with ff.
  void begin(const GridRun& run, bool poison);
  void end();

  std::byte* base() const { return base_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Release {
    void operator()(std::byte* memory) const;
  };

  void make_room(std::size_t bytes);

  std::unique_ptr<std::byte, Release> memory_;
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t room_ = 0;
};

/// Throws std::invalid_argument for arrays that overlap or exceed the static part.
void check_shared_memory(const GridRun& run);

}  // namespace assay::cuda::on_cpu
