// Simulated memory behind storages: blocks of a device allocator, or pinned (page-locked) host
// memory.
#pragma once

#include <cstddef>
#include <memory>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
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

/// Returns a CPU tensor with unspecified content; pinned if a pinned allocator is installed
/// (MEM-028). The strides must be dense and without overlap.
Tensor empty_pinned(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype);

bool is_pinned(const Tensor& tensor);

/// Returns the tensor itself if it is pinned, otherwise a pinned copy. Raises `error` for a device
/// tensor, and if there are no devices (`not_implemented` in 1.13): MEM-028.
Tensor pinned(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
