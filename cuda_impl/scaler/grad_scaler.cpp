// Construction, scalars and optimizer entries of a scaler.
#include "cuda_impl/scaler/grad_scaler.hpp"

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/scaler/reading.hpp"

namespace assay::cuda {
namespace {

/// Truncates toward zero.
std::int64_t to_integer(const Scalar& number) {
  return number.is<std::int64_t>() ? number.as<std::int64_t>()
                                   : static_cast<std::int64_t>(number.real());
}

}  // namespace

GradScaler::GradScaler(Session& session, const ScalerOptions& options)
    : session_(&session), device_(options.device), enabled_(options.enabled) {
  if (!enabled_) return;  // SCL-009: a disabled scaler stores nothing
  init_scale_ = options.init_scale;
  growth_factor_ = options.growth_factor;
  backoff_factor_ = options.backoff_factor;
  growth_interval_ = options.growth_interval;
}

const Scalar& GradScaler::stored(const std::optional<Scalar>& value, std::string_view name) const {
  require(value.has_value(), ErrorKind::kAttribute, [&] {
    return "a GradScaler that is disabled has no attribute '_" + std::string(name) + "'";
  });
  return *value;
}

void GradScaler::need_enabled(std::string_view attribute) const {
  require(enabled_, ErrorKind::kAttribute, [&] {
    return "a GradScaler that is disabled has no attribute '" + std::string(attribute) + "'";
  });
}

void GradScaler::need_scalars(std::string_view method) const {
  const auto need = [&](const Tensor& scalar, const char* name) {
    require(scalar.defined(), ErrorKind::kAssertion, [&] {
      return "attempted " + std::string(method) + " but " + name +
             " is None. Perhaps scaler.scale(loss or outputs) was not called in this iteration.";
    });
  };
  need(scale_, "_scale");
  need(tracker_, "_growth_tracker");
}

std::shared_ptr<GradScaler::Progress> GradScaler::progress_of(const Optimizer& optimizer) {
  for (const auto& [id, progress] : entries_) {
    if (id == optimizer.id()) return progress;
  }
  if (spares_.progress.empty()) spares_.progress.push_back(std::make_shared<Progress>());
  entries_.emplace_back(optimizer.id(), std::move(spares_.progress.back()));
  spares_.progress.pop_back();
  return entries_.back().second;
}

void GradScaler::end_iteration(bool have_been_used) {
  for (auto& [id, progress] : entries_) {
    if (progress.use_count() > 1) continue;
    for (DeviceFlag& found : progress->flags) {
      if (!have_been_used || !found.ticket.is_reusable) continue;
      const DeviceScope scope(found.device.index);
      spares_.pool.give_back({std::move(found.flag), found.ticket});
    }
    progress->flags.clear();
    progress->stage = Stage::kReady;
    spares_.progress.push_back(std::move(progress));
  }
  entries_.clear();  // SCL-411
}

std::optional<Stage> GradScaler::stage_of(const Optimizer& optimizer) const {
  for (const auto& [id, progress] : entries_) {
    if (id == optimizer.id()) return progress->stage;
  }
  return std::nullopt;
}

double GradScaler::get_scale() const {
  if (!enabled_) return 1.0;
  return scale_.defined() ? read_by_scaler(scale_) : init_scale_.real();
}

Scalar GradScaler::get_growth_tracker() const {
  if (!enabled_) return 0;
  if (!tracker_.defined()) return init_tracker_;
  return static_cast<std::int64_t>(read_by_scaler(tracker_));
}

std::int64_t GradScaler::get_growth_interval() const {
  return to_integer(stored(growth_interval_, "growth_interval"));
}

Tensor GradScaler::scale_in_step() {
  need_enabled("_scale");
  return scale_;
}

std::vector<Tensor> GradScaler::check_inf_in_step(Optimizer& optimizer) {
  std::vector<Tensor> flags;
  for (const DeviceFlag& found : check_inf_per_device(optimizer)) flags.push_back(found.flag);
  return flags;
}

}  // namespace assay::cuda
