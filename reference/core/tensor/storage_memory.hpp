// Simulated memory behind storages: blocks of a device allocator, or pinned host memory.
#pragma once

#include <cstddef>
#include <memory>

#include "reference/core/tensor/storage.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

/// Freed when the storage is destroyed.
class StorageMemory {
 public:
  virtual ~StorageMemory() = default;
  /// Whether it is pinned host memory, which devices access directly (MEM-028).
  virtual bool is_pinned() const = 0;
  /// Records a use by the calling thread's current stream of the device (MEM-006, MEM-028).
  virtual void used_by(Device device) = 0;
};

/// The interface of the allocator.
class TensorMemory {
 public:
  virtual ~TensorMemory() = default;
  /// For the calling thread's current stream of the device. Raises `out_of_memory`.
  virtual std::unique_ptr<StorageMemory> allocate(Device device, std::size_t size_bytes) = 0;
  /// Allocates pinned host memory.
  virtual std::unique_ptr<StorageMemory> pin(std::size_t size_bytes) = 0;
};

/// Attaches the memory to the storage; it is freed with the last reference to the storage.
std::shared_ptr<Storage> with_memory(std::shared_ptr<Storage> storage,
                                     std::unique_ptr<StorageMemory> memory);
/// Null for a storage without attached memory.
StorageMemory* memory_of(const std::shared_ptr<Storage>& storage);
/// For submitted work: keeps the bytes alive, but not the attached memory, which is freed with the
/// storage, as on a real device.
std::shared_ptr<Storage> bytes_of(const std::shared_ptr<Storage>& storage);

}  // namespace assay::reference
