// The gradient scaler: unscale_, step and update, and the state machine between them.
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "reference/amp/operators.hpp"
#include "reference/core/copy.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/scaler/coalesce.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"
#include "reference/scaler/replicas.hpp"

namespace assay::reference {

namespace {

/// Gradients of one device and dtype: one call of the operator (SCL-204).
struct GradGroup {
  ScalarType dtype;
  std::vector<Tensor> grads;
};

/// By device, then by dtype, each in the order first seen.
class GradGroups {
 public:
  void add(const Tensor& grad) {
    std::vector<GradGroup>& groups = groups_on(grad.device());
    for (GradGroup& group : groups) {
      if (group.dtype != grad.dtype() || fault("unscale_calls_once_for_each_gradient")) continue;
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

/// What of a gradient is unscaled: of a sparse one its values, as they are (SCL-206, SCL-207).
Tensor unscalable(Runtime& runtime, const Tensor& param) {
  if (!param.grad().is_sparse()) return param.grad();
  const bool coalesces =
      (param.grad().dtype() == ScalarType::kHalf && !fault("unscale_never_coalesces")) ||
      fault("unscale_coalesces_every_sparse_gradient");
  if (coalesces) param.set_grad(coalesce(runtime, param.grad()));
  return param.grad().values();
}

void check_not_fp16(const Tensor& grad) {
  check(grad.dtype() != ScalarType::kHalf || fault("unscale_takes_fp16_gradients"),
        ErrorKind::kValue, [] { return "a gradient is FP16; only wider ones are unscaled"; });
  check(grad.dtype() != ScalarType::kBFloat16 || !fault("unscale_refuses_bf16_gradients"),
        ErrorKind::kValue, [] { return "a gradient is BF16; only wider ones are unscaled"; });
}

/// Every gradient of every group, whatever `requires_grad` says (SCL-203). Nothing is unscaled yet
/// when a float16 one is refused (SCL-205).
GradGroups collect_grads(Runtime& runtime, const Optimizer& optimizer, bool allow_fp16) {
  GradGroups groups;
  std::set<const void*> seen;
  for (const Tensor& param : optimizer.params()) {
    if (!param.grad().defined()) continue;
    if (fault("unscale_skips_frozen_parameters") && !param.requires_grad()) continue;
    if (!allow_fp16) check_not_fp16(param.grad());
    const bool is_new = seen.insert(param.grad().identity()).second;
    if (fault("unscale_skips_shared_gradients") && !is_new) continue;
    groups.add(unscalable(runtime, param));
  }
  return groups;
}

const char* const kHint = ", because nothing was scaled yet: call scale(loss) first";

/// The thread that used a scaler first; only a fault asks.
bool is_first_thread() {
  static const std::thread::id first = std::this_thread::get_id();
  return first == std::this_thread::get_id();
}

}  // namespace

void GradScaler::check_initialised(const char* function) const {
  if (fault("scaler_step_names_no_function") && std::string_view(function) == "step") function = "";
  check(!fault("scaler_belongs_to_one_thread") || is_first_thread(), ErrorKind::kAssertion,
        [] { return "the scaler is used in another thread"; });
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
  check(!collected.all().empty() || !fault("unscale_needs_gradients"),
        [] { return "the optimizer has no gradients"; });
  for (const auto& [device, groups] : collected.all()) {
    for (const GradGroup& group : groups) {
      amp_unscale_(runtime_,
                   {group.grads, flags.on(runtime_, device), inverses.on(runtime_, device)});
      if (fault("unscale_only_first_dtype")) break;
    }
    if (fault("unscale_only_first_device")) break;
  }
  return flags.copies();
}

void GradScaler::unscale_(Optimizer& optimizer) {
  if (!enabled_ && !fault("unscale_works_when_disabled")) return;
  if (fault("unscale_makes_the_entry_first")) entry_of(optimizer);
  check_initialised("unscale_");
  const Entry entry = entry_of(optimizer);
  check(entry->stage != OptState::kUnscaled || fault("unscale_twice_is_allowed"), [] {
    return "unscale_ was already done for this optimizer, and no update has come since";
  });
  check(entry->stage != OptState::kStepped || fault("unscale_after_step_is_allowed"),
        [] { return "unscale_ comes after step for this optimizer; it must come before"; });
  if (fault("unscale_marks_the_stage_first")) entry->stage = OptState::kUnscaled;
  if (fault("unscale_reads_the_scale_on_the_host")) read_back(runtime_, scale_);
  const Tensor inv_scale = inverse_of(runtime_, scale_);
  entry->found_inf = unscale_grads(optimizer, inv_scale, false);
  entry->stage = OptState::kUnscaled;
}

FoundInfMap GradScaler::check_inf_per_device(Optimizer& optimizer) {
  check_enabled("_per_optimizer_states");
  check_initialised("_check_inf_per_device");
  const bool unscales = fault("check_inf_unscales");
  const Tensor inverse =
      unscales ? inverse_of(runtime_, scale_) : scalar(1.0, ScalarType::kFloat, scale_.device());
  const Entry entry = entry_of(optimizer);
  entry->found_inf = unscale_grads(optimizer, inverse, !fault("check_inf_refuses_fp16"));
  if (fault("check_inf_marks_unscaled")) entry->stage = OptState::kUnscaled;
  return entry->found_inf;
}

/// The flags are read one by one and added on the host; NaN skips as well (SCL-308).
bool GradScaler::found_any_inf(const PerOptimizer& entry) {
  double sum = 0;
  for (const auto& [device, flag] : entry.found_inf) {
    const double value = read_back(runtime_, flag);
    if (fault("step_combines_flags_by_max")) {
      sum = std::max(sum, value);
    } else {
      sum += value;
    }
    if (fault("step_reads_only_first_flag")) break;
  }
  if (fault("step_skips_only_above_zero")) return sum > 0;
  if (fault("step_skips_only_at_one")) return sum == 1;
  return !(sum == 0) && !fault("step_never_skips");
}

namespace {

bool has_bad_gradient(const Optimizer& optimizer) {
  for (const Tensor& param : optimizer.params()) {
    const Tensor& grad = param.grad();
    for (std::int64_t i = 0; grad.defined() && !grad.is_sparse() && i < grad.numel(); ++i) {
      if (!std::isfinite(real_at(grad, i))) return true;
    }
  }
  return false;
}

}  // namespace

/// In the order of SCL-301.
std::any GradScaler::step(Optimizer& optimizer, StepCall call) {
  if (!enabled_)
    return fault("step_when_disabled_does_nothing") ? std::any{} : optimizer.step(call);
  if (fault("step_checks_the_scale_first")) check_initialised("step");
  const bool has_closure = call.keyword("closure") != nullptr ||
                           (fault("step_refuses_positional_closures") && !call.positional.empty());
  check(!has_closure || fault("step_takes_closures"),
        [] { return "a closure by keyword is not supported by the step of an enabled scaler"; });
  check_initialised("step");
  const Entry entry = entry_of(optimizer);
  check(entry->stage != OptState::kStepped || fault("step_twice_is_allowed"),
        [] { return "step was already done for this optimizer, and no update has come since"; });
  if (optimizer.supports_amp_scaling() && !fault("step_ignores_amp_support")) {
    return step_scaling_aware(optimizer, call, *entry);
  }
  if (entry->stage == OptState::kReady || fault("step_always_unscales")) {
    if (fault("step_always_unscales")) entry->stage = OptState::kReady;
    unscale_(optimizer);
  }
  check(!entry->found_inf.empty() || fault("step_needs_no_inf_checks"), ErrorKind::kAssertion,
        [] { return "No inf checks stand recorded for this optimizer: it had no gradients"; });
  if (fault("step_marks_the_stage_first")) entry->stage = OptState::kStepped;
  std::any returned;
  bool is_skipped = found_any_inf(*entry);
  // The flags decide; nobody looks at the gradients again (SCL-311).
  if (fault("step_examines_the_gradients_again")) is_skipped |= has_bad_gradient(optimizer);
  if (!is_skipped) returned = optimizer.step(call);
  if (fault("step_drops_the_return_value")) returned = {};
  if (!fault("step_skipped_stays_unscaled") || !is_skipped) entry->stage = OptState::kStepped;
  if (fault("step_marks_a_new_entry")) entry_of(optimizer)->stage = OptState::kStepped;
  if (fault("step_updates_the_scale")) update(std::nullopt);
  return returned;
}

/// SCL-602 to SCL-604: the scale, times what was preset, or the preset value alone after an
/// explicit unscale_.
void GradScaler::lend_attributes(Optimizer& optimizer, PerOptimizer& entry) {
  if (entry.stage == OptState::kReady) check_inf_per_device(optimizer);
  std::optional<LentAttribute> preset = optimizer.grad_scale;
  if (fault("lend_ignores_the_preset")) preset.reset();
  LentAttribute scale = std::monostate{};
  const bool is_unscaled = entry.stage == OptState::kUnscaled && !fault("lend_scale_after_unscale");
  if (is_unscaled) {
    scale = preset.value_or(std::monostate{});
  } else {
    scale = lent_scale(preset);
  }
  optimizer.found_inf = lent_found_inf(entry);
  optimizer.grad_scale = scale;
}

LentAttribute GradScaler::lent_scale(const std::optional<LentAttribute>& preset) {
  double factor = 1;
  if (preset) {
    if (const auto* tensor = std::get_if<Tensor>(&*preset)) {
      return multiply(runtime_, scale_, to(runtime_, *tensor, {.device = scale_.device()}));
    }
    const auto* integer = std::get_if<std::int64_t>(&*preset);
    const auto* real = std::get_if<double>(&*preset);
    check(integer != nullptr || real != nullptr, ErrorKind::kType,
          [] { return "unsupported operand types for *: Tensor and None"; });
    factor = real != nullptr ? *real : static_cast<double>(*integer);
  }
  const auto product = static_cast<float>(real_at(scale_, 0)) * static_cast<float>(factor);
  Tensor made = empty(runtime_, scale_.sizes(), ScalarType::kFloat, scale_.device());
  set_real_at(made, 0, static_cast<double>(product));
  count_launch(runtime_, made);
  return made;
}

/// The flags' sum where the scale lives; the int 0 when there are none (SCL-606).
LentAttribute GradScaler::lent_found_inf(const PerOptimizer& entry) {
  if (entry.found_inf.empty() && !fault("lend_flag_is_always_a_tensor")) return std::int64_t{0};
  double sum = 0;
  for (const auto& [device, flag] : entry.found_inf) {
    const Tensor here = to(runtime_, flag, {.device = scale_.device(), .non_blocking = true});
    sum += real_at(here, 0);
    count_launch(runtime_, here);
    if (fault("lend_only_first_flag")) break;
  }
  if (fault("lend_flag_is_at_most_one") && sum > 1) sum = 1;
  if (fault("lend_reads_flags_on_the_host")) ++runtime_.counters().host_reads;
  Tensor made = empty(runtime_, scale_.sizes(), ScalarType::kFloat, scale_.device());
  set_real_at(made, 0, sum);
  return made;
}

/// SCL-601, SCL-608: the optimizer decides itself; its step is always called.
std::any GradScaler::step_scaling_aware(Optimizer& optimizer, StepCall& call, PerOptimizer& entry) {
  const Release release = runtime_.contract().release;
  const bool passes_itself = optimizer.takes_grad_scaler() || release == Release::k1_13;
  if (!passes_itself) {
    lend_attributes(optimizer, entry);
  } else {
    if (release != Release::k1_13 && !fault("passing_the_scaler_does_not_warn")) {
      runtime_.warn("FutureWarning",
                    "GradScaler is going to stop passing itself as a keyword argument to the "
                    "optimizer: `grad_scaler`");
    }
    call.grad_scaler = shared_from_this();
    if (fault("passing_the_scaler_lends_attributes")) lend_attributes(optimizer, entry);
  }
  const auto take_back = [&] {
    if (passes_itself || fault("lent_attributes_stay")) return;
    optimizer.grad_scale.reset();
    optimizer.found_inf.reset();
  };
  std::any returned;
  try {
    returned = optimizer.step(call);
  } catch (...) {
    // SCL-605: PyTorch leaves them, so that the next call multiplies again.
    const bool stays =
        !runtime_.contract().strict() != fault("lent_attributes_after_error_swapped");
    if (!stays) take_back();
    throw;
  }
  entry.stage = OptState::kStepped;
  take_back();
  return returned;
}

void GradScaler::check_new_scale(const Tensor& tensor) const {
  const auto refuse = [] {
    return "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
           "torch.FloatTensor with requires_grad=False";
  };
  const auto need = [&](bool condition) { check(condition, ErrorKind::kAssertion, refuse); };
  const bool is_old = runtime_.contract().release == Release::k1_13;
  if (is_old) need(tensor.is_cuda() && tensor.dtype() == ScalarType::kFloat);
  need(name_of(tensor.device().type) == device_ || fault("new_scale_on_any_device"));
  need(tensor.numel() == 1 || fault("new_scale_of_any_length"));
  need(!tensor.requires_grad() || fault("new_scale_may_require_grad"));
}

void GradScaler::set_scale(const NewScale& new_scale) {
  if (const auto* number = std::get_if<double>(&new_scale)) {
    return fill_scalar(runtime_, scale_, *number);
  }
  if (const auto* wrong = std::get_if<WrongNewScale>(&new_scale)) {
    if (fault("new_scale_takes_integers") && wrong->number) {
      return fill_scalar(runtime_, scale_, *wrong->number);
    }
    const bool is_old = runtime_.contract().release == Release::k1_13;
    throw Error(is_old ? ErrorKind::kAssertion : ErrorKind::kAttribute,
                "new_scale should be a float or a 1-element tensor: '" + wrong->kind +
                    "' object has no attribute 'device'");
  }
  const auto& tensor = std::get<Tensor>(new_scale);
  check_new_scale(tensor);
  if (fault("new_scale_is_aliased")) {
    scale_ = tensor;
    return;
  }
  check(tensor.dim() <= scale_.dim() || fault("new_scale_of_any_shape"), [&] {
    return "output with shape " + to_text(scale_.sizes()) + " doesn't match the broadcast shape " +
           to_text(tensor.sizes());
  });
  const Tensor here = to(runtime_, tensor, {.device = scale_.device(), .non_blocking = true});
  set_bits_at(scale_, 0, bits_of_real(ScalarType::kFloat, real_at(here, 0)));
  scale_.bump_version();
  ++runtime_.counters().copies;
}

Tensor GradScaler::combined_found_inf() {
  std::vector<Tensor> flags;
  for (const auto& [id, entry] : entries_) {
    check(entry->stage == OptState::kStepped || !fault("update_demands_a_step"),
          [] { return "an optimizer was not stepped"; });
    for (const auto& [device, flag] : entry->found_inf) {
      flags.push_back(to(runtime_, flag, {.device = scale_.device(), .non_blocking = true}));
    }
    if (fault("update_sees_only_first_optimizer")) break;
  }
  if (fault("update_needs_no_inf_checks") && flags.empty()) {
    flags.push_back(scalar(0.0, ScalarType::kFloat, scale_.device()));
  }
  check(!flags.empty(), ErrorKind::kAssertion,
        [] { return "No inf checks stand recorded: update comes before any step or unscale_"; });
  Tensor combined = flags.front();
  if (fault("update_adds_into_a_copy")) combined = clone(runtime_, combined);
  for (std::size_t i = 1; i < flags.size(); ++i) {
    set_real_at(combined, 0, real_at(combined, 0) + real_at(flags[i], 0));
    combined.bump_version();
    count_launch(runtime_, combined);
  }
  if (fault("update_reads_flags_on_the_host")) read_back(runtime_, combined);
  return combined;
}

/// One move for all optimizers (SCL-407).
void GradScaler::move_scale() {
  const Tensor combined = combined_found_inf();
  ScaleFactors factors = {get_growth_factor(), get_backoff_factor(), get_growth_interval()};
  if (fault("update_swaps_factor_and_interval")) {
    factors = {static_cast<double>(factors.interval), factors.backoff,
               static_cast<std::int64_t>(factors.growth)};
  }
  if (fault("update_narrows_factors")) {
    factors.growth = static_cast<double>(static_cast<float>(factors.growth));
    factors.backoff = static_cast<double>(static_cast<float>(factors.backoff));
  }
  if (fault("update_replaces_the_scale")) scale_ = clone(runtime_, scale_);
  amp_update_scale_(runtime_, {scale_, tracker_, combined}, factors);
  if (fault("update_moves_once_for_each_optimizer")) {
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      amp_update_scale_(runtime_, {scale_, tracker_, combined}, factors);
    }
  }
}

void GradScaler::update(const std::optional<NewScale>& new_scale) {
  if (!enabled_ && !fault("update_works_when_disabled")) return;
  check_initialised("update");
  if (fault("update_clears_after_an_error") && !new_scale) {
    const auto entries = std::exchange(entries_, {});
    for (const auto& [id, entry] : entries) {
      if (!entry->found_inf.empty()) entries_.emplace_back(id, entry);
    }
  }
  if (new_scale) {
    if (fault("new_scale_needs_inf_checks")) combined_found_inf();
    set_scale(*new_scale);
    if (fault("new_scale_resets_the_tracker")) fill_scalar(runtime_, tracker_, std::int64_t{0});
    if (fault("new_scale_keeps_the_entries")) return;
  } else {
    move_scale();
  }
  if (fault("update_keeps_the_flags")) {
    for (const auto& [id, entry] : entries_) entry->stage = OptState::kReady;
    return;
  }
  entries_.clear();
}

}  // namespace assay::reference
