// update(): combines the flags and updates the scale, or sets a new one.
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

constexpr const char* kNewScaleRule =
    "new_scale should be a float or a 1-element float tensor on the scaler's kind of device with "
    "requires_grad=False";

}  // namespace

void GradScaler::update(const std::optional<NewScale>& new_scale) {
  if (!enabled_) return;
  need_scalars("update");
  if (new_scale) {
    set_scale(*new_scale);
  } else {
    const Tensor found = combined_flags();
    amp_update_scale_(session_->contract(), {scale_, tracker_, found},
                      {growth_factor_->real(), backoff_factor_->real(), interval_for_update()});
  }
  end_iteration(!new_scale);
}

/// SCL-407, SCL-408: adds the other flags into the first one, unless that had to be copied.
Tensor GradScaler::combined_flags() const {
  Tensor sum;
  for (const auto& [id, progress] : entries_) {
    for (const DeviceFlag& found : progress->flags) {
      const Tensor flag = moved_to(found.flag, scale_.device());
      if (sum.defined()) {
        add_(sum, flag);
      } else {
        sum = flag;
      }
    }
  }
  require(sum.defined(), ErrorKind::kAssertion,
          [] { return "No inf checks were recorded prior to update."; });
  return sum;
}

std::int64_t GradScaler::interval_for_update() const {
  require(growth_interval_->is<std::int64_t>(), ErrorKind::kType, [&] {
    return "growth_interval must be an int, not a " + std::string(kind_of(*growth_interval_));
  });
  return get_growth_interval();
}

void GradScaler::set_scale(const NewScale& new_scale) {
  if (const auto* tensor = std::get_if<Tensor>(&new_scale)) return set_scale(*tensor);
  if (const auto* number = std::get_if<double>(&new_scale)) {
    return fill_(scale_, Scalar(*number), session_->contract());  // SCL-402
  }
  const std::string& kind = std::get<WrongScale>(new_scale).kind;
  require(release() != Release::k1_13, ErrorKind::kAssertion, [] { return kNewScaleRule; });
  throw Error(ErrorKind::kAttribute, "'" + kind + "' object has no attribute 'device'");  // SCL-406
}

void GradScaler::set_scale(const Tensor& new_scale) {
  const bool is_old = release() == Release::k1_13;
  const Device kind{new_scale.device().kind, -1};
  // SCL-404
  const bool fits = is_old ? new_scale.is_cuda() && new_scale.dtype() == Dtype::kFloat32
                           : device_ == to_text(kind, release());
  require(fits && new_scale.numel() == 1 && !new_scale->requires_grad, ErrorKind::kAssertion,
          [] { return kNewScaleRule; });
  copy_(scale_, new_scale, {.contract = session_->contract()});  // SCL-405
}

}  // namespace assay::cuda
