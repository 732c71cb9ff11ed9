// The loss-scaling operators: schemas and variants, the choice of a backend, and the kernels of
// each device.
#include "cuda_impl/amp/operators.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/amp/unscale.hpp"
#include "cuda_impl/amp/update_scale.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

std::vector<Tensor> clones_of(std::span<const Tensor> tensors) {
  std::vector<Tensor> clones;
  for (const Tensor& tensor : tensors) clones.push_back(clone(tensor));
  return clones;
}

void write_result(const Tensor& out, const Tensor& result, const Contract& contract) {
  require(out.sizes() == result.sizes() && out.dtype() == result.dtype(), [&] {
    return "expected out to be " + describe(result) + ", but it is " + describe(out);
  });
  copy_(out, result, {.contract = contract});
}

}  // namespace

const std::vector<std::string>& amp_schemas() {
  static const std::vector<std::string> schemas = [] {
    const std::string factors =
        "float scale_growth_factor, float scale_backoff_factor, int growth_interval";
    const std::string update = "aten::_amp_update_scale";
    const std::string unscale = "aten::_amp_foreach_non_finite_check_and_unscale";
    return std::vector<std::string>{
        update + "_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, " + factors +
            ") -> Tensor(a!)",
        update + "(Tensor self, Tensor growth_tracker, Tensor found_inf, " + factors +
            ") -> (Tensor, Tensor growth_tracker_out)",
        update + ".out(Tensor self, Tensor(b!) growth_tracker, Tensor found_inf, " + factors +
            ", *, Tensor(a!) out) -> Tensor(a!)",
        unscale + "_(Tensor(a!)[] self, Tensor(b!) found_inf, Tensor inv_scale) -> ()",
        unscale +
            "(Tensor[] self, Tensor found_inf, Tensor inv_scale) -> (Tensor[] self_out, Tensor "
            "found_inf_out)",
        unscale +
            ".out(Tensor[] self, Tensor(b!) found_inf, Tensor inv_scale, *, Tensor(a!)[] out) -> "
            "()",
    };
  }();
  return schemas;
}

UpdatedScale amp_update_scale(const Contract& contract, const UpdateScaleTensors& tensors,
                              const UpdateFactors& factors) {
  UpdatedScale updated{clone(tensors.scale), clone(tensors.growth_tracker)};
  amp_update_scale_(contract, {updated.scale, updated.growth_tracker, tensors.found_inf}, factors);
  return updated;
}

void amp_update_scale_out(const Contract& contract, const UpdateScaleTensors& tensors,
                          const UpdateFactors& factors, const Tensor& out) {
  const UpdatedScale updated = amp_update_scale(contract, tensors, factors);
  write_result(out, updated.scale, contract);
  if (contract.is_strict) write_result(tensors.growth_tracker, updated.growth_tracker, contract);
}

Unscaled amp_unscale(const Contract& contract, const UnscaleTensors& tensors) {
  Unscaled unscaled{clones_of(tensors.grads), clone(tensors.found_inf)};
  amp_unscale_(contract, {unscaled.grads, unscaled.found_inf, tensors.inv_scale});
  return unscaled;
}

void amp_unscale_out(const Contract& contract, const UnscaleTensors& tensors,
                     std::span<const Tensor> out) {
  require(out.size() == tensors.grads.size(), [&] {
    return "expected out to hold " + std::to_string(tensors.grads.size()) +
           " tensors, but it has " + std::to_string(out.size());
  });
  const Unscaled unscaled = amp_unscale(contract, tensors);
  for (std::size_t i = 0; i < out.size(); ++i) write_result(out[i], unscaled.grads[i], contract);
  if (contract.is_strict) write_result(tensors.found_inf, unscaled.found_inf, contract);
}

/// In ascending precedence: the highest backend among the tensors wins.
enum class Backend : std::uint8_t { kDenseCpu, kDenseCuda, kDenseMeta, kSparseCpu, kSparseCuda };

