// Groups the parameters of a step by launch
// and turns their tensors into kernel rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/optim/step_rows.hpp"
#include "cuda_impl/optim/borrowed.hpp"

namespace assay::cuda {

/// Raises `error` for a finite number out of range of the computation type: the parameter's on the
/// host, at least float32 on a device (OPT-019).
void require_held(const Tensor& param, double number, const Contract& contract);

/// Indices of tensors with one device and dtype, which one launch can process.
struct StepList {
  Device device;
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::size_t> indices;
};

/// Groups indices in the order of first occurrence. Reuses its memory from step to step.
class StepLists {
 public:
  /// Skips meta tensors, which have no data.
  void group(std::span<const Tensor> tensors, std::span<const std::size_t> indices);
  /// Groups parameters. Raises `error` if a parameter and its gradient do not match.
  void group_params(std::span<const Tensor> params, std::span<const std::size_t> indices);

  auto begin() const { return lists_.begin(); }
  auto end() const { return lists_.begin() + static_cast<std::ptrdiff_t>(used_); }

 private:
  StepList& list_for(Device device, Dtype dtype);

  std::vector<StepList> lists_;
  std::size_t used_ = 0;
};

/// Returns `tensor` itself, or a copy if it is elsewhere. Waits only for copies to the host.
Tensor on_device(const Tensor& tensor, Device device);

/// A tensor of a row, which must outlive it: sharing the tensor would be a locked instruction. Null
/// if the row lacks it.
struct RowTensor {
  const Counted<TensorBody>& body;
  bool is_written = true;
  int versions = 0;  ///< versions to count: one for each in-place operator of PyTorch

  void count_versions() const {
    if (versions == 0 || !body) return;
    const Tensor tensor(body);
    for (int counted = 0; counted < versions; ++counted) tensor.bump_version();
  }
};

/// Returns whether equal memory offsets hold corresponding elements in all tensors.
bool lie_alike(std::span<const RowTensor> tensors);

/// Temporary copies of tensors with different layouts; those that were written are copied back
/// after the step.
class StagedTensors {
 public:
  /// Returns the address of the tensor's elements in row-major order.
  void* stage(const Tensor& tensor, bool is_written);
  /// Call once, after the step has been launched.
  void put_back() const;
  void clear() {
    written_.clear();
    read_.clear();
  }

 private:
  using Pairs = std::vector<std::pair<Tensor, Tensor>>;  ///< a tensor and its copy
  Pairs written_;
  Pairs read_;
};

/// Builds kernel rows from tensors and their scalars. Reuses its memory from launch to launch.
template <std::size_t kElementLists, std::size_t kLists>
class RowBuilder {
 public:
  using Row = StepRow<kLists>;

  void clear() {
    rows_.clear();
    staged_.clear();
  }

  /// Adds no row if there is neither an element nor a scalar.
  void add(const std::array<RowTensor, kElementLists>& tensors,
           const std::array<void*, kLists - kElementLists>& scalars) {
    for (const RowTensor& one : tensors) one.count_versions();
    const auto is_null = [](const void* scalar) { return scalar == nullptr; };
    const bool has_scalars = !std::all_of(scalars.begin(), scalars.end(), is_null);
    const std::int64_t count = tensors[0].body->numel;
    if (count == 0 && !has_scalars) return;
    const bool is_alike = lie_alike(tensors);
    Row& row = rows_.emplace_back();
    row.count = std::max<std::int64_t>(1, count);
    for (std::size_t i = 0; i < kElementLists; ++i) {
      const auto& [body, is_written, versions] = tensors[i];
      if (!body) continue;
      row.data[i] = is_alike ? data_of(*body) : staged_.stage(Tensor(body), is_written);
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
