// Selects the kernel for a set of tensors and checks devices.
#include "cuda_impl/amp/backend.hpp"

#include <algorithm>
#include <array>

#include "cuda_impl/amp/checks.hpp"

namespace assay::cuda {
namespace {

/// One parameter's tensors, with its name in the schema; in schema order.
struct Argument {
  const char* name;
  std::span<const Tensor> tensors;
};

std::span<const Tensor> just(const Tensor& tensor) { return {&tensor, 1}; }

Backend backend_of(const Tensor& tensor) {
  const Device device = tensor.device();
  if (tensor.is_sparse()) return device.is_cuda() ? Backend::kSparseCuda : Backend::kSparseCpu;
  if (device.is_meta()) return Backend::kDenseMeta;
  return device.is_cuda() ? Backend::kDenseCuda : Backend::kDenseCpu;
}

/// A sparse CPU tensor with a dense GPU tensor selects the sparse CUDA kernel.
Backend backend_of(std::span<const Argument> arguments) {
  Backend highest = Backend::kDenseCpu;
  bool any_cuda = false;
  for (const Argument& argument : arguments) {
    for (const Tensor& tensor : argument.tensors) {
      highest = std::max(highest, backend_of(tensor));
      any_cuda = any_cuda || tensor.is_cuda();
    }
  }
  return highest == Backend::kSparseCpu && any_cuda ? Backend::kSparseCuda : highest;
}

const char* name_of(Backend backend) {
  constexpr std::array kNames = {"CPU", "CUDA", "Meta", "SparseCPU", "SparseCUDA"};
  return kNames[static_cast<std::size_t>(backend)];
}

/// Releases without a CPU kernel have no meta kernel either.
bool has_kernel(Backend backend, const Contract& contract) {
  if (backend == Backend::kDenseCuda) return true;
  const bool is_dense = backend == Backend::kDenseCpu || backend == Backend::kDenseMeta;
  return is_dense && contract.release != Release::k1_13;
}

void check_common_device(const char* op, std::span<const Argument> arguments) {
  const Tensor* first = nullptr;
  for (const Argument& argument : arguments) {
    for (const Tensor& tensor : argument.tensors) {
      if (first == nullptr) first = &tensor;
      require(tensor.device() == first->device(), [&] {
        return "expected all tensors to be on the same device, but found " +
               to_text(first->device()) + " and " + to_text(tensor.device()) + " (argument '" +
               argument.name + "' of aten::" + op + ")";
      });
    }
  }
}

/// Requires the last argument to be one tensor. Looks for what is wrong only if something is.
Backend checked_backend(const char* op, std::span<const Argument> arguments,
                        const Contract& contract) {
  const Device device = arguments.back().tensors.front().device();
  const auto is_there = [&](const Argument& one) { return are_strided_on(device, one.tensors); };
  if (device.is_cuda() && std::ranges::all_of(arguments, is_there)) return Backend::kDenseCuda;
  const Backend backend = backend_of(arguments);
  require(has_kernel(backend, contract), ErrorKind::kNotImplemented, [&] {
    return std::string("could not run 'aten::") + op + "' with arguments from the '" +
           name_of(backend) + "' backend: no kernel is registered for it";
  });
  if (backend == Backend::kDenseCuda) check_common_device(op, arguments);
  return backend;
}

}  // namespace

Backend backend_for(const UpdateScaleTensors& tensors, const Contract& contract) {
  const std::array<Argument, 3> arguments = {{{"self", just(tensors.scale)},
                                              {"growth_tracker", just(tensors.growth_tracker)},
                                              {"found_inf", just(tensors.found_inf)}}};
  return checked_backend("_amp_update_scale_", arguments, contract);
}

Backend backend_for(const UnscaleTensors& tensors, const Contract& contract) {
  const std::array<Argument, 3> arguments = {{{"self", tensors.grads},
                                              {"found_inf", just(tensors.found_inf)},
                                              {"inv_scale", just(tensors.inv_scale)}}};
  return checked_backend("_amp_foreach_non_finite_check_and_unscale_", arguments, contract);
}

}  // namespace assay::cuda
