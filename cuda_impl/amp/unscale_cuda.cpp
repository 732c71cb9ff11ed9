// Groups gradients by launch and launches them.
#include "cuda_impl/amp/unscale_cuda.hpp"

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
void drop_what_old_releases_lose(std::vector<Row>& rows) {
  std::vector<std::int64_t> counts;
  for (const Row& row : rows) counts.push_back(row.count);
  const auto launches = plan_launches(counts, {}, true);
  if (launches.empty()) return rows.clear();
  rows.resize(launches.back().tensor + 1);
  rows.back().count = launches.back().element;
}

/// Gradients, grouped by the kind of launch that they need.
class Groups {
 public:
  /// Returns empty groups that reuse the memory of the thread's previous calls.
  static Groups& with_main(Dtype main) {
    thread_local Groups groups;
    groups.main_.dtype = main;
    groups.main_.rows.clear();
    for (Group& group : groups.others_) group.rows.clear();
    groups.alone_.clear();
    return groups;
  }

  void add(const Tensor& grad) {
    const Row row{{grad.data()}, grad.numel()};
    if (grad.dtype() == main_.dtype && grad.is_dense()) return main_.rows.push_back(row);
    check_no_shared_elements(grad);
    check_gradient_dtype(grad, DeviceKind::kCuda, kUnscaleAlone);
    if (row.count == 0) return;
    if (!grad.is_dense()) return alone_.push_back({grad.dtype(), strided_row(*grad.body())});
    for (Group& group : others_) {
      if (group.dtype == grad.dtype()) group.rows.push_back(row);
    }
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
    if (release == Release::k1_13) drop_what_old_releases_lose(main_.rows);
    std::erase_if(main_.rows, [](const Row& row) { return row.count == 0; });
    launch_unscale(main_.dtype, main_.rows, scalars, update);
    return !main_.rows.empty();
  }

  bool has_main() const { return !main_.rows.empty(); }

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

  Group main_{};  ///< dense, with the first tensor's dtype (AMP-304)
  std::array<Group, 3> others_ = {
      {{Dtype::kFloat16, {}}, {Dtype::kFloat32, {}}, {Dtype::kFloat64, {}}}};
  std::vector<SingleTensor> alone_;
};

/// AMP-310: if a tensor is rejected, the single launches before it are made, the main group's not.
Groups& sorted(const UnscaleTensors& tensors, const UnscaleScalars& scalars) {
  Groups& groups = Groups::with_main(tensors.grads.front().dtype());
  try {
    for (const Tensor& grad : tensors.grads) groups.add(grad);
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
