// The memory behind tensors: a piece of a device's memory, or of the host's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/lent_memory.hpp"

namespace assay::cuda {

/// Owns its memory. That of a device belongs to the stream that was current when it was made, and
/// goes back to that stream, whichever is current then: neither waits for the device (MEM-004).
class Storage {
 public:
  /// Nothing is allocated for no bytes, and for meta whatever the size. Raises `out_of_memory`.
  Storage(Device device, std::size_t size_bytes);
  /// Memory of the host that devices copy from and to by themselves (MEM-028).
  static std::shared_ptr<Storage> pinned(std::size_t size_bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Device device() const { return device_; }
  std::size_t size_bytes() const { return size_bytes_; }
  /// An address of the device; null where nothing was allocated.
  std::byte* data() const { return memory_.data; }
  bool is_pinned() const { return device_.is_cpu() && memory_.block != nullptr; }

  /// A stream uses the memory beside the one that it belongs to; pinned memory belongs to none. It
  /// is not given to anybody else before that stream has done what it has to do when this storage
  /// goes. Nothing for other memory.
  void note_use(StreamUse stream) const;

 private:
  struct Pinned {};
  Storage(Pinned, std::size_t size_bytes);

  Device device_;
  std::size_t size_bytes_;
  LentMemory memory_;  ///< without a block where it is of the host's heap
};

}  // namespace assay::cuda
