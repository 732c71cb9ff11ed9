// A loss scale that is driven by flags: a GradScaler's operator, and what the operator does not
// have.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

struct LossScaleSettings {
  double scale = 0;
  double growth_factor = 0;
  double backoff_factor = 0;
  std::int64_t growth_interval = 0;
  double floor = -std::numeric_limits<double>::infinity();
  double ceiling = std::numeric_limits<double>::infinity();
  std::int64_t hysteresis = 1;
};

/// A copy of everything, on the host.
struct SavedLossScale {
  LossScaleSettings settings;
  double scale;
  std::int64_t tracker;
  std::int64_t tolerated;
};

/// The scale and its growth tracker live on a device. Each step waits for it. Not thread-safe.
class LossScale {
 public:
  LossScale(Session& session, Device home, const LossScaleSettings& settings);

  void update(bool overflow);
  double get() const;
  SavedLossScale save() const;
  /// Raises `error` for null, and changes nothing then.
  void load(const SavedLossScale* saved);

 private:
  void run_operator(const Tensor& found_inf);
  void set_scale(double value);
  void set_tracker(std::int64_t value);

  Session* session_;
  LossScaleSettings settings_;
  Tensor scale_;
  Tensor tracker_;
  Tensor clean_;            ///< the flag of a clean step: 0
  Tensor overflow_;         ///< the flag of an overflow: 1
  std::int64_t tolerated_;  ///< overflows that still do not back off
};

}  // namespace assay::cuda
