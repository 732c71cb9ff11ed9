// Attaches memory to the shared pointer of a storage; tensors in pinned memory (MEM-028).
#include "reference/core/tensor/storage_memory.hpp"

#include <utility>

#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/device_hooks.hpp"

namespace assay::reference {
namespace {

struct MemoryBeforeBytes {
  std::shared_ptr<Storage> bytes;
  std::shared_ptr<StorageMemory> memory;

  void operator()(Storage*) {
    memory.reset();
    bytes.reset();
  }
};

}  // namespace

std::shared_ptr<Storage> with_memory(std::shared_ptr<Storage> storage,
                                     std::unique_ptr<StorageMemory> memory) {
  Storage* pointer = storage.get();
  return {pointer, MemoryBeforeBytes{std::move(storage), std::move(memory)}};
}

StorageMemory* memory_of(const std::shared_ptr<Storage>& storage) {
  const auto* give_back = std::get_deleter<MemoryBeforeBytes>(storage);
  return give_back == nullptr ? nullptr : give_back->memory.get();
}

std::shared_ptr<Storage> bytes_of(const std::shared_ptr<Storage>& storage) {
  const auto* give_back = std::get_deleter<MemoryBeforeBytes>(storage);
  return give_back == nullptr ? storage : give_back->bytes;
}

// Pinned tensors.

namespace {

void check_can_pin(const Runtime& runtime, const Tensor& tensor) {
  const bool is_first = runtime.contract().before(Release::k2_4);
  check(runtime.contract().cuda(), is_first ? ErrorKind::kNotImplemented : ErrorKind::kError,
        [] { return "cannot pin memory: there is no CUDA backend to pin it for"; });
  check(tensor.device().is_cpu(), [&] {
    return "cannot pin " + describe(tensor) + ": only dense CPU tensors can be pinned";
  });
}

}  // namespace

Tensor empty_pinned(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype) {
  const Tensor made = empty_strided(runtime, sizes, strides, dtype, kCpuDevice);
  auto& storage = made.impl()->storage;
  if (TensorMemory* host = device_hooks(runtime).memory.get(); host && storage->size_bytes() > 0) {
    storage = with_memory(storage, host->pin(storage->size_bytes()));
  }
  return made;
}

bool is_pinned(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_sparse()) return false;
  const StorageMemory* memory = memory_of(tensor.impl()->storage);
  return memory != nullptr && memory->is_pinned();
}

Tensor pinned(Runtime& runtime, const Tensor& tensor) {
  if (is_pinned(tensor)) return tensor;
  check_can_pin(runtime, tensor);
  const Tensor made =
      empty_pinned(runtime, tensor.sizes(), preserved_strides(tensor), tensor.dtype());
  return copy_into_new(runtime, made, tensor);
}

}  // namespace assay::reference
