// Groups gradients by launch and launches them.
#include "cuda_impl/amp/unscale_cuda.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "cuda_impl/amp/checks.hpp"
#include "cuda_impl/amp/launch_plan.hpp"
#include "cuda_impl/amp/strided_row.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/scaler/update_scale.hpp"

namespace assay::cuda {
namespace {

using Row = TensorRow<1>;

/// AMP-303: in 1.13, an empty last tensor discards the launch that is being filled.
std::span<Row> without_what_old_releases_lose(std::span<Row> rows) {
  std::vector<std::int64_t> counts;
  for (const Row& row : rows) counts.push_back(row.count);
  const auto launches = plan_launches(counts, {}, true);
  if (launches.empty()) return {};
  rows = rows.first(launches.back().tensor + 1);
  rows.back().count = launches.back().element;
  return rows;
}

/// Gradients, grouped by the kind of launch that they need.
class Groups {
 public:
  /// Returns groups with room for `most` gradients, which reuse the memory of the thread's previous
  /// calls.
  static Groups& with_main(Dtype main, std::size_t most) {
    thread_local Groups groups;
    groups.main_.dtype = main;
    if (groups.main_.rows.size() < most) groups.main_.rows.resize(most);
    groups.mains_ = 0;
    for (Group& group : groups.others_) group.rows.clear();
    groups.alone_.clear();
    return groups;
  }

  void add(std::span<const Tensor> grads) {
    Row* next = main_.rows.data();
    for (const Tensor& grad : grads) {
      const TensorBody& body = *grad.body();
      if (body.dtype == main_.dtype && body.is_dense) [[likely]] {
        *next++ = {{body.data}, body.numel};
      } else {
        add_other(grad);
      }
    }
    mains_ = static_cast<std::size_t>(next - main_.rows.data());
  }

  /// Launches gradients of another dtype or without dense layout (AMP-305), which PyTorch launches
  /// one by one.
  void launch_others(const UnscaleScalars& scalars) const {
    for (const auto& [dtype, row] : alone_) launch_unscale_strided(dtype, row, scalars);
    for (const Group& group : others_) launch_unscale(group.dtype, group.rows, scalars);
  }

  /// Returns whether anything was launched.
  bool launch_main(const UnscaleScalars& scalars, Release release,
                   const std::optional<ScaleUpdate>& update) {
    std::span<Row> rows = std::span(main_.rows).first(mains_);
    if (release == Release::k1_13) rows = without_what_old_releases_lose(rows);
    const auto empty = std::ranges::remove_if(rows, [](const Row& row) { return row.count == 0; });
    rows = rows.first(rows.size() - empty.size());
    launch_unscale(main_.dtype, rows, scalars, update);
    return !rows.empty();
  }

  bool has_main() const { return mains_ > 0; }

 private:
  struct Group {
    Dtype dtype;
    std::vector<Row> rows;
  };
  struct SingleTensor {
    Dtype dtype;
    StridedRow row;
  };

  Groups() = default;

  void add_other(const Tensor& grad) {
    check_no_shared_elements(grad);
    check_gradient_dtype(grad, DeviceKind::kCuda, kUnscaleAlone);
    if (grad.numel() == 0) return;
    if (!grad.is_dense()) return alone_.push_back({grad.dtype(), strided_row(*grad.body())});
    for (Group& group : others_) {
      if (group.dtype == grad.dtype()) group.rows.push_back({{grad.data()}, grad.numel()});
    }
  }

  Group main_{};  ///< dense, with the first tensor's dtype (AMP-304); only the first rows are used
  std::size_t mains_ = 0;  ///< their number
  std::array<Group, 3> others_ = {
      {{Dtype::kFloat16, {}}, {Dtype::kFloat32, {}}, {Dtype::kFloat64, {}}}};
  std::vector<SingleTensor> alone_;
};

/// AMP-310: if a tensor is rejected, the single launches before it are made, the main group's not.
Groups& sorted(const UnscaleTensors& tensors, const UnscaleScalars& scalars) {
  Groups& groups = Groups::with_main(tensors.grads.front().dtype(), tensors.grads.size());
  try {
    groups.add(tensors.grads);
  } catch (const Error&) {
    groups.launch_others(scalars);
    throw;
  }
  groups.launch_others(scalars);
  return groups;
}

bool unscale_all(const UnscaleTensors& tensors, const Contract& contract,
                 const std::optional<ScaleUpdate>& update) {
  const UnscaleScalars scalars = {tensors.inv_scale.data_as<const float>(),
                                  tensors.found_inf.data_as<float>()};
  Groups& groups = sorted(tensors, scalars);
  if (!groups.has_main()) return false;
  check_gradient_dtype(tensors.grads.front(), DeviceKind::kCuda, kUnscaleTogether);
  return groups.launch_main(scalars, contract.release, update);
}

}  // namespace

void unscale_on_cuda(const UnscaleTensors& tensors, const Contract& contract,
                     const std::optional<ScaleUpdate>& update) {
  const DeviceScope scope(tensors.found_inf.device().index);
  const bool has_updated = !tensors.grads.empty() && unscale_all(tensors, contract, update);
  if (update && !has_updated) launch_update_scale(update->state, update->factors);
}

}  // namespace assay::cuda
