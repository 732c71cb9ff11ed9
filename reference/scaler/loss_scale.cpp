// The steps of a loss scale: back off, count, or grow.
#include "reference/scaler/loss_scale.hpp"

#include <algorithm>
#include <cmath>

#include "reference/core/types/error.hpp"

namespace assay::reference {

LossScale::LossScale(const LossScaleSettings& settings) {
  now_.settings = settings;
  now_.scale = static_cast<float>(settings.scale);
  now_.clean_steps = 0;
  now_.overflows_to_go = settings.hysteresis;
}

void LossScale::update(bool overflow) {
  if (overflow) {
    now_.clean_steps = 0;  // LSC-104
    if (now_.overflows_to_go > 1) {
      --now_.overflows_to_go;  // LSC-203
    } else {
      back_off();
    }
    return;
  }
  ++now_.clean_steps;
  if (now_.clean_steps == now_.settings.growth_interval) {
    now_.clean_steps = 0;                             // LSC-105
    now_.overflows_to_go = now_.settings.hysteresis;  // LSC-204
    grow();
  }
}

void LossScale::back_off() {
  now_.scale = scaled_by(now_.settings.backoff_factor);  // LSC-108: down to zero
  if (now_.settings.floor) {
    now_.scale = std::max(now_.scale, static_cast<float>(*now_.settings.floor));
  }
}

void LossScale::grow() {
  const float candidate = scaled_by(now_.settings.growth_factor);
  if (!std::isfinite(candidate)) return;  // LSC-107
  now_.scale = candidate;
  if (now_.settings.ceiling) {
    now_.scale = std::min(now_.scale, static_cast<float>(*now_.settings.ceiling));
  }
}

/// Computed in double and rounded once (LSC-111).
float LossScale::scaled_by(double factor) const {
  return static_cast<float>(static_cast<double>(now_.scale) * factor);
}

LossScaleState LossScale::save() const { return now_; }

void LossScale::load(const LossScaleState* state) {
  check(state != nullptr, [] { return "the state of a loss scale is missing or empty"; });
  now_ = *state;
}

}  // namespace assay::reference
