// Unscale on a GPU: what goes together in one launch, and what goes alone.
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

/// AMP-303: in 1.13 a last tensor without elements loses the launch that is being filled.
void drop_what_old_releases_lose(std::vector<Row>& rows) {
  std::vector<std::int64_t> counts;
  for (const Row& row : rows) counts.push_back(row.count);
  const auto launches = plan_launches(counts, {}, true);
  if (launches.empty()) return rows.clear();
  rows.resize(launches.back().tensor + 1);
  rows.back().count = launches.back().element;
}

/// A list of gradients, sorted by how they are launched.
class Groups {
 public:
  /// Empty ones, whose memory is that of the thread's calls before.
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
    if (!grad.is_dense()) return alone_.push_back({grad.dtype(), strided_row(grad)});
    for (Group& group : others_) {
      if (group.dtype == grad.dtype()) group.rows.push_back(row);
    }
  }

  /// What is of another type or without dense layout (AMP-305): PyTorch launches each of these by
  /// itself, in passing.
  void launch_others(const UnscaleScalars& scalars) const {
    for (const auto& [dtype, row] : alone_) launch_unscale_strided(dtype, row, scalars);
    for (const Group& group : others_) launch_unscale(group.dtype, group.rows, scalars);
  }

  /// Whether there was anything to launch.
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
  struct Alone {
    Dtype dtype;
    StridedRow row;
  };

  Groups() = default;

  Group main_{};  ///< of the first tensor's type, and dense (AMP-304)
  std::array<Group, 3> others_ = {
      {{Dtype::kFloat16, {}}, {Dtype::kFloat32, {}}, {Dtype::kFloat64, {}}}};
  std::vector<Alone> alone_;
};

/// AMP-310: those before an offending tensor are launched, the main group is not.
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
