// The parameters of a group that a step updates together, and how their tensors become rows for a
// kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/optim/step_rows.hpp"

namespace assay::cuda {

/// Raises `error` for a finite number beyond the type in which `param` is computed: on the host its
/// own, on a device float32 for half types (OPT-019).
void require_held(const Tensor& param, double number, const Contract& contract);

/// Indices into a list of tensors, all of one device and dtype: what one launch can take.
struct StepList {
  Device device;
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::size_t> indices;
};

/// Indices into any tensors, in the order first seen; those of meta, which are nowhere, are left
/// out.
std::vector<StepList> lists_by_type(std::span<const Tensor> tensors,
                                    std::span<const std::size_t> indices);
/// The same of parameters. Raises `error` where a parameter and its gradient do not fit.
std::vector<StepList> step_lists(std::span<const Tensor> params,
                                 std::span<const std::size_t> indices);

/// `tensor` itself, or a copy where it is somewhere else. Waits only for a copy to the host.
Tensor on_device(const Tensor& tensor, Device device);

/// A tensor of a row: undefined where a row has none.
struct RowTensor {
  Tensor tensor;
  bool is_written = true;
  int versions = 0;  ///< how many the step counts: one for each of PyTorch's operators in place

  void count_versions() const {
    for (int counted = 0; counted < versions; ++counted) tensor.bump_version();
  }
};

/// Elements of all tensors at the same offset in memory belong together.
bool lie_alike(std::span<const RowTensor> tensors);

/// Tensors that do not lie alike are copied for the time of a step; what was written is copied
/// back.
class StagedTensors {
 public:
  Tensor stage(const Tensor& tensor, bool is_written);
  /// Once, when the step has been launched.
  void put_back() const;

 private:
  using Pairs = std::vector<std::pair<Tensor, Tensor>>;  ///< a tensor, and its copy
  Pairs written_;
  Pairs read_;
};

/// Rows for a kernel, of tensors and of scalars that belong to them.
template <std::size_t kElementLists, std::size_t kLists>
class RowBuilder {
 public:
  using Row = StepRow<kLists>;

  /// No row where there is neither an element nor a scalar.
  void add(const std::array<RowTensor, kElementLists>& tensors,
           const std::array<void*, kLists - kElementLists>& scalars) {
    for (const RowTensor& one : tensors) one.count_versions();
    const auto is_null = [](const void* scalar) { return scalar == nullptr; };
    const bool has_scalars = !std::all_of(scalars.begin(), scalars.end(), is_null);
    if (tensors[0].tensor.numel() == 0 && !has_scalars) return;
    const bool is_alike = lie_alike(tensors);
    Row& row = rows_.emplace_back();
    row.count = tensors[0].tensor.numel();
    for (std::size_t i = 0; i < kElementLists; ++i) {
      const auto& [tensor, is_written, versions] = tensors[i];
      if (!tensor.defined()) continue;
      row.data[i] = (is_alike ? tensor : staged_.stage(tensor, is_written)).data();
    }
    for (std::size_t i = 0; i < scalars.size(); ++i) row.data[kElementLists + i] = scalars[i];
  }

  std::span<const Row> rows() const { return rows_; }
  void put_back() const { staged_.put_back(); }

 private:
  std::vector<Row> rows_;
  StagedTensors staged_;
};

}  // namespace assay::cuda
