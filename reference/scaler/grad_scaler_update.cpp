// The gradient scaler: update, which moves the scale by what the flags of all optimizers say.
#include <utility>

#include "reference/amp/operators.hpp"
#include "reference/core/copy.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/scaler/multiply.hpp"

namespace assay::reference {

void GradScaler::check_new_scale(const Tensor& tensor) const {
  const auto refuse = [] {
    return "new_scale must be a float, or a tensor that is 1-element, on the scaler's device type "
           "and has requires_grad=False";
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
                "new_scale must be a float or a 1-element tensor: '" + wrong->kind +
                    "' object has no attribute 'device'");
  }
  const auto& tensor = std::get<Tensor>(new_scale);
  check_new_scale(tensor);
  if (fault("new_scale_is_aliased")) {
    scale_ = tensor;
    return;
  }
  check(tensor.dim() <= scale_.dim() || fault("new_scale_of_any_shape"), [&] {
    return "new_scale of shape " + to_text(tensor.sizes()) +
           " does not broadcast into the scale's shape " + to_text(scale_.sizes());
  });
  const Tensor here = to(runtime_, tensor, {.device = scale_.device(), .non_blocking = true});
  launch(runtime_, scale_.device(), "copy", [to = borrowed(scale_), from = borrowed(here)] {
    set_bits_at(to, 0, bits_of_real(ScalarType::kFloat, real_at(from, 0)));
  });
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
      if (fault("update_sees_one_device_of_later_optimizers") && id != entries_.front().first)
        break;
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
    launch(runtime_, combined.device(), "add_",
           [sum = borrowed(combined), by = borrowed(flags[i])] {
             set_real_at(sum, 0, real_at(sum, 0) + real_at(by, 0));
           });
    combined.bump_version();
    count_launch(runtime_, combined);
  }
  if (fault("update_reads_flags_on_the_host")) read_back(runtime_, combined);
  return combined;
}

/// A loaded interval may be anything; the operator takes an int (SCL-509).
std::int64_t GradScaler::interval_for_operator() const {
  const Scalar interval = get_growth_interval();
  const auto* whole = std::get_if<std::int64_t>(&interval.value());
  if (whole == nullptr && fault("update_cuts_the_interval")) {
    return static_cast<std::int64_t>(interval.real());
  }
  check(whole != nullptr, ErrorKind::kType,
        [] { return "_amp_update_scale_(): argument 'growth_interval' must be int"; });
  return *whole;
}

/// One move for all optimizers (SCL-407).
void GradScaler::move_scale() {
  const Tensor combined = combined_found_inf();
  ScaleFactors factors = {get_growth_factor(), get_backoff_factor(), interval_for_operator()};
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
  if (fault("update_launches_twice")) count_launch(runtime_, scale_);
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
