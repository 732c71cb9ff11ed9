// The gradient scaler: construction, accessors, state and copies.
#include "reference/scaler/grad_scaler.hpp"

#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/scaler/multiply.hpp"

namespace assay::reference {

namespace {

/// Since 2.11 the checks ask whether a factor is wrong, before whether it is right; only a NaN
/// tells the two apart (SCL-006).
bool passes(bool is_right, bool is_wrong, Release release) {
  if (fault("scaler_nan_factor_rule_swapped"))
    return release == Release::k2_11 ? is_right : !is_wrong;
  return release == Release::k2_11 ? !is_wrong : is_right;
}

void check_factors(const ScalerOptions& options, Release release) {
  const auto check_growth = [&] {
    const double growth = options.growth_factor.real();
    check(passes(growth > 1.0, growth <= 1.0, release) || fault("scaler_takes_any_growth_factor"),
          ErrorKind::kAssertion,
          [&] { return "The growth factor must be > 1.0, got " + std::to_string(growth); });
  };
  const auto check_backoff = [&] {
    const double backoff = options.backoff_factor.real();
    check(
        passes(backoff < 1.0, backoff >= 1.0, release) || fault("scaler_takes_any_backoff_factor"),
        ErrorKind::kAssertion,
        [&] { return "The backoff factor must be < 1.0, got " + std::to_string(backoff); });
  };
  if (fault("scaler_checks_backoff_first")) check_backoff();
  check_growth();
  check_backoff();
  check(!fault("scaler_wants_positive_backoff") || options.backoff_factor.real() > 0,
        ErrorKind::kAssertion, [] { return "The backoff factor must be > 0"; });
  check(!fault("scaler_wants_positive_interval") || options.growth_interval > 0,
        ErrorKind::kAssertion, [] { return "The growth interval must be > 0"; });
}

ScalerOptions mistaken(ScalerOptions options) {
  const auto* init_scale = std::get_if<Scalar>(&options.init_scale);
  if (fault("scaler_default_init_is_32768") && init_scale != nullptr &&
      init_scale->equal(65536.0)) {
    options.init_scale = Scalar(32768.0);
  }
  if (fault("scaler_default_interval_is_1000") && options.growth_interval == 2000) {
    options.growth_interval = 1000;
  }
  if (fault("scaler_exchanges_factors")) {
    std::swap(options.growth_factor, options.backoff_factor);
  }
  return options;
}

bool must_disable(Runtime& runtime, const ScalerOptions& options) {
  if (!options.enabled) return false;
  const bool asks_cuda = options.device == "cuda" || (fault("scaler_cuda_index_asks_cuda") &&
                                                      options.device.starts_with("cuda"));
  if (!asks_cuda || options.cuda_available) return false;
  if (fault("scaler_stays_enabled_without_cuda")) return false;
  if (!fault("scaler_disables_silently")) {
    runtime.warn("UserWarning", "GradScaler is enabled, but CUDA is not available. Disabling.");
  }
  return true;
}

}  // namespace

GradScaler::GradScaler(Runtime& runtime, const ScalerOptions& asked)
    : runtime_(runtime), enabled_(asked.enabled) {
  const ScalerOptions options = mistaken(asked);
  device_ = options.device;
  init_scale_ = options.init_scale;
  if (must_disable(runtime, options)) enabled_ = false;  // SCL-003: no validation either
  if (enabled_ || fault("scaler_disabled_keeps_factors")) {
    growth_factor_ = options.growth_factor;
    backoff_factor_ = options.backoff_factor;
    growth_interval_ = options.growth_interval;
  }
  if (enabled_ || fault("scaler_validates_when_disabled")) {
    check_factors(options, runtime.contract().release);
  }
  if (fault("scaler_initialises_at_construction") && enabled_) initialise(runtime.home());
}

Tensor GradScaler::scalar(const Scalar& value, ScalarType dtype, Device device) {
  const bool is_old =
      runtime_.contract().release == Release::k1_13 && !fault("scaler_scalars_never_had_a_dim");
  const Shape shape = is_old ? Shape{1} : Shape{};
  Tensor made =
      empty(runtime_, fault("scaler_scalars_have_one_dim") ? Shape{1} : shape, dtype, device);
  fill_scalar(runtime_, made, value);
  return made;
}

bool GradScaler::is_enabled() const { return enabled_ || fault("scaler_disabled_is_enabled"); }

void GradScaler::set_growth_factor(double value) {
  check(value > 1 || !fault("setters_validate"), ErrorKind::kAssertion,
        [] { return "The growth factor must be > 1.0"; });
  growth_factor_ = value;
}

double GradScaler::get_scale() {
  if (!enabled_) return fault("scaler_disabled_scale_is_0") ? 0.0 : 1.0;
  return present_scale().real();
}

Scalar GradScaler::present_scale() {
  if (scale_.defined()) return read_back(runtime_, scale_);
  const auto* number = std::get_if<Scalar>(&init_scale_);
  check(number != nullptr, ErrorKind::kType, [] { return "the initial scale is a text"; });
  // Not rounded before there is a tensor (SCL-501).
  if (!fault("scaler_rounds_init_at_once")) return *number;
  return static_cast<double>(static_cast<float>(number->real()));
}

Scalar GradScaler::get_growth_tracker() {
  if (!enabled_) return std::int64_t{0};
  if (!tracker_.defined() || fault("tracker_read_is_the_initial_one")) return init_tracker_;
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
    return fault("scaler_disabled_has_state") ? ScalerState{{"scale", 1.0}} : ScalerState{};
  }
  ScalerState state = {{"scale", present_scale()},
                       {"growth_factor", stored(growth_factor_, "_growth_factor")},
                       {"backoff_factor", stored(backoff_factor_, "_backoff_factor")},
                       {"growth_interval", get_growth_interval()}};
  if (!fault("scaler_state_lacks_tracker")) {
    state.emplace_back("_growth_tracker", get_growth_tracker());
  }
  return state;
}

