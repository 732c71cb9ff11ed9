// The kernels of each device: argument checks and launches.
#include "cuda_impl/amp/backend.hpp"
#include "cuda_impl/amp/checks.hpp"
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/amp/unscale_cpu.hpp"
#include "cuda_impl/amp/unscale_cuda.hpp"
#include "cuda_impl/amp/update_scale.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
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
