// Copies: where elements are converted, and how they get there.
#include "cuda_impl/operators/copy.hpp"

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/on_host.hpp"
#include "cuda_impl/operators/overlap.hpp"
#include "cuda_impl/operators/transfer.hpp"
#include "cuda_impl/operators/walk.hpp"
#include "cuda_impl/runtime/sync_debug.hpp"

namespace assay::cuda {
namespace {

/// Both on one device, or on the host. The source is broadcast.
void convert_in_place(const Tensor& target, const Tensor& source) {
  if (target.is_cuda() && has_same_layout(target, source)) return transfer(target, source);
  const CastTask task{
      target.dtype(), source.dtype(), {target.data(), source.data()}, walk_of(target, &source)};
  if (!target.is_cuda()) return on_host::cast(task);
  const DeviceScope scope(target.device().index);
  launch_cast(task);
}

/// Contiguous and of that type; on the same device.
Tensor packed(const Tensor& tensor, Dtype dtype) {
  if (tensor.dtype() == dtype && tensor.is_contiguous()) return tensor;
  const Tensor result = empty(tensor.sizes(), dtype, tensor.device());
  convert_in_place(result, tensor);
  return result;
}

/// The source's elements on the target's device, of the type that they are to travel in.
Tensor moved(const Tensor& source, Dtype travelling, Device device) {
  const Tensor sent = packed(source, travelling);
  const Tensor received = empty(source.sizes(), travelling, device);
  transfer(received, sent);
  return received;
}

/// CORE-21: a copy that blocks converts on the host, another one on the device.
void copy_to_device(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (!non_blocking) before_host_waits();  // STR-033
  if (has_same_layout(target, source)) {
    transfer(target, source);
  } else {
    const Dtype travelling = non_blocking ? source.dtype() : target.dtype();
    convert_in_place(target, moved(source, travelling, target.device()));
  }
  if (!non_blocking) wait_for(target);
}

void copy_to_host(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (!non_blocking) before_host_waits();
  if (has_same_layout(target, source)) {
    transfer(target, source);
    if (!non_blocking) wait_for(source);
    return;
  }
  const Dtype travelling = non_blocking ? target.dtype() : source.dtype();
  const Tensor received = moved(source, travelling, kCpu);
  wait_for(source);
  convert_in_place(target, received);
}

/// Converted where the source is.
void copy_between_devices(const Tensor& target, const Tensor& source) {
  if (has_same_layout(target, source)) return transfer(target, source);
  convert_in_place(target, moved(source, target.dtype(), target.device()));
}

void require_fitting(const Tensor& target, const Tensor& source) {
  const Shape common = broadcast(target.sizes(), source.sizes());
  require(common == target.sizes(), [&] {
    return "output with shape " + to_text(target.sizes()) + " doesn't match the broadcast shape " +
           to_text(common);
  });
}

}  // namespace

void copy_elements(const Tensor& target, const Tensor& source, bool non_blocking) {
  if (target.numel() == 0 || target.is_meta()) return;
  require(!source.is_meta(), ErrorKind::kNotImplemented,
          [] { return "Cannot copy out of meta tensor; no data!"; });
  ++counters().copies;
  if (target.device() == source.device()) return convert_in_place(target, source);
  if (target.is_cuda() && source.is_cuda()) return copy_between_devices(target, source);
  if (target.is_cuda()) return copy_to_device(target, source, non_blocking);
  copy_to_host(target, source, non_blocking);
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
