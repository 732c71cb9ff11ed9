// The memory of tensors: a block of device memory or host memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/allocated_memory.hpp"
#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

/// Owns its memory. Device memory belongs to the stream that was current at construction and is
/// returned to that stream; neither operation waits for the device (MEM-004).
class Storage {
 public:
  /// Allocates nothing for 0 bytes or a meta device. Raises `out_of_memory`.
  Storage(Device device, std::size_t size_bytes);
  /// Returns pinned host memory, which devices can access directly (MEM-028).
  static std::shared_ptr<Storage> pinned(std::size_t size_bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Device device() const { return device_; }
  std::size_t size_bytes() const { return size_bytes_; }
  /// A device address for device memory; null if nothing was allocated.
  std::byte* data() const { return memory_.data; }
  bool is_pinned() const { return device_.is_cpu() && memory_.block != nullptr; }

  /// Records that another stream uses the memory (for pinned memory: any stream). When the storage
  /// is destroyed, the memory is not reused until that stream has finished the work that it has
  /// then. Does nothing for pageable host memory.
  void note_use(StreamUse stream) const;

 private:
  struct Pinned {};
  Storage(Pinned, std::size_t size_bytes);

  Device device_;
  std::size_t size_bytes_;
  AllocatedMemory memory_;  ///< without a block if it is pageable host memory
};

}  // namespace assay::cuda
