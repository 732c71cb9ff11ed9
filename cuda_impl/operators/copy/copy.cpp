// Copies: selects the place of the conversion and the path of the transfer.
#include "cuda_impl/operators/copy/copy.hpp"

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/copy/fill.hpp"
#include "cuda_impl/operators/copy/imaginary_parts.hpp"
#include "cuda_impl/operators/copy/transfer.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/overlap.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/walk.hpp"
#include "cuda_impl/runtime/sync_debug.hpp"

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

}  // namespace assay::cuda
