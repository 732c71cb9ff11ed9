// The conversion of one tensor in each kind of move.
#include "cuda_impl/module/move.hpp"

#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

bool is_real_or_complex(Dtype dtype) { return facts(dtype).is_floating || facts(dtype).is_complex; }

bool is_missing(const std::optional<Device>& device, const MoveContext& context) {
  return device && device->is_cuda() && !context.has_cuda;
}

/// MOVE-11: checks before anything is moved; PyTorch fails at the first tensor.
std::optional<Device> resolved(const std::optional<Device>& device, const MoveContext& context) {
  if (!device) return device;
  if (!is_missing(device, context)) return Session::resolve(*device);
  require(!context.contract.is_strict, [] { return "the backend cuda is missing in this build"; });
  return device;
}

void require_there(const std::optional<Device>& device, const MoveContext& context) {
  require(!is_missing(device, context), ErrorKind::kAssertion,
          [] { return "Torch not compiled with CUDA enabled"; });
}

void check_dtype(Dtype dtype) {
  require(is_real_or_complex(dtype), ErrorKind::kType, [&] {
    return "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=" +
           std::string(facts(dtype).name);
  });
  if (facts(dtype).is_complex) {
    warn("UserWarning",
         "Complex modules are a new feature under active development; some modules might not work "
         "as expected");
  }
}

/// Uses the caller's grad mode.
Tensor converted(const Tensor& tensor, const ToOptions& how, const MoveContext& context) {
  return autograd::made_of(to(tensor, how, context.contract), tensor);
}

void apply(Module& module, const MoveContext& context,
           std::function<Tensor(const Tensor& tensor)> function, bool recurses = true) {
  apply_to_tensors(module, {std::move(function), recurses, context.contract});
}

void cast_where(Module& module, Dtype dtype, const MoveContext& context,
                bool (*is_cast)(const DtypeFacts& type)) {
  apply(module, context, [&](const Tensor& tensor) {
    if (!is_cast(facts(tensor.dtype()))) return tensor;
    return converted(tensor, {.dtype = dtype, .device = {}}, context);
  });
}

}  // namespace

void move_to(Module& module, MoveOptions options, const MoveContext& context) {
  require(!options.copy, [] { return ".to() of a module does not accept the argument copy"; });
  if (options.dtype) check_dtype(*options.dtype);
  options.device = resolved(options.device, context);
  apply(module, context, [&](const Tensor& tensor) {
    require_there(options.device, context);
    ToOptions how{.dtype = {}, .device = options.device};
    if (is_real_or_complex(tensor.dtype())) how.dtype = options.dtype;
    how.non_blocking = options.non_blocking;
    if (options.format && (tensor.dim() == 4 || tensor.dim() == 5)) how.format = *options.format;
    return converted(tensor, how, context);
  });
}

void cast_floating(Module& module, Dtype dtype, const MoveContext& context) {
  cast_where(module, dtype, context, [](const DtypeFacts& type) { return type.is_floating; });
}

void cast_all(Module& module, Dtype dtype, const MoveContext& context) {
  cast_where(module, dtype, context, [](const DtypeFacts&) { return true; });
}

void to_empty(Module& module, Device device, bool recurses, const MoveContext& context) {
  const std::optional<Device> target = resolved(device, context);
  const auto empty_there = [&](const Tensor& tensor) {
    require_there(target, context);
    if (!tensor.is_dense()) return empty(tensor.sizes(), tensor.dtype(), *target);
    return empty_strided(tensor.sizes(), tensor.strides(), tensor.dtype(), *target);
  };
  apply(module, context, empty_there, recurses);
}

}  // namespace assay::cuda
