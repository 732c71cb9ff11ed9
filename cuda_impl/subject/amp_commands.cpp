// Area amp: the operators of loss scaling, their schemas, and PyTorch's plan of launches.
#include <algorithm>

#include "cuda_impl/amp/launch_plan.hpp"
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/subject/amp_arguments.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

struct UpdateArguments {
  ScalarOperand scale;
  ScalarOperand tracker;
  ScalarOperand found_inf;
  UpdateFactors factors;

  UpdateScaleTensors tensors() const { return {scale.tensor, tracker.tensor, found_inf.tensor}; }
};

UpdateFactors factor_arguments(Call& call) {
  const auto given = [&](std::string_view name) {
    return bindable(call, call.arguments().optional(name));
  };
  const Uncounted uncounted;
  UpdateFactors factors{};
  factors.growth = bind_double(given("growth"), {kUpdateScaleOp, "scale_growth_factor", 4});
  factors.backoff = bind_double(given("backoff"), {kUpdateScaleOp, "scale_backoff_factor", 5});
  factors.interval = bind_int(given("interval"), {kUpdateScaleOp, "growth_interval", 6});
  return factors;
}

UpdateArguments update_arguments(Call& call) {
  UpdateArguments made{};
  made.scale = scalar_operand(call, "scale", {kUpdateScaleOp, "self", 1}, Dtype::kFloat32);
  made.tracker =
      scalar_operand(call, "tracker", {kUpdateScaleOp, "growth_tracker", 2}, Dtype::kInt32);
  made.found_inf =
      scalar_operand(call, "found_inf", {kUpdateScaleOp, "found_inf", 3}, Dtype::kFloat32);
  made.factors = factor_arguments(call);
  return made;
}

void update_in_place(Call& call, const UpdateArguments& given) {
  if (goes_to_kernel(call, Variant::kInPlace)) {
    return update_scale_kernel(device_of(call).kind, given.tensors(), given.factors,
                               call.contract());
  }
  amp_update_scale_(given.tensors(), given.factors, call.contract());
}

void update_elsewhere(Call& call, const UpdateArguments& given, Variant variant) {
  goes_to_kernel(call, variant);
  if (variant == Variant::kFunctional) {
    const UpdatedScale updated = amp_update_scale(given.tensors(), given.factors, call.contract());
    call.set("result", give_back(call, given.scale, updated.scale));
    return call.set("result_tracker", give_back(call, given.tracker, updated.growth_tracker));
  }
  const Tensor& scale = given.scale.tensor;
  const Tensor out = empty(scale.sizes(), scale.dtype(), scale.device());
  amp_update_scale_out(given.tensors(), given.factors, out, call.contract());
  call.set("result", give_back(call, given.scale, out));
}

struct UnscaleArguments {
  std::vector<Tensor> grads;
  ScalarOperand found_inf;
  ScalarOperand inv_scale;

  UnscaleTensors tensors() const { return {grads, found_inf.tensor, inv_scale.tensor}; }
};

UnscaleArguments unscale_arguments(Call& call) {
  UnscaleArguments made;
  made.grads = gradients(call);
  made.found_inf = scalar_operand(call, "found_inf", {kUnscaleOp, "found_inf", 2}, Dtype::kFloat32);
  made.inv_scale = scalar_operand(call, "inv_scale", {kUnscaleOp, "inv_scale", 3}, Dtype::kFloat32);
  return made;
}

void unscale_in_place(Call& call, const UnscaleArguments& given) {
  if (goes_to_kernel(call, Variant::kInPlace))
    return unscale_kernel(device_of(call).kind, given.tensors(), call.contract());
  amp_unscale_(given.tensors(), call.contract());
}

void unscale_elsewhere(Call& call, const UnscaleArguments& given, Variant variant) {
  goes_to_kernel(call, variant);
  if (variant == Variant::kFunctional) {
    const Unscaled unscaled = amp_unscale(given.tensors(), call.contract());
    call.set("result", by_value(call, unscaled.grads));
    return call.set("result_found_inf", give_back(call, given.found_inf, unscaled.found_inf));
  }
  std::vector<Tensor> out;
  for (const Tensor& grad : given.grads)
    out.push_back(empty(grad.sizes(), grad.dtype(), grad.device()));
  amp_unscale_out(given.tensors(), out, call.contract());
  call.set("result", by_value(call, out));
}

/// Each block of a plan takes a few bytes.
void check_size(const std::vector<std::int64_t>& counts) {
  constexpr double kMostElements = 0x1p36;
  double sum = 0;
  for (const std::int64_t count : counts)
    sum += static_cast<double>(std::max<std::int64_t>(count, 0));
  if (sum > kMostElements) throw NotSupported("amp.plan takes 2^36 elements at most");
}

}  // namespace

void amp_update_scale(Call& call) {
  const UpdateArguments given = update_arguments(call);
  const Variant variant = variant_of(call);
  device_of(call);
  if (variant == Variant::kInPlace) {
    update_in_place(call, given);
  } else {
    update_elsewhere(call, given, variant);
  }
  call.set("scale", give_back(call, given.scale, given.scale.tensor));
  call.set("tracker", give_back(call, given.tracker, given.tracker.tensor));
  call.set("found_inf", give_back(call, given.found_inf, given.found_inf.tensor));
  call.set("same", variant == Variant::kInPlace);  // AMP-101: in place it returns its argument
}

void amp_unscale(Call& call) {
  const UnscaleArguments given = unscale_arguments(call);
  const Variant variant = variant_of(call);
  device_of(call);
  if (variant == Variant::kInPlace) {
    unscale_in_place(call, given);
  } else {
    unscale_elsewhere(call, given, variant);
  }
  call.set("grads", by_value(call, given.grads));
  call.set("found_inf", give_back(call, given.found_inf, given.found_inf.tensor));
}

void amp_unscale_and_update(Call& call) {
  const UnscaleArguments given = unscale_arguments(call);
  const ScalarOperand scale =
      scalar_operand(call, "scale", {kUpdateScaleOp, "self", 1}, Dtype::kFloat32);
  const ScalarOperand tracker =
      scalar_operand(call, "tracker", {kUpdateScaleOp, "growth_tracker", 2}, Dtype::kInt32);
  const UpdateFactors factors = factor_arguments(call);
  device_of(call);
  amp_unscale_and_update_({given.tensors(), scale.tensor, tracker.tensor}, factors,
                          call.contract());
  call.set("grads", by_value(call, given.grads));
  call.set("found_inf", give_back(call, given.found_inf, given.found_inf.tensor));
  call.set("scale", give_back(call, scale, scale.tensor));
  call.set("tracker", give_back(call, tracker, tracker.tensor));
}

void amp_schemas(Call& call) {
  List list;
  for (const std::string& schema : amp_schemas()) list.items.emplace_back(schema);
  call.result(Value(std::move(list)));
}

void amp_plan(Call& call) {
  const LaunchLimits limits = {call.arguments().integer("most_tensors"),
                               call.arguments().integer("most_blocks")};
  if (limits.most_tensors < 1 || limits.most_blocks < 1)
    throw InvalidArgument("amp.plan: expected a launch to take a tensor and a block at least");
  const auto counts = call.arguments().integers("counts");
  check_size(counts);
  List blocks;
  for (const PlannedLaunch& launch :
       plan_launches(counts, limits, call.release() == Release::k1_13)) {
    blocks.items.emplace_back(launch.blocks);
  }
  call.result(Value(std::move(blocks)));
}

}  // namespace assay::cuda
