// Collects gradients into rows and launches them.
#include "cuda_impl/scaler/gradient_rows.hpp"

#include <algorithm>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/kernels/parameter_bytes.hpp"
#include "cuda_impl/optim/borrowed.hpp"

namespace assay::cuda {

inline bool GradientRows::add(const TensorBody& grad, Device home, HalfGradients halves) {
  if (grad.device != home || grad.sparse != nullptr || !grad.is_dense) return false;
  if (grad.dtype == Dtype::kFloat16 && halves == HalfGradients::kRefused) return false;
  const auto group = std::ranges::find(groups_, grad.dtype, &Group::dtype);
  if (group == groups_.end()) return false;
  ++group->tensors;
  if (grad.numel > 0) group->rows[group->used++] = {{data_of(grad)}, grad.numel};
  return true;
}

bool GradientRows::collect(const Optimizer& optimizer, Device home, HalfGradients halves) {
  const std::size_t most = optimizer.params().size();
  for (Group& group : groups_) {
    if (group.rows.size() < most) group.rows.resize(most);
    group.used = 0;
    group.tensors = 0;
  }
  for (const Tensor& param : optimizer.params()) {
    const Counted<TensorBody>& grad = param->grad;
    if (grad && !add(*grad, home, halves)) return false;
  }
  return std::ranges::any_of(groups_, [](const Group& group) { return group.used > 0; }) &&
         parameter_bytes() == kLargeParameters;
}

void GradientRows::launch(const UnscaleByScale& work) const {
  const Group* last = nullptr;
  for (const Group& group : groups_) {
    if (group.tensors == 0) continue;
    ++counters().unscale_calls;  // SCL-204
    counters().unscale_tensors += static_cast<std::int64_t>(group.tensors);
    if (group.used > 0) last = &group;
  }
  for (const Group& group : groups_) {
    UnscaleByScale now = work;
    if (&group != last) now.found_inf = nullptr;
    if (group.used == 0) continue;
    launch_unscale_by_scale(group.dtype, std::span(group.rows).first(group.used), now);
  }
}

}  // namespace assay::cuda
