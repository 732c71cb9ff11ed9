// The memory that storages take: from the allocator of a device, or pinned on the host.
#pragma once

#include <cstddef>
#include <memory>

#include "reference/core/tensor/storage.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

/// Given back when the storage dies.
class StorageMemory {
 public:
  virtual ~StorageMemory() = default;
  /// Host memory that devices copy from and to by themselves (MEM-028).
  virtual bool is_pinned() const = 0;
  /// Work in the calling thread's current stream of the device uses it (MEM-006, MEM-028).
  virtual void used_by(Device device) = 0;
};

/// Whoever hands out the memory of devices.
class TensorMemory {
 public:
  virtual ~TensorMemory() = default;
  /// In the calling thread's current stream of the device. Raises `out_of_memory`.
  virtual std::unique_ptr<StorageMemory> allocate(Device device, std::size_t size_bytes) = 0;
  /// On the host.
  virtual std::unique_ptr<StorageMemory> pin(std::size_t size_bytes) = 0;
};

/// The same storage, which gives the memory back when the last tensor lets go of it.
std::shared_ptr<Storage> with_memory(std::shared_ptr<Storage> storage,
                                     std::unique_ptr<StorageMemory> memory);
/// Null for a storage that is nothing but bytes.
StorageMemory* memory_of(const std::shared_ptr<Storage>& storage);
/// For work that is under way: the bytes stay as long as it holds this, and the memory is given
/// back all the same when the storage dies, as on a device.
std::shared_ptr<Storage> bytes_of(const std::shared_ptr<Storage>& storage);

}  // namespace assay::reference
