// to(): conversion of dtype, device and memory format.
#include <array>

#include "cuda_impl/operators/converted_operand.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/copy/transfer.hpp"

namespace assay::cuda {
namespace {

Shape channels_last_strides(const Shape& sizes) {
  require(sizes.size() == 4, [] { return "required rank 4 tensor to use channels_last format"; });
  const std::int64_t channels = sizes[1];
  return {sizes[2] * sizes[3] * channels, 1, sizes[3] * channels, channels};
}

/// Returns whether the strides have channels_last order; gaps are allowed.
bool looks_channels_last(const Tensor& tensor) {
  if (tensor.dim() != 4 || tensor.numel() == 0 || tensor.strides()[1] == 0) return false;
  std::int64_t least = 0;
  for (const std::size_t dim : {1u, 3u, 2u, 0u}) {
    const std::int64_t stride = tensor.strides()[dim];
    if (stride < least) return false;
    // With batches of single elements, the strides are ambiguous.
    if (dim == 0 && least == tensor.strides()[1]) return false;
    least = stride * tensor.sizes()[dim];
  }
  return true;
}

/// Any other order counts as contiguous, with or without gaps.
bool has_format(const Tensor& tensor, MemoryFormat format) {
  if (format == MemoryFormat::kPreserve) return true;
  return looks_channels_last(tensor) == (format == MemoryFormat::kChannelsLast);
}

/// CAST-912
Shape new_strides(const Tensor& tensor, MemoryFormat format) {
  const Shape& sizes = tensor.sizes();
  if (format == MemoryFormat::kChannelsLast) return channels_last_strides(sizes);
  if (format == MemoryFormat::kContiguous) return contiguous_strides(sizes);
  if (tensor.is_dense()) return tensor.strides();
  const std::array<Operand, 1> order{tensor};
  return elementwise_strides(order, sizes);
}

/// CORE-20: there is one CPU, but 1.13 treats `cpu:0` as a different device.
bool is_elsewhere(const Tensor& tensor, Device device, const Contract& contract) {
  if (device.is_cpu() && tensor.device().is_cpu()) {
    return device.index >= 0 && !contract.is_strict && contract.release == Release::k1_13;
  }
  return tensor.device() != device;
}

Tensor sparse_to(const Tensor& tensor, const ToOptions& options, const Contract& contract) {
  const SparseParts& parts = *tensor->sparse;
  ToOptions of_indices = options;
  of_indices.dtype = std::nullopt;
  const Tensor values = to(parts.values, options, contract);
  const Tensor indices = to(parts.indices, of_indices, contract);
  if (values.is_same(parts.values) && indices.is_same(parts.indices)) return tensor;
  return sparse_coo(indices, values, tensor.sizes(), parts.is_coalesced);
}

}  // namespace

Tensor to(const Tensor& tensor, const ToOptions& options, const Contract& contract) {
  require(tensor.defined(), [] { return "the undefined tensor cannot be converted"; });
  if (tensor.is_sparse()) return sparse_to(tensor, options, contract);
  const Dtype dtype = options.dtype.value_or(tensor.dtype());
  Device device = options.device.value_or(tensor.device());
  if (options.format == MemoryFormat::kChannelsLast) channels_last_strides(tensor.sizes());
  const bool stays = !options.copy && dtype == tensor.dtype() &&
                     !is_elsewhere(tensor, device, contract) && has_format(tensor, options.format);
  if (stays) return tensor;
  if (!device.is_cuda()) device.index = -1;
  require(!tensor.is_meta() || device.is_meta(), ErrorKind::kNotImplemented,
          [] { return "Cannot copy out of meta tensor; no data!"; });
  Shape strides = new_strides(tensor, options.format);
  // An asynchronous copy to the host needs a pinned target (MEM-028).
  const bool arrives_later = options.non_blocking && device.is_cpu() && tensor.is_cuda();
  const Tensor result = arrives_later
                            ? empty_pinned(tensor.sizes(), std::move(strides), dtype)
                            : empty_strided(tensor.sizes(), std::move(strides), dtype, device);
  refuse_in_capture(result, tensor, contract.release);
  copy_elements(result, tensor, options.non_blocking);
  if (tensor->is_inference && !result->is_inference) result.bump_version();  // CORE-13
  return result;
}

Tensor to(const Tensor& tensor, Dtype dtype) {
  ToOptions options;
  options.dtype = dtype;
  return to(tensor, options);
}

}  // namespace assay::cuda
