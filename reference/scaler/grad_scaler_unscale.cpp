// The gradient scaler: groups gradients,
// unscales them and collects the flags.
#include <utility>

#include "reference/amp/operators.hpp"
#include "reference/core/math/coalesce.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"
#include "reference/scaler/replicas.hpp"

namespace assay::reference {

namespace {

/// The gradients of one device and dtype, for one operator call (SCL-204).
struct GradGroup {
  ScalarType dtype;
  std::vector<Tensor> grads;
};

/// Groups by device and dtype, in the order of first occurrence.
class GradGroups {
 public:
  void add(const Tensor& grad) {
    std::vector<GradGroup>& groups = groups_on(grad.device());
    for (GradGroup& group : groups) {
      if (group.dtype != grad.dtype()) continue;
      group.grads.push_back(grad);
      return;
    }
    groups.push_back({grad.dtype(), {grad}});
  }
  const std::vector<std::pair<Device, std::vector<GradGroup>>>& all() const { return devices_; }

 private:
  std::vector<GradGroup>& groups_on(Device device) {
    for (auto& [known, groups] : devices_) {
      if (known == device) return groups;
    }
    return devices_.emplace_back(device, std::vector<GradGroup>{}).second;
  }

  std::vector<std::pair<Device, std::vector<GradGroup>>> devices_;
};

/// The tensor to unscale: for a sparse gradient its values (SCL-206, SCL-207).
Tensor unscalable(Runtime& runtime, const Tensor& param) {
  if (!param.grad().is_sparse()) return param.grad();
  const bool coalesces = param.grad().dtype() == ScalarType::kHalf;
  if (coalesces) param.set_grad(coalesce(runtime, param.grad()));
  return param.grad().values();
}

void check_not_fp16(const Tensor& grad) {
  check(grad.dtype() != ScalarType::kHalf, ErrorKind::kValue,
        [] { return "a gradient is FP16; only wider ones are unscaled"; });
}

/// Collects all gradients, whatever `requires_grad` is (SCL-203). A rejected float16 gradient
/// raises before anything is unscaled (SCL-205).
GradGroups collect_grads(Runtime& runtime, const Optimizer& optimizer, bool allow_fp16) {
  GradGroups groups;

  for (const Tensor& param : optimizer.params()) {
    if (!param.grad().defined()) continue;
    if (!allow_fp16) check_not_fp16(param.grad());
    groups.add(unscalable(runtime, param));
  }
  return groups;
}

const char* const kHint = ", because nothing was scaled yet: call scale(loss) first";

}  // namespace

void GradScaler::check_initialised(const char* function) const {
  check(scale_.defined(), ErrorKind::kAssertion,
        [&] { return std::string(function) + ": _scale is None" + kHint; });
  check(tracker_.defined(), ErrorKind::kAssertion,
        [&] { return std::string(function) + ": _growth_tracker is None" + kHint; });
}

FoundInfMap GradScaler::unscale_grads(const Optimizer& optimizer, const Tensor& inv_scale,
                                      bool allow_fp16) {
  const Tensor found_inf = scalar(0.0, ScalarType::kFloat, scale_.device());
  Replicas flags(found_inf);
  Replicas inverses(inv_scale);
  const GradGroups collected = collect_grads(runtime_, optimizer, allow_fp16);
  for (const auto& [device, groups] : collected.all()) {
    for (const GradGroup& group : groups) {
      amp_unscale_(runtime_,
                   {group.grads, flags.on(runtime_, device), inverses.on(runtime_, device)});
    }
  }
  return flags.copies();
}

void GradScaler::unscale_(Optimizer& optimizer) {
  if (!enabled_) return;
  check_initialised("unscale_");
  const Entry entry = entry_of(optimizer);
  check(entry->stage != OptState::kUnscaled, [] {
    return "unscale_ was already done for this optimizer, and no update has come since";
  });
  check(entry->stage != OptState::kStepped,
        [] { return "unscale_ comes after step for this optimizer; it must come before"; });
  const Tensor inv_scale = inverse_of(runtime_, scale_);
  entry->found_inf = unscale_grads(optimizer, inv_scale, false);
  entry->stage = OptState::kUnscaled;
}

FoundInfMap GradScaler::check_inf_per_device(Optimizer& optimizer) {
  check_enabled("_per_optimizer_states");
  check_initialised("_check_inf_per_device");
  const Tensor inverse = scalar(1.0, ScalarType::kFloat, scale_.device());
  FoundInfMap found = unscale_grads(optimizer, inverse, true);
  // A check that raises creates no entry and keeps the previous flags.
  const Entry entry = entry_of(optimizer);
  entry->found_inf = std::move(found);
  return entry->found_inf;
}

}  // namespace assay::reference
