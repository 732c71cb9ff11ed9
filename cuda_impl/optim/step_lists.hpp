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
#include "cuda_impl/kernels/optim/steps.hpp"
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

/// Returns whether the tensor has the dtype and the sizes of a parameter.
inline bool is_like(const TensorBody& tensor, const TensorBody& param) {
  return tensor.dtype == param.dtype && are_equal(tensor.sizes, param.sizes);
}

/// What a step does to the tensors of one list.
struct ListUse {
  bool is_written = true;
  int versions = 0;  ///< of a stepwise form: one for each in-place operator of PyTorch
};

/// A tensor of a row; null if the row lacks it. Not shared, which would be a locked instruction.
using RowTensor = const Counted<TensorBody>*;

void count_versions(std::span<const ListUse> uses, std::span<const RowTensor> tensors);
/// Returns whether all tensors are dense and have the strides of the first one.
bool have_equal_strides(std::span<const RowTensor> tensors);

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

  using Uses = std::array<ListUse, kElementLists>;
  using Tensors = std::array<RowTensor, kElementLists>;
  using Scalars = std::array<void*, kLists - kElementLists>;

  /// Adds no row if there is neither an element nor a scalar. The tensors must outlive the row.
  void add(const Uses& uses, const Tensors& tensors, const Scalars& scalars) {
    const std::int64_t count = (*tensors[0])->numel;
    const auto is_null = [](const void* scalar) { return scalar == nullptr; };
    if (count == 0 && std::ranges::all_of(scalars, is_null)) return;
    Row& row = rows_.emplace_back();
    row.count = std::max<std::int64_t>(1, count);
    bool are_contiguous = true;
    for (std::size_t i = 0; i < kElementLists; ++i) {
      const TensorBody* const body = tensors[i]->get();
      if (body == nullptr) continue;
      are_contiguous = are_contiguous && body->is_contiguous;
      row.data[i] = body->data;
    }
    if (!are_contiguous && !have_equal_strides(tensors)) [[unlikely]]
      stage(row, uses, tensors);
    for (std::size_t i = 0; i < scalars.size(); ++i) row.data[kElementLists + i] = scalars[i];
  }

  std::span<const Row> rows() const { return rows_; }
  void put_back() const { staged_.put_back(); }

 private:
  /// Makes equal memory offsets hold corresponding elements of all tensors.
  void stage(Row& row, const Uses& uses, const Tensors& tensors) {
    for (std::size_t i = 0; i < kElementLists; ++i) {
      if (*tensors[i]) row.data[i] = staged_.stage(Tensor(*tensors[i]), uses[i].is_written);
    }
  }

  std::vector<Row> rows_;
  StagedTensors staged_;
};

}  // namespace assay::cuda
