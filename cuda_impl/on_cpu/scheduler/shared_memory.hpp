// The shared memory of the running block, with red zones around each part.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace assay::cuda::on_cpu {

class SharedMemory {
 public:
  /// Prepares memory for one block, of which `bytes` are dynamic; `poison` fills it with ff.
  void begin(std::size_t bytes, bool poison);
  void end();

  /// The variable of this name, made by its first use in a block; null if there is no room.
  std::byte* variable(const void* name, std::size_t bytes);

  /// The dynamic shared memory.
  std::byte* base() const { return base_; }

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
  std::size_t room_ = 0;
};

}  // namespace assay::cuda::on_cpu
