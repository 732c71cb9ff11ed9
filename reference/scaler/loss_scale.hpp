// A dynamic loss scale on the host, told step by step whether a gradient was not finite.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::reference {

struct LossScaleSettings {
  double scale = 0;
  double growth_factor = 0;
  double backoff_factor = 0;
  std::int64_t growth_interval = 0;
  std::optional<double> floor;    ///< backoff stops here (LSC-201)
  std::optional<double> ceiling;  ///< growth stops here (LSC-202)
  std::int64_t hysteresis = 1;    ///< the first overflow that backs off (LSC-203)
};

/// Everything that later steps depend on (LSC-301).
struct LossScaleState {
  LossScaleSettings settings;
  float scale = 0;
  std::int64_t clean_steps = 0;      ///< since the start, the last overflow or the last growth
  std::int64_t overflows_to_go = 1;  ///< until the scale backs off
};

/// Not thread-safe.
class LossScale {
 public:
  explicit LossScale(const LossScaleSettings& settings);

  /// One step.
  void update(bool overflow);
  float get() const { return now_.scale; }
  LossScaleState save() const;
  /// Forgets everything from before, its settings included (LSC-304). Null is what nobody has
  /// saved: raises `error` and changes nothing (LSC-305).
  void load(const LossScaleState* state);

 private:
  void back_off();
  void grow();
  float scaled_by(double factor) const;

  LossScaleState now_;
};

}  // namespace assay::reference
