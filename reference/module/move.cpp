// The conversion of one tensor in each kind of move (MOVE-02, MOVE-03, MOVE-11, MOVE-12).
#include "reference/module/move.hpp"

#include "reference/autograd/closure_node.hpp"
#include "reference/core/tensor/factory.hpp"

namespace assay::reference {
namespace {

bool is_real_or_complex(ScalarType dtype) { return is_floating(dtype) || is_complex(dtype); }

/// MOVE-11: without CUDA, strict mode raises before it changes anything and names the device;
/// PyTorch fails an assertion at the first tensor.
void check_device(const Runtime& runtime, const std::optional<Device>& device) {
  if (device && runtime.contract().strict()) runtime.resolve(*device);
}

void check_device_again(const Runtime& runtime, const std::optional<Device>& device) {
  const bool is_missing = device && device->is_cuda() && runtime.cuda_devices() == 0;
  check(!is_missing, ErrorKind::kAssertion, [] { return "Torch not compiled with CUDA enabled"; });
}

void check_dtype(Runtime& runtime, ScalarType dtype) {
  check(is_real_or_complex(dtype), ErrorKind::kType, [&] {
    return "a module's `to` only accepts floating point or complex dtypes, not " +
           std::string(name_of(dtype));
  });
  if (is_complex(dtype)) {
    runtime.warn("UserWarning", "complex modules are new: some may not work as expected");
  }
}

bool takes_format(const Tensor& tensor) { return tensor.dim() == 4 || tensor.dim() == 5; }

/// Uses the caller's grad mode: a buffer that requires gradients keeps its history.
Tensor converted(Runtime& runtime, const Tensor& tensor, const ToOptions& how) {
  const Tensor made = to(runtime, tensor, how);
  if (made.is_same(tensor)) return made;
  const ToOptions back = {.dtype = tensor.dtype(), .device = tensor.device()};
  record(runtime, "cast", {tensor}, made, [back](Runtime& later, const Tensor& grad) {
    return Gradients{converted(later, grad, back)};
  });
  return made;
}

Tensor moved(Runtime& runtime, const Tensor& tensor, const MoveOptions& options) {
  check_device_again(runtime, options.device);
  const bool is_cast = is_real_or_complex(tensor.dtype());
  ToOptions how;
  if (is_cast) how.dtype = options.dtype;
  how.device = options.device;
  how.non_blocking = options.non_blocking;
  if (options.format && takes_format(tensor)) how.format = *options.format;
  return converted(runtime, tensor, how);
}

Tensor cast(Runtime& runtime, const Tensor& tensor, ScalarType dtype) {
  ToOptions how;
  how.dtype = dtype;
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
    return is_floating(tensor.dtype()) ? cast(runtime, tensor, dtype) : tensor;
  };
  apply_tensors(runtime, module, cast_one);
}

void cast_all(Runtime& runtime, Module& module, ScalarType dtype) {
  const auto cast_one = [&](const Tensor& tensor) { return cast(runtime, tensor, dtype); };
  apply_tensors(runtime, module, cast_one);
}

void to_empty(Runtime& runtime, Module& module, Device device, bool recurse) {
  check_device(runtime, device);
  const auto empty_like = [&](const Tensor& tensor) {
    check_device_again(runtime, device);
    return empty_strided(runtime, tensor.sizes(), preserved_strides(tensor), tensor.dtype(),
                         device);
  };
  apply_tensors(runtime, module, empty_like, recurse);
}

}  // namespace assay::reference
