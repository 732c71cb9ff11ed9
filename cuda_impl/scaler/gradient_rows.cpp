// Collects gradients into rows and launches them.
#include "cuda_impl/scaler/gradient_rows.hpp"

#include <algorithm>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/amp/unscale.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/sparse.hpp"

namespace assay::cuda {

inline bool RowGroup::add(const TensorBody& grad) {
  if (grad.numel == 0 || !grad.is_dense) [[unlikely]]
    return add_other(grad);
  rows[used++] = {{grad.data}, grad.numel};
  return true;
}

/// Without elements or with gaps.
bool RowGroup::add_other(const TensorBody& grad) {
  if (grad.numel == 0) {
    ++empty;
    return true;
  }
  if (shares_elements(grad) || grad.sizes.size() > StridedRow::kMostDims) return false;
  gapped.push_back(strided_row(grad));
  return true;
}

void DeviceRows::begin(Device device, std::size_t most) {
  for (RowGroup& group : groups_) {
    group.device = device;
    if (group.rows.size() < most) group.rows.resize(most);
    group.used = 0;
    group.gapped.clear();
    group.empty = 0;
  }
}

RowGroup* DeviceRows::group_of(Dtype dtype) {
  for (RowGroup& group : groups_) {
    if (group.dtype == dtype) return &group;
  }
  return nullptr;
}

bool DeviceRows::suit(const RowRules& rules) const {
  std::size_t launches = 0;
  std::size_t empty = 0;
  for (const RowGroup& group : groups_) {
    const bool is_half = group.dtype == Dtype::kFloat16 && group.tensors() > 0;
    if (is_half && rules.halves == HalfGradients::kRefused) return false;
    launches += group.launches();
    empty += group.empty;
  }
  // AMP-303: in 1.13, tensors without elements lose launches.
  return launches > 0 && (empty == 0 || rules.release != Release::k1_13);
}

/// SCL-204
void DeviceRows::count_calls() const {
  for (const RowGroup& group : groups_) {
    if (group.tensors() == 0) continue;
    ++counters().unscale_calls;
    counters().unscale_tensors += static_cast<std::int64_t>(group.tensors());
  }
}

void DeviceRows::launch(const UnscaleByScale& work) const {
  count_calls();
  std::size_t left = 0;
  for (const RowGroup& group : groups_) left += group.launches();
  const auto next = [&] {
    UnscaleByScale now = work;
    if (--left > 0) now.found_inf = nullptr;
    return now;
  };
  for (const RowGroup& group : groups_) {
    for (const StridedRow& row : group.gapped) launch_unscale_by_scale(group.dtype, row, next());
    if (group.used == 0) continue;
    launch_unscale_by_scale(group.dtype, std::span(group.rows).first(group.used), next());
  }
}

namespace {

/// Of a sparse gradient (SCL-207).
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
  RowGroup* group = nullptr;
  for (const Tensor& param : optimizer.params()) {
    const TensorBody* grad = param->grad.get();
    if (grad == nullptr) continue;
    if (!grad->storage) [[unlikely]]
      grad = &values_of_gradient(param, rules.halves);
    if (group == nullptr || !group->takes(*grad)) [[unlikely]] {
      if (!grad->device.is_cuda()) return false;
      group = rows_on(grad->device, most).group_of(grad->dtype);
      if (group == nullptr) return false;
    }
    if (!group->add(*grad)) return false;
  }
  return used_ > 0 &&
         std::ranges::all_of(devices(), [&](const DeviceRows& each) { return each.suit(rules); });
}

}  // namespace assay::cuda
