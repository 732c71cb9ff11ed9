// MOVE-02, MOVE-03, MOVE-11, MOVE-12: what each way of moving does to one tensor.
#include "reference/module/move.hpp"

#include "reference/autograd/closure_node.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

bool is_real_or_complex(ScalarType dtype) { return is_floating(dtype) || is_complex(dtype); }

/// MOVE-11: without CUDA, strict mode says so before it touches anything, and by naming it; PyTorch
/// fails an assertion when it gets to the first tensor.
void check_device(const Runtime& runtime, const std::optional<Device>& device) {
  const bool is_lenient = !runtime.contract().strict() || fault("module_missing_cuda_asserts");
  if (device && !is_lenient) runtime.resolve(*device);
}

void check_device_again(const Runtime& runtime, const std::optional<Device>& device) {
  const bool is_missing = device && device->is_cuda() && runtime.cuda_devices() == 0;
  check(!is_missing, ErrorKind::kAssertion, [] { return "Torch not compiled with CUDA enabled"; });
}

void check_dtype(Runtime& runtime, ScalarType dtype) {
  check(is_real_or_complex(dtype) || fault("module_to_takes_integers"), ErrorKind::kType, [&] {
    return "a module's `to` only accepts floating point or complex dtypes, not " +
           std::string(name_of(dtype));
  });
  if (is_complex(dtype) && !fault("module_complex_is_silent")) {
    runtime.warn("UserWarning", "complex modules are new: some may not work as expected");
  }
}

bool takes_format(const Tensor& tensor) {
  return tensor.dim() == 4 || tensor.dim() == 5 || fault("module_format_for_every_rank");
}

/// In the caller's grad mode: a buffer that requires gradients remembers where it came from.
Tensor converted(Runtime& runtime, const Tensor& tensor, const ToOptions& how) {
  const Tensor made = to(runtime, tensor, how);
  if (made.is_same(tensor) || fault("module_forgets_history")) return made;
  const ToOptions back = {.dtype = tensor.dtype(), .device = tensor.device()};
  record(runtime, "cast", {tensor}, made, [back](Runtime& later, const Tensor& grad) {
    return Gradients{converted(later, grad, back)};
  });
  return made;
}

Tensor moved(Runtime& runtime, const Tensor& tensor, const MoveOptions& options) {
  check_device_again(runtime, options.device);
  const bool is_cast = is_real_or_complex(tensor.dtype()) || fault("module_to_casts_integers");
  ToOptions how;
  if (is_cast) how.dtype = options.dtype;
  how.device = options.device;
  how.non_blocking = options.non_blocking && !fault("module_always_blocks");
  if (options.format && takes_format(tensor)) how.format = *options.format;
  return converted(runtime, tensor, how);
}

Tensor cast(Runtime& runtime, const Tensor& tensor, ScalarType dtype) {
  ToOptions how;
  how.dtype = dtype;
  how.copy = fault("module_copies_what_fits");
  return converted(runtime, tensor, how);
}

}  // namespace

void move_to(Runtime& runtime, Module& module, const MoveOptions& options) {
  check(!options.copy, [] { return ".to() of a module does not accept the argument copy"; });
  if (options.dtype) check_dtype(runtime, *options.dtype);
  check_device(runtime, options.device);
  const auto move = [&](const Tensor& tensor) { return moved(runtime, tensor, options); };
  apply_tensors(runtime, module, move);
}

void cast_floating(Runtime& runtime, Module& module, ScalarType dtype) {
  const auto cast_one = [&](const Tensor& tensor) {
    const bool is_cast = is_floating(tensor.dtype()) ||
                         (fault("module_half_casts_complex") && is_complex(tensor.dtype()));
    return is_cast ? cast(runtime, tensor, dtype) : tensor;
  };
  apply_tensors(runtime, module, cast_one);
}

void cast_all(Runtime& runtime, Module& module, ScalarType dtype) {
  const auto cast_one = [&](const Tensor& tensor) {
    const bool stays = fault("module_type_spares_integers") && !is_real_or_complex(tensor.dtype());
    return stays ? tensor : cast(runtime, tensor, dtype);
  };
  apply_tensors(runtime, module, cast_one);
}

void to_empty(Runtime& runtime, Module& module, Device device, bool recurse) {
  check_device(runtime, device);
  const auto empty_like = [&](const Tensor& tensor) {
    check_device_again(runtime, device);
    const Shape strides = fault("module_to_empty_forgets_strides")
                              ? contiguous_strides(tensor.sizes())
                              : preserved_strides(tensor);
    return empty_strided(runtime, tensor.sizes(), strides, tensor.dtype(), device);
  };
  apply_tensors(runtime, module, empty_like, recurse);
}

}  // namespace assay::reference
