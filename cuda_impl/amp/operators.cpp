// Schemas, and the functional and out variants in terms of the in-place ones.
#include "cuda_impl/amp/operators.hpp"

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

}  // namespace assay::cuda
