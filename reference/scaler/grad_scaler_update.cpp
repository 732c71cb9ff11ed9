// The gradient scaler: update, which adjusts the scale by the flags of all optimizers.

#include "reference/amp/operators.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"
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