namespace {

const Scalar& entry(const ScalerState& state, const char* key) {
  for (const auto& [name, value] : state) {
    if (name == key) return value;
  }
  throw Error(ErrorKind::kKey, std::string("'") + key + "'");
}

void check_all_keys(const ScalerState& state) {
  for (const char* key :
       {"scale", "growth_factor", "backoff_factor", "growth_interval", "_growth_tracker"}) {
    entry(state, key);
  }
}

}  // namespace

/// Entry by entry: what was read before a missing key stays applied (SCL-508).
void GradScaler::load_state_dict(const ScalerState& state) {
  if (!enabled_) return;
  if (fault("scaler_loads_empty_state") && state.empty()) return;
  check(!state.empty(),
        [] { return "the state to load is empty, as that of a disabled scaler is"; });
  if (fault("scaler_loads_atomically")) check_all_keys(state);
  init_scale_ = entry(state, "scale");
  if (fault("scaler_loads_floats")) init_scale_ = Scalar(entry(state, "scale").real());
  if (scale_.defined() && !fault("scaler_loads_only_init_values")) {
    if (fault("scaler_load_replaces_the_scale")) {
      scale_ = scalar(entry(state, "scale").real(), ScalarType::kFloat, scale_.device());
    }
    fill_scalar(runtime_, scale_, entry(state, "scale"));
    scale_.bump_version();
  }
  growth_factor_ = entry(state, "growth_factor");
  backoff_factor_ = entry(state, "backoff_factor");
  growth_interval_ = entry(state, "growth_interval");
  if (fault("scaler_load_cuts_the_interval")) {
    growth_interval_ = static_cast<std::int64_t>(growth_interval_->real());
  }
  init_tracker_ = entry(state, "_growth_tracker");
  if (fault("scaler_load_forgets_tracker")) init_tracker_ = std::int64_t{0};
  if (tracker_.defined() && !fault("scaler_loads_only_init_values")) {
    fill_scalar(runtime_, tracker_, init_tracker_);
    tracker_.bump_version();
  }
  if (fault("scaler_load_clears_optimizers")) entries_.clear();
}

std::shared_ptr<GradScaler> GradScaler::copy() {
  const bool is_between = entries_.empty() || fault("scaler_pickles_mid_iteration");
  check(!enabled_ || is_between, ErrorKind::kAssertion, [] {
    return "A GradScaler may only be pickled at the beginning of an iteration, or at its end "
           "after scaler.update()";
  });
  std::shared_ptr<GradScaler> made(new GradScaler(*this));
  if (fault("scaler_disabled_copy_fails")) check_enabled("_scale");
  if (!enabled_) return made;
  if (!fault("scaler_copy_forgets_scale")) made->init_scale_ = present_scale();
  if (!fault("scaler_copy_forgets_tracker")) made->init_tracker_ = get_growth_tracker();
  if (fault("scaler_copy_shares_tensors")) return made;
  made->scale_ = {};
  made->tracker_ = {};
  made->entries_.clear();
  return made;
}

std::shared_ptr<GradScaler> GradScaler::move() {
  std::shared_ptr<GradScaler> made(new GradScaler(*this));
  if (fault("scaler_move_drops_entries")) made->entries_.clear();
  if (!fault("scaler_move_leaves_source_enabled")) enabled_ = false;
  scale_ = {};
  tracker_ = {};
  entries_.clear();
  return made;
}

FoundInfMap GradScaler::found_inf_per_device(const Optimizer& optimizer) {
  check_enabled("_per_optimizer_states");
  if (fault("scaler_probe_makes_no_entry") && !stage_of(optimizer)) return {};
  return entry_of(optimizer)->found_inf;
}

/// Of the object, not of what it holds (SCL-901).
std::uint64_t GradScaler::key_of(const Optimizer& optimizer) {
  if (!fault("entries_are_keyed_by_parameters") || optimizer.params().empty()) {
    return optimizer.id();
  }
  return reinterpret_cast<std::uintptr_t>(optimizer.params().front().identity());
}

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
