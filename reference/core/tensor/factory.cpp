// Creates storages and tensors.
#include "reference/core/tensor/factory.hpp"

#include "reference/core/runtime.hpp"
#include "reference/core/types/device_hooks.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

struct Geometry {
  const Shape& sizes;
  Shape strides;
};

std::size_t counted_bytes(std::int64_t elements, ScalarType dtype) {
  std::size_t bytes = 0;
  // The limit is half the address space, as PyTorch also counts bytes in a signed type.
  const bool overflows =
      __builtin_mul_overflow(static_cast<std::size_t>(elements), element_size(dtype), &bytes) ||
      bytes > static_cast<std::size_t>(INT64_MAX);
  check(!overflows, [] { return "the bytes of the storage: calculation overflowed 64 bits"; });
  return bytes;
}

void check_host_has(std::size_t bytes) {
  check(bytes <= (std::size_t{1} << 40), ErrorKind::kOutOfMemory,
        [&] { return "out of memory: asked for " + std::to_string(bytes) + " bytes"; });
}

Tensor tensor_of(std::shared_ptr<Storage> storage, Geometry geometry, ScalarType dtype) {
  auto impl = std::make_shared<TensorImpl>();
  impl->device = storage->device();
  impl->storage = std::move(storage);
  impl->version = std::make_shared<VersionCounter>(0);
  impl->dtype = dtype;
  impl->sizes = geometry.sizes;
  impl->strides = std::move(geometry.strides);
  impl->numel = numel_of(impl->sizes);
  impl->contiguous = is_contiguous(impl->sizes, impl->strides);
  impl->dense = is_non_overlapping_and_dense(impl->sizes, impl->strides);
  return Tensor(std::move(impl));
}

/// Null without an allocator. A shortage on the device is reported before one on the host.
std::unique_ptr<StorageMemory> memory_for(Runtime& runtime, Device device, std::size_t size) {
  if (size == 0) return nullptr;
  TensorMemory* allocator = device.is_cuda() ? device_hooks(runtime).memory.get() : nullptr;
  auto memory = allocator == nullptr ? nullptr : allocator->allocate(device, size);
  check_host_has(size);
  ++runtime.counters().allocations;
  return memory;
}

std::shared_ptr<Storage> make_storage(std::unique_ptr<StorageMemory> memory, Device device,
                                      std::size_t size, std::vector<std::uint8_t> bytes) {
  auto storage = std::make_shared<Storage>(device, size, std::move(bytes));
  return memory == nullptr ? storage : with_memory(std::move(storage), std::move(memory));
}

Tensor allocate(Runtime& runtime, Geometry geometry, ScalarType dtype, Device device,
                std::uint8_t content) {
  const Device where = runtime.resolve(device);
  const std::size_t size = counted_bytes(numel_of(geometry.sizes), dtype);
  auto memory = memory_for(runtime, where, size);
  std::vector<std::uint8_t> bytes(where.is_meta() ? 0 : size, content);
  auto storage = make_storage(std::move(memory), where, size, std::move(bytes));
  Tensor made = tensor_of(std::move(storage), std::move(geometry), dtype);
  made.impl()->inference = is_inference_mode(runtime);
  return made;
}

}  // namespace

Tensor empty(Runtime& runtime, const Shape& sizes, ScalarType dtype, Device device) {
  return allocate(runtime, {sizes, contiguous_strides(sizes)}, dtype, device, 0xff);
}

Tensor empty_strided(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype,
                     Device device) {
  return allocate(runtime, {sizes, strides}, dtype, device, 0xff);
}

Tensor zeros(Runtime& runtime, const Shape& sizes, ScalarType dtype, Device device) {
  return allocate(runtime, {sizes, contiguous_strides(sizes)}, dtype, device, 0x00);
}

Tensor full(Runtime& runtime, const Shape& sizes, double value, ScalarType dtype, Device device) {
  Tensor made = empty(runtime, sizes, dtype, device);
  if (made.data() == nullptr) return made;
  for (std::int64_t i = 0; i < made.numel(); ++i) set_real_at(made, i, value);
  return made;
}

Tensor scalar_tensor(Runtime& runtime, double value, ScalarType dtype, Device device) {
  return full(runtime, {}, value, dtype, device);
}

Tensor from_bytes(Runtime& runtime, std::vector<std::uint8_t> bytes, const Shape& sizes,
                  ScalarType dtype, Device device) {
  const Device where = runtime.resolve(device);
  const std::size_t size = counted_bytes(numel_of(sizes), dtype);
  check(where.is_meta() || bytes.size() == size, [&] {
    return "elements of " + to_text(sizes) + " need " + std::to_string(size) + " bytes, got " +
           std::to_string(bytes.size());
  });
  if (where.is_meta()) bytes.clear();
  auto memory = memory_for(runtime, where, size);
  auto storage = make_storage(std::move(memory), where, size, std::move(bytes));
  Tensor made = tensor_of(std::move(storage), {sizes, contiguous_strides(sizes)}, dtype);
  made.impl()->inference = is_inference_mode(runtime);
  return made;
}

Tensor sparse_coo(const Tensor& indices, const Tensor& values, const Shape& sizes, bool coalesced) {
  check(indices.dtype() == ScalarType::kLong && indices.dim() == 2,
        [&] { return "sparse indices must be int64 of two dimensions, got " + describe(indices); });
  check(values.dim() >= 1 && values.size(0) == indices.size(1), [&] {
    return "sparse values must have one entry for each index, got " + describe(values) + " for " +
           describe(indices);
  });
  check(indices.size(0) + values.dim() - 1 == static_cast<std::int64_t>(sizes.size()), [&] {
    return "sparse parts " + describe(indices) + " and " + describe(values) +
           " do not fit the shape " + to_text(sizes);
  });
  check(indices.device() == values.device(), [&] {
    return "sparse parts must be on the same device, got " + to_text(indices.device()) + " and " +
           to_text(values.device());
  });
  auto impl = std::make_shared<TensorImpl>();
  impl->version = std::make_shared<VersionCounter>(0);
  impl->dtype = values.dtype();
  impl->device = values.device();
  impl->sizes = sizes;
  impl->strides = contiguous_strides(sizes);
  impl->numel = numel_of(sizes);
  impl->contiguous = false;
  impl->dense = false;
  impl->sparse = std::make_unique<SparseParts>(SparseParts{indices, values, coalesced});
  return Tensor(std::move(impl));
}

}  // namespace assay::reference
