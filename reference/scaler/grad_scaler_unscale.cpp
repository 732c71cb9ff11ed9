// The gradient scaler: groups gradients, unscales them and collects the flags; update, which
// adjusts the scale by the flags of all optimizers.
#include <utility>

#include "reference/amp/operators.hpp"
#include "reference/core/math/coalesce.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"

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

// update.

void GradScaler::check_new_scale(const Tensor& tensor) const {
  const auto refuse = [] {
    return "new_scale must be a float, or a tensor that is 1-element, on the scaler's device type "
           "and has requires_grad=False";
  };
  const auto need = [&](bool condition) { check(condition, ErrorKind::kAssertion, refuse); };
  const bool is_old = runtime_.contract().release == Release::k1_13;
  if (is_old) need(tensor.is_cuda() && tensor.dtype() == ScalarType::kFloat);
  need(name_of(tensor.device().type) == device_);
  need(tensor.numel() == 1);
  need(!tensor.requires_grad());
}

void GradScaler::set_scale(const NewScale& new_scale) {
  if (const auto* number = std::get_if<double>(&new_scale)) {
    fill_scalar(runtime_, scale_, *number);
    return note_write(runtime_, scale_);
  }
  if (const auto* wrong = std::get_if<WrongNewScale>(&new_scale)) {
    const bool is_old = runtime_.contract().release == Release::k1_13;
    throw Error(is_old ? ErrorKind::kAssertion : ErrorKind::kAttribute,
                "new_scale must be a float or a 1-element tensor: '" + wrong->kind +
                    "' object has no attribute 'device'");
  }
  const auto& tensor = std::get<Tensor>(new_scale);
  check_new_scale(tensor);
  check(tensor.dim() <= scale_.dim(), [&] {
    return "new_scale of shape " + to_text(tensor.sizes()) +
           " does not broadcast into the scale's shape " + to_text(scale_.sizes());
  });
  const Tensor here = to(runtime_, tensor, {.device = scale_.device(), .non_blocking = true});
  launch(runtime_, scale_.device(), "copy", [to = borrowed(scale_), from = borrowed(here)] {
    set_bits_at(to, 0, bits_of_real(ScalarType::kFloat, real_at(from, 0)));
  });
  note_write(runtime_, scale_);
  ++runtime_.counters().copies;
}

Tensor GradScaler::combined_found_inf() {
  std::vector<Tensor> flags;
  for (const auto& [id, entry] : entries_) {
    for (const auto& [device, flag] : entry->found_inf) {
      flags.push_back(to(runtime_, flag, {.device = scale_.device(), .non_blocking = true}));
    }
  }
  check(!flags.empty(), ErrorKind::kAssertion,
        [] { return "No inf checks stand recorded: update comes before any step or unscale_"; });
  Tensor combined = flags.front();
  for (std::size_t i = 1; i < flags.size(); ++i) {
    launch(runtime_, combined.device(), "add_",
           [sum = borrowed(combined), by = borrowed(flags[i])] {
             set_real_at(sum, 0, real_at(sum, 0) + real_at(by, 0));
           });
    note_write(runtime_, combined);
    count_launch(runtime_, combined);
  }
  return combined;
}

/// A loaded interval can be any number, but the operator takes an int (SCL-509).
std::int64_t GradScaler::interval_for_operator() const {
  const Scalar interval = get_growth_interval();
  const auto* whole = std::get_if<std::int64_t>(&interval.value());
  check(whole != nullptr, ErrorKind::kType,
        [] { return "_amp_update_scale_(): argument 'growth_interval' must be int"; });
  return *whole;
}

/// Updates once for all optimizers (SCL-407).
void GradScaler::move_scale() {
  const Tensor combined = combined_found_inf();
  ScaleFactors factors = {get_growth_factor(), get_backoff_factor(), interval_for_operator()};
  amp_update_scale_(runtime_, {scale_, tracker_, combined}, factors);
}

void GradScaler::update(const std::optional<NewScale>& new_scale) {
  if (!enabled_) return;
  check_initialised("update");
  if (new_scale) {
    set_scale(*new_scale);
  } else {
    move_scale();
  }
  entries_.clear();
}

}  // namespace assay::reference
