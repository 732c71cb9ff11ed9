// The shared memory of the running block, with red zones around its arrays.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/grid.hpp"

namespace assay::cuda::on_cpu {

class SharedMemory {
 public:
  /// Prepares memory for one block; `poison` fills it with ff.
  void begin(const GridRun& run, bool poison);
  void end();

  /// The variable of this name, made by its first use in a block; null if there is no room.
  std::byte* variable(const void* name, std::size_t bytes);

  std::byte* base() const { return base_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Release {
    void operator()(std::byte* memory) const;
  };

  struct Variable {
    const void* name;
    std::byte* at;
  };

  void make_room(std::size_t bytes);
  void make_room_for_variables();

  std::unique_ptr<std::byte, Release> memory_;
  std::unique_ptr<std::byte, Release> memory_of_variables_;
  std::vector<Variable> variables_;
  std::size_t used_by_variables_ = 0;  ///< with their red zones
  bool poisons_ = false;
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t room_ = 0;
};

/// Throws std::invalid_argument for arrays that overlap or exceed the static part.
void check_shared_memory(const GridRun& run);

}  // namespace assay::cuda::on_cpu
