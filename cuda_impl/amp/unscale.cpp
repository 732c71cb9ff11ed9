// Unscale: on the CPU in list order; on a GPU in multi-tensor launches and single launches.
#include "cuda_impl/amp/unscale.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {
namespace {

/// AMP-202: half types are multiplied in float and rounded again by the store.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

template <typename Real>
bool unscale_tensor(const Tensor& grad, float factor) {
  Real* const data = grad.data_as<Real>();
  bool any_bad = false;
  for_each_offset(grad.sizes(), grad.strides(), [&](std::int64_t offset) {
    const auto value = static_cast<Wide<Real>>(data[offset]);
    any_bad = any_bad || !std::isfinite(value);  // AMP-209: a double is tested as a double
    if (factor != 1.0f) data[offset] = static_cast<Real>(value * static_cast<Wide<Real>>(factor));
  });
  return any_bad;
}

bool unscale_tensor_of_its_type(const Tensor& grad, float factor) {
  switch (grad.dtype()) {
    case Dtype::kFloat16:
      return unscale_tensor<__half>(grad, factor);
    case Dtype::kBFloat16:
      return unscale_tensor<__nv_bfloat16>(grad, factor);
    case Dtype::kFloat32:
      return unscale_tensor<float>(grad, factor);
    default:
      return unscale_tensor<double>(grad, factor);
  }
}

}  // namespace

void unscale_on_cpu(const UnscaleTensors& tensors) {
  for (const Tensor& grad : tensors.grads) {
    check_no_shared_elements(grad);
    check_gradient_dtype(grad, DeviceKind::kCpu, kUnscaleTogether);
    const float factor = *tensors.inv_scale.data_as<const float>();
    if (unscale_tensor_of_its_type(grad, factor)) *tensors.found_inf.data_as<float>() = 1.0f;
  }
}

std::vector<PlannedLaunch> plan_launches(std::span<const std::int64_t> counts,
                                         const LaunchLimits& limits, bool keeps_empty) {
  std::vector<PlannedLaunch> launches;
  PlannedLaunch open{};
  std::int64_t places = 0;
  for (std::size_t tensor = 0; tensor < counts.size(); ++tensor) {
    const std::int64_t count = counts[tensor];
    if (count != 0 || keeps_empty) ++places;
    for (std::int64_t first = 0; first < count; first += kPlannedChunk) {
      const bool ends_tensor = count - first <= kPlannedChunk;
      open = {open.blocks + 1, tensor, std::min(count, first + kPlannedChunk)};
      const bool tensors_full = ends_tensor && places >= limits.most_tensors;
      if (!tensors_full && open.blocks < limits.most_blocks) continue;
      launches.push_back(open);
      open.blocks = 0;
      places = ends_tensor ? 0 : 1;  // the rest of the tensor comes first in the next launch
    }
  }
  const bool is_lost = keeps_empty && !counts.empty() && counts.back() == 0;
  if (open.blocks > 0 && !is_lost) launches.push_back(open);
  return launches;
}

namespace {

struct Dimension {
  std::int64_t size;
  std::int64_t stride;
};

/// Sorts by descending stride.
void order_dimensions(const TensorBody& tensor, std::vector<Dimension>& dims) {
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d) {
    const Dimension dim{tensor.sizes[d], tensor.strides[d]};
    if (dim.size == 1) continue;
    dims.insert(
        std::ranges::upper_bound(dims, dim.stride, std::ranges::greater{}, &Dimension::stride),
        dim);
  }
}

void join(std::vector<Dimension>& dims) {
  std::size_t kept = 0;
  for (const Dimension& dim : dims) {
    const bool continues = kept > 0 && dims[kept - 1].stride == dim.size * dim.stride;
    if (continues) {
      dims[kept - 1] = {dims[kept - 1].size * dim.size, dim.stride};
    } else {
      dims[kept++] = dim;
    }
  }
  dims.resize(kept);
}

}  // namespace

StridedRow strided_row(const TensorBody& tensor) {
  thread_local std::vector<Dimension> dims;  // reuses its memory
  dims.clear();
  order_dimensions(tensor, dims);
  join(dims);
  require(dims.size() <= StridedRow::kMostDims, [&] {
    return "expected at most " + std::to_string(StridedRow::kMostDims) +
           " dimensions that cannot be joined, got " + std::to_string(dims.size());
  });
  StridedRow row{tensor.data, tensor.numel, static_cast<int>(dims.size()), {}, {}};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    row.sizes[d] = dims[d].size;
    row.strides[d] = dims[d].stride;
  }
  return row;
}

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
