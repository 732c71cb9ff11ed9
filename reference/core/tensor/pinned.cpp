// Implements MEM-028 for tensors.
#include "reference/core/tensor/pinned.hpp"

#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/device_hooks.hpp"

namespace assay::reference {
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
