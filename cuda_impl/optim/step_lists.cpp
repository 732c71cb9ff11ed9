// Groups the parameters of a step by launch, and builds their rows.
#include "cuda_impl/optim/step_lists.hpp"

#include <algorithm>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

void check_fits(const Tensor& param) {
  const TensorBody& grad = *param->grad;
  require(grad.device == param->device && is_like(grad, *param.body()), [&] {
    return "a parameter and its gradient must be alike, but they are " + describe(param) + " and " +
           describe(param.grad());
  });
}

}  // namespace

void require_held(const Tensor& param, double number, const Contract& contract) {
  const Dtype own = param.dtype();
  const Dtype computed = param.is_cuda() && is_half(own) ? Dtype::kFloat32 : own;
  if (facts(computed).is_floating) to_element(Scalar(number), computed, contract);
}

StepList& StepLists::list_for(Device device, Dtype dtype) {
  for (std::size_t i = 0; i < used_; ++i) {
    if (lists_[i].device == device && lists_[i].dtype == dtype) return lists_[i];
  }
  if (used_ == lists_.size()) lists_.emplace_back();
  StepList& list = lists_[used_++];
  list.device = device;
  list.dtype = dtype;
  list.indices.clear();
  return list;
}

void StepLists::group(std::span<const Tensor> tensors, std::span<const std::size_t> indices) {
  used_ = 0;
  StepList* list = nullptr;
  for (const std::size_t index : indices) {
    const TensorBody& tensor = *tensors[index].body();
    if (tensor.device.is_meta()) continue;
    if (list == nullptr || list->device != tensor.device || list->dtype != tensor.dtype) {
      list = &list_for(tensor.device, tensor.dtype);
    }
    list->indices.push_back(index);
  }
}

void StepLists::group_params(std::span<const Tensor> params, std::span<const std::size_t> indices) {
  for (const std::size_t index : indices) check_fits(params[index]);
  group(params, indices);
}

Tensor on_device(const Tensor& tensor, Device device) {
  ToOptions options;
  options.device = device;
  options.non_blocking = device.is_cuda();
  return to(tensor, options);
}

void count_versions(std::span<const ListUse> uses, std::span<const RowTensor> tensors) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].versions == 0 || !*tensors[i]) continue;
    const Tensor tensor(*tensors[i]);
    for (int counted = 0; counted < uses[i].versions; ++counted) tensor.bump_version();
  }
}

bool have_equal_strides(std::span<const RowTensor> tensors) {
  const Shape& strides = (*tensors.front())->strides;
  return std::ranges::all_of(tensors, [&](RowTensor one) {
    return !*one || ((*one)->is_dense && (*one)->strides == strides);
  });
}

void* StagedTensors::stage(const Tensor& tensor, bool is_written) {
  if (tensor.is_contiguous()) return tensor.data();
  const Tensor copy = empty(tensor.sizes(), tensor.dtype(), tensor.device());
  copy_elements(copy, tensor);
  // Rows hold addresses only, so the copies are kept until the step is over.
  (is_written ? written_ : read_).emplace_back(tensor, copy);
  return copy.data();
}

void StagedTensors::put_back() const {
  for (const auto& [tensor, copy] : written_) copy_elements(tensor, copy);
}

}  // namespace assay::cuda
