// The gradient scaler: construction, accessors, state and copies.
#include "reference/scaler/grad_scaler.hpp"

#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"
#include "reference/scaler/multiply.hpp"

namespace assay::reference {

namespace {

/// Since 2.11 the checks test whether a factor is wrong, earlier whether it is right. Only NaN
/// makes a difference (SCL-006).
bool passes(bool is_right, bool is_wrong, Release release) {
  return release >= Release::k2_11 ? !is_wrong : is_right;
}

void check_factors(const ScalerOptions& options, Release release) {
  const double growth = options.growth_factor.real();
  const double backoff = options.backoff_factor.real();
  check(passes(growth > 1.0, growth <= 1.0, release), ErrorKind::kAssertion,
        [&] { return "The growth factor must be > 1.0, got " + std::to_string(growth); });
  check(passes(backoff < 1.0, backoff >= 1.0, release), ErrorKind::kAssertion,
        [&] { return "The backoff factor must be < 1.0, got " + std::to_string(backoff); });
}

bool must_disable(Runtime& runtime, const ScalerOptions& options) {
  if (!options.enabled) return false;
  if (options.device != "cuda" || options.cuda_available) return false;
  runtime.warn("UserWarning", "GradScaler is enabled, but CUDA is not available. Disabling.");
  return true;
}

}  // namespace

GradScaler::GradScaler(Runtime& runtime, const ScalerOptions& options)
    : runtime_(runtime), enabled_(options.enabled) {
  device_ = options.device;
  init_scale_ = options.init_scale;
  if (must_disable(runtime, options)) enabled_ = false;  // SCL-003: no validation either
  if (enabled_) {
    growth_factor_ = options.growth_factor;
    backoff_factor_ = options.backoff_factor;
    growth_interval_ = options.growth_interval;
  }
  if (enabled_) {
    check_factors(options, runtime.contract().release);
  }
}

Tensor GradScaler::scalar(const Scalar& value, ScalarType dtype, Device device) {
  const bool is_old = runtime_.contract().release == Release::k1_13;
  const Shape shape = is_old ? Shape{1} : Shape{};
  Tensor made = empty(runtime_, shape, dtype, device);
  fill_scalar(runtime_, made, value);
  return made;
}

bool GradScaler::is_enabled() const { return enabled_; }

void GradScaler::set_growth_factor(double value) { growth_factor_ = value; }

double GradScaler::get_scale() {
  if (!enabled_) return 1.0;
  return present_scale().real();
}

Scalar GradScaler::present_scale() {
  if (scale_.defined()) return read_back(runtime_, scale_);
  const auto* number = std::get_if<Scalar>(&init_scale_);
  check(number != nullptr, ErrorKind::kType,
        [] { return "the initial scale is a str, not a number"; });
  // Not rounded until the tensor exists (SCL-501).
  return *number;
}

Scalar GradScaler::get_growth_tracker() {
  if (!enabled_) return std::int64_t{0};
  if (!tracker_.defined()) return init_tracker_;
  return static_cast<std::int64_t>(read_back(runtime_, tracker_));
}

namespace {

[[noreturn]] void refuse_attribute(const char* name) {
  throw Error(ErrorKind::kAttribute,
              "'GradScaler' object has no attribute '" + std::string(name) + "': it is disabled");
}

template <typename T>
T stored(const std::optional<T>& value, const char* name) {
  if (!value) refuse_attribute(name);
  return *value;
}

}  // namespace

void GradScaler::check_enabled(const char* name) const {
  if (!enabled_) refuse_attribute(name);
}

double GradScaler::get_growth_factor() const {
  return stored(growth_factor_, "_growth_factor").real();
}
double GradScaler::get_backoff_factor() const {
  return stored(backoff_factor_, "_backoff_factor").real();
}
Scalar GradScaler::get_growth_interval() const {
  return stored(growth_interval_, "_growth_interval");
}

ScalerState GradScaler::state_dict() {
  if (!enabled_) {
    return ScalerState{};
  }
  ScalerState state = {{"scale", present_scale()},
                       {"growth_factor", stored(growth_factor_, "_growth_factor")},
                       {"backoff_factor", stored(backoff_factor_, "_backoff_factor")},
                       {"growth_interval", get_growth_interval()}};
  state.emplace_back("_growth_tracker", get_growth_tracker());
  return state;
}

namespace {

const Scalar& entry(const ScalerState& state, const char* key) {
  for (const auto& [name, value] : state) {
    if (name == key) return value;
  }
  throw Error(ErrorKind::kKey, std::string("'") + key + "'");
}

}  // namespace

/// Applies entry by entry: if a key is missing, the entries before it stay applied (SCL-508).
void GradScaler::load_state_dict(const ScalerState& state) {
  if (!enabled_) return;
  check(!state.empty(),
        [] { return "the state to load is empty, as that of a disabled scaler is"; });
  init_scale_ = entry(state, "scale");
  if (scale_.defined()) {
    fill_scalar(runtime_, scale_, entry(state, "scale"));
    note_write(runtime_, scale_);
  }
  growth_factor_ = entry(state, "growth_factor");
  backoff_factor_ = entry(state, "backoff_factor");
  growth_interval_ = entry(state, "growth_interval");
  init_tracker_ = entry(state, "_growth_tracker");
  if (tracker_.defined()) {
    fill_scalar(runtime_, tracker_, init_tracker_);
    note_write(runtime_, tracker_);
  }
}

std::shared_ptr<GradScaler> GradScaler::copy() {
  check(!enabled_ || entries_.empty(), ErrorKind::kAssertion, [] {
    return "A GradScaler may only be pickled at the beginning of an iteration, or at its end "
           "after scaler.update()";
  });
  std::shared_ptr<GradScaler> made(new GradScaler(*this));
  if (!enabled_) return made;
  made->init_scale_ = present_scale();
  made->init_tracker_ = get_growth_tracker();
  made->scale_ = {};
  made->tracker_ = {};
  made->entries_.clear();
  return made;
}

std::shared_ptr<GradScaler> GradScaler::move() {
  std::shared_ptr<GradScaler> made(new GradScaler(*this));
  enabled_ = false;
  scale_ = {};
  tracker_ = {};
  entries_.clear();
  return made;
}

FoundInfMap GradScaler::found_inf_per_device(const Optimizer& optimizer) {
  check_enabled("_per_optimizer_states");
  return entry_of(optimizer)->found_inf;
}

/// Identifies the object, not its content (SCL-901).
std::uint64_t GradScaler::key_of(const Optimizer& optimizer) { return optimizer.id(); }

std::optional<OptState> GradScaler::stage_of(const Optimizer& optimizer) const {
  for (const auto& [id, entry] : entries_) {
    if (id == key_of(optimizer)) return entry->stage;
  }
  return std::nullopt;
}

GradScaler::Entry GradScaler::entry_of(const Optimizer& optimizer) {
  for (const auto& [id, entry] : entries_) {
    if (id == key_of(optimizer)) return entry;
  }
  return entries_.emplace_back(key_of(optimizer), std::make_shared<PerOptimizer>()).second;
}

}  // namespace assay::reference