/// Returns the backend that handles `_amp_update_scale_` or the unscale for these tensors. Raises
/// `not_implemented` for a backend without a kernel (AMP-004, AMP-006), and `error` if a CUDA
/// kernel's tensors are on different devices (AMP-005).
Backend backend_for(const UpdateScaleTensors& tensors, const Contract& contract);
Backend backend_for(const UnscaleTensors& tensors, const Contract& contract);

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

namespace {

void count_unscale(const UnscaleTensors& tensors) {
  Counters& counted = counters();
  ++counted.unscale_calls;
  counted.unscale_tensors += static_cast<std::int64_t>(tensors.grads.size());
}

/// Returns whether the CUDA update kernel would reject the tensors.
bool fails_update_check(const UpdateScaleTensors& tensors, const Contract& contract) {
  try {
    backend_for(tensors, contract);
    check_update(tensors, DeviceKind::kCuda);
    return false;
  } catch (const Error&) {
    return true;
  }
}

DeviceKind device_kind_of(Backend backend) {
  return backend == Backend::kDenseCuda ? DeviceKind::kCuda : DeviceKind::kCpu;
}

/// Requires gradients that `check_gradients` takes, if `are_checked`.
void unscale(DeviceKind kernel, const UnscaleTensors& tensors, const Contract& contract,
             bool are_checked) {
  count_unscale(tensors);
  if (tensors.grads.empty()) return;  // AMP-301: no checks for an empty list
  check_unscale(tensors, kernel);
  if (!are_checked) check_gradients(tensors.grads, kernel);
  if (kernel == DeviceKind::kCuda) {
    unscale_on_cuda(tensors, contract);
  } else {
    unscale_on_cpu(tensors);
  }
}

}  // namespace

const Tensor& update_scale_kernel(const Contract& contract, DeviceKind kernel,
                                  const UpdateScaleTensors& tensors, const UpdateFactors& factors) {
  check_update(tensors, kernel);
  if (kernel == DeviceKind::kCuda) {
    update_scale_on_cuda(tensors, factors, contract);
  } else {
    update_scale_on_cpu(tensors, factors);
  }
  tensors.scale.bump_version();  // only the returned tensor counts as written
  return tensors.scale;
}

void unscale_kernel(const Contract& contract, DeviceKind kernel, const UnscaleTensors& tensors) {
  unscale(kernel, tensors, contract, false);
}

const Tensor& amp_update_scale_(const Contract& contract, const UpdateScaleTensors& tensors,
                                const UpdateFactors& factors) {
  const Backend backend = backend_for(tensors, contract);
  if (backend != Backend::kDenseMeta) {
    return update_scale_kernel(contract, device_kind_of(backend), tensors, factors);
  }
  tensors.scale.bump_version();
  return tensors.scale;
}

void amp_unscale_(const Contract& contract, const UnscaleTensors& tensors) {
  const Backend backend = backend_for(tensors, contract);
  if (backend == Backend::kDenseMeta) return;
  unscale(device_kind_of(backend), tensors, contract, true);
}

void amp_unscale_and_update_(const Contract& contract, const UnscaleAndUpdateTensors& tensors,
                             const UpdateFactors& factors) {
  const UnscaleTensors& unscale = tensors.unscale;
  const UpdateScaleTensors update = {tensors.scale, tensors.growth_tracker, unscale.found_inf};
  if (backend_for(unscale, contract) != Backend::kDenseCuda ||
      fails_update_check(update, contract)) {
    amp_unscale_(contract, unscale);
    amp_update_scale_(contract, update, factors);
    return;
  }
  count_unscale(unscale);
  if (!unscale.grads.empty()) check_unscale(unscale, DeviceKind::kCuda);
  unscale_on_cuda(unscale, contract, scale_update(update, factors, contract));
  tensors.scale.bump_version();
}

}  // namespace assay::cuda
