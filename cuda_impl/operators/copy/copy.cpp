// Copies: selects the place of the conversion and the path of the transfer; and to(): conversion of
// dtype, device and memory format.
#include "cuda_impl/operators/copy/copy.hpp"

#include <array>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/walk.hpp"
#include "cuda_impl/runtime/process.hpp"

namespace assay::cuda {
namespace {

/// Both are on one device or on the host. Broadcasts the source.
void convert_in_place(const Tensor& target, const Tensor& source) {
  if (target.is_cuda() && has_same_layout(target, source)) return transfer(target, source);
  const CastTask task{
      target.dtype(), source.dtype(), {target.data(), source.data()}, walk_of(target, &source)};
  if (!target.is_cuda()) return on_host::cast(task);
  const DeviceScope scope(target.device().index);
  launch_cast(task);
}

/// Returns a contiguous tensor of the dtype on the same device.
Tensor packed(const Tensor& tensor, Dtype dtype) {
  if (tensor.dtype() == dtype && tensor.is_contiguous()) return tensor;
  const Tensor result = empty(tensor.sizes(), dtype, tensor.device());
  convert_in_place(result, tensor);
  return result;
}

/// Moves the elements to the target's device in the given dtype.
Tensor moved(const Tensor& source, Dtype travelling, Device device) {
  const Tensor sent = packed(source, travelling);
  const Tensor received = empty(source.sizes(), travelling, device);
  transfer(received, sent);
  return received;
}

/// CORE-21: a blocking copy converts on the host, a non-blocking one on the device.
void copy_to_device(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (!non_blocking) before_host_waits();  // STR-033
  if (has_same_layout(target, source)) {
    transfer(target, source);
  } else {
    const Dtype travelling = non_blocking ? source.dtype() : target.dtype();
    convert_in_place(target, moved(source, travelling, target.device()));
  }
  non_blocking ? note_use_of_pinned(source, target) : wait_for(target);
}

void copy_to_host(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (!non_blocking) before_host_waits();
  if (has_same_layout(target, source)) {
    transfer(target, source);
    return non_blocking ? note_use_of_pinned(target, source) : wait_for(source);
  }
  const Dtype travelling = non_blocking ? target.dtype() : source.dtype();
  const Tensor received = moved(source, travelling, kCpu);
  wait_for(source);
  convert_in_place(target, received);
}

/// Converts on the source's device.
void copy_between_devices(const Tensor& target, const Tensor& source) {
  if (has_same_layout(target, source)) return transfer(target, source);
  convert_in_place(target, moved(source, target.dtype(), target.device()));
}

/// For dtypes that a single kernel converts, or equal dtypes.
void copy_plainly(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (target.device() == source.device()) return convert_in_place(target, source);
  if (target.is_cuda() && source.is_cuda()) return copy_between_devices(target, source);
  if (target.is_cuda()) return copy_to_device(target, source, non_blocking);
  copy_to_host(target, source, non_blocking);
}

bool is_complex(const Tensor& tensor) { return facts(tensor.dtype()).is_complex; }

enum class Part : std::uint8_t { kReal, kImaginary };

/// Returns a view of one part of each complex number.
Tensor part_of(const Tensor& tensor, Part part) {
  const Tensor numbers = detach(tensor);
  numbers->dtype = part_of(tensor.dtype());
  Shape strides = tensor.strides();
  for (std::int64_t& stride : strides) stride *= 2;
  const std::int64_t first = 2 * tensor->offset + static_cast<std::int64_t>(part);
  return as_strided(numbers, tensor.sizes(), std::move(strides), first);
}

/// MOVE-02
void warn_of_imaginary_parts() {
  if (has_warned_of_imaginary_parts().exchange(true)) return;
  warn("UserWarning", "Casting complex values to real discards the imaginary part");
}

/// For different dtypes of which one is complex: copies the parts separately.
void copy_complex(const Tensor& target, const Tensor& source, bool non_blocking) {
  const Tensor real = is_complex(source) ? part_of(source, Part::kReal) : source;
  if (!is_complex(target)) {
    warn_of_imaginary_parts();
    return copy_plainly(target, real, non_blocking);
  }
  copy_plainly(part_of(target, Part::kReal), real, non_blocking);
  const Tensor imaginary = part_of(target, Part::kImaginary);
  if (is_complex(source)) {
    return copy_plainly(imaginary, part_of(source, Part::kImaginary), non_blocking);
  }
  fill_elements(imaginary, to_element(Scalar(0.0), imaginary.dtype(), {}));
}

void require_fitting(const Tensor& target, const Tensor& source) {
  const Shape common = broadcast(target.sizes(), source.sizes());
  require(common == target.sizes(), [&] {
    return "output with shape " + to_text(target.sizes()) + " doesn't match the broadcast shape " +
           to_text(common);
  });
}

}  // namespace

std::atomic<bool>& has_warned_of_imaginary_parts() {
  static std::atomic<bool> has_warned = false;
  return has_warned;
}

void copy_elements(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (target.numel() == 0 || target.is_meta()) return;
  require(!source.is_meta(), ErrorKind::kNotImplemented,
          [] { return "Cannot copy out of meta tensor; no data!"; });
  ++counters().copies;
  const bool has_parts = is_complex(target) || is_complex(source);
  if (has_parts && target.dtype() != source.dtype()) {
    return copy_complex(target, source, non_blocking);
  }
  copy_plainly(target, source, non_blocking);
}

void copy_(const Tensor& target, const Tensor& source, const CopyOptions& options) {
  require(target.defined() && source.defined(),
          [] { return "copy_ needs two tensors, but got an undefined one"; });
  const bool is_itself = options.contract.release == Release::k1_13
                             ? target.is_same(source)
                             : is_same_view(target, source) || target.is_same(source);
  if (!is_itself) {
    require_fitting(target, source);
    require_own_elements(target);
    require_no_partial_overlap(target, source);
    refuse_in_capture(target, source, options.contract.release);
    copy_elements(target, read_before(target, source), options.non_blocking);
  }
  target.bump_version();
}

Tensor read_before(const Tensor& written, const Tensor& read) {
  return may_overlap(written, read) ? clone(read) : read;
}

Tensor pinned(const Tensor& tensor) {
  if (is_pinned(tensor)) return tensor;
  require(tensor.defined() && tensor.device().is_cpu() && !tensor.is_sparse(), [&] {
    return "cannot pin " + describe(tensor) + ": only dense CPU tensors can be pinned";
  });
  const Tensor result =
      empty_pinned(tensor.sizes(), contiguous_strides(tensor.sizes()), tensor.dtype());
  copy_elements(result, tensor);
  return result;
}

Tensor contiguous(const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.dtype(), tensor.device());
  copy_elements(result, tensor);
  return result;
}

Tensor clone(const Tensor& tensor) {
  ToOptions options;
  options.copy = true;
  return to(tensor, options);
}

// to().

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
