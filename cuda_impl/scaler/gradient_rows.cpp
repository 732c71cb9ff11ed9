// Collects gradients into rows and launches them.
#include "cuda_impl/scaler/gradient_rows.hpp"

#include <algorithm>

#include "cuda_impl/amp/checks.hpp"
#include "cuda_impl/amp/strided_row.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/sparse.hpp"
#include "cuda_impl/optim/borrowed.hpp"

namespace assay::cuda {

void DeviceRows::begin(Device device, std::size_t most) {
  device_ = device;
  for (Group& group : groups_) {
    if (group.rows.size() < most) group.rows.resize(most);
    group.used = 0;
    group.others = 0;
  }
  gapped_.clear();
}

inline DeviceRows::Group* DeviceRows::group_of(Dtype dtype) {
  for (Group& group : groups_) {
    if (group.dtype == dtype) [[likely]]
      return &group;
  }
  return nullptr;
}

inline bool DeviceRows::add(const TensorBody& grad) {
  Group* const group = group_of(grad.dtype);
  if (group == nullptr) return false;
  if (grad.numel == 0 || !grad.is_dense) [[unlikely]] {
    ++group->others;
    return grad.numel == 0 || add_gapped(grad);
  }
  group->rows[group->used++] = {{data_of(grad)}, grad.numel};
  return true;
}

bool DeviceRows::add_gapped(const TensorBody& grad) {
  if (shares_elements(grad) || grad.sizes.size() > StridedRow::kMostDims) return false;
  gapped_.push_back({grad.dtype, strided_row(grad)});
  return true;
}

bool DeviceRows::suit(const RowRules& rules) const {
  std::size_t tensors = 0;
  std::size_t rows = gapped_.size();
  for (const Group& group : groups_) {
    const bool is_half = group.dtype == Dtype::kFloat16 && group.tensors() > 0;
    if (is_half && rules.halves == HalfGradients::kRefused) return false;
    tensors += group.tensors();
    rows += group.used;
  }
  // AMP-303: in 1.13, tensors without elements lose launches.
  return rows > 0 && (rows == tensors || rules.release != Release::k1_13);
}

/// SCL-204
void DeviceRows::count_calls() const {
  for (const Group& group : groups_) {
    if (group.tensors() == 0) continue;
    ++counters().unscale_calls;
    counters().unscale_tensors += static_cast<std::int64_t>(group.tensors());
  }
}

void DeviceRows::launch(const UnscaleByScale& work) const {
  count_calls();
  std::size_t left = gapped_.size();
  for (const Group& group : groups_) left += group.used > 0 ? 1 : 0;
  const auto next = [&] {
    UnscaleByScale now = work;
    if (--left > 0) now.found_inf = nullptr;
    return now;
  };
  for (const Gapped& each : gapped_) launch_unscale_by_scale(each.dtype, each.row, next());
  for (const Group& group : groups_) {
    if (group.used == 0) continue;
    launch_unscale_by_scale(group.dtype, std::span(group.rows).first(group.used), next());
  }
}

namespace {

/// SCL-207
const TensorBody& values_of_gradient(const Tensor& param, HalfGradients halves) {
  if (param->grad->dtype == Dtype::kFloat16 && halves == HalfGradients::kTaken) {
    param.set_grad(coalesce(param.grad()));
  }
  return *param->grad->sparse->values.body();
}

}  // namespace

DeviceRows& GradientRows::rows_on(Device device, std::size_t most) {
  for (std::size_t i = 0; i < used_; ++i) {
    if (devices_[i].device() == device) return devices_[i];
  }
  if (used_ == devices_.size()) devices_.emplace_back();
  devices_[used_].begin(device, most);
  return devices_[used_++];
}

bool GradientRows::collect(const Optimizer& optimizer, const RowRules& rules) {
  used_ = 0;
  const std::size_t most = optimizer.params().size();
  DeviceRows* rows = nullptr;
  for (const Tensor& param : optimizer.params()) {
    const TensorBody* grad = param->grad.get();
    if (grad == nullptr) continue;
    if (grad->sparse != nullptr) [[unlikely]]
      grad = &values_of_gradient(param, rules.halves);
    if (rows == nullptr || rows->device() != grad->device) [[unlikely]] {
      if (!grad->device.is_cuda()) return false;
      rows = &rows_on(grad->device, most);
    }
    if (!rows->add(*grad)) return false;
  }
  return used_ > 0 &&
         std::ranges::all_of(devices(), [&](const DeviceRows& each) { return each.suit(rules); });
}

}  // namespace assay::cuda
