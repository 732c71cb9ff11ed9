// Saving, loading, copying and moving the state of a scaler.
#include <algorithm>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

const Scalar& entry_of(const ScalerState& state, std::string_view name) {
  const auto found = std::find_if(state.begin(), state.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  require(found != state.end(), ErrorKind::kKey,
          [&] { return "the state has no entry '" + std::string(name) + "'"; });
  return found->second;
}

}  // namespace

ScalerState GradScaler::state_dict() const {
  if (!enabled_) return {};
  return {{"scale", scale_.defined() ? Scalar(get_scale()) : init_scale_},
          {"growth_factor", *growth_factor_},
          {"backoff_factor", *backoff_factor_},
          {"growth_interval", *growth_interval_},
          {"_growth_tracker", get_growth_tracker()}};
}

void GradScaler::load_state_dict(const ScalerState& state) {
  if (!enabled_) return;
  require(!state.empty(), [] {
    return "the source state dict is empty, possibly because it was saved from a GradScaler that "
           "is disabled";
  });
  // SCL-508: entries before the failing one stay assigned.
  init_scale_ = entry_of(state, "scale");
  if (scale_.defined()) fill_(scale_, init_scale_, session_->contract());
  growth_factor_ = entry_of(state, "growth_factor");
  backoff_factor_ = entry_of(state, "backoff_factor");
  growth_interval_ = entry_of(state, "growth_interval");
  init_tracker_ = entry_of(state, "_growth_tracker");
  if (tracker_.defined()) fill_(tracker_, init_tracker_, session_->contract());
}

std::shared_ptr<GradScaler> GradScaler::copy() const {
  auto copied = std::make_shared<GradScaler>(*this);
  if (!enabled_) return copied;
  require(entries_.empty(), ErrorKind::kAssertion, [] {
    return "a GradScaler may only be pickled at the beginning of an iteration, or after "
           "scaler.update() at its end";
  });
  if (scale_.defined()) copied->init_scale_ = Scalar(get_scale());
  copied->init_tracker_ = get_growth_tracker();
  copied->scale_ = {};
  copied->tracker_ = {};
  return copied;
}

std::shared_ptr<GradScaler> GradScaler::move() {
  auto moved = std::make_shared<GradScaler>(std::move(*this));
  *this = GradScaler(*moved->session_, {.device = moved->device_, .enabled = false});
  return moved;
}

}  // namespace assay::cuda
