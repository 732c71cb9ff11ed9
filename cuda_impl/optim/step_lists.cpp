// Groups the parameters of a step by launch, and builds their rows.
#include "cuda_impl/optim/step_lists.hpp"

#include <algorithm>
#include <string>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

void check_fits(const Tensor& param, const Tensor& grad) {
  const bool fits = grad.dtype() == param.dtype() && grad.device() == param.device() &&
                    grad.sizes() == param.sizes();
  require(fits, [&] {
    return "a parameter and its gradient must be alike, but they are " + describe(param) + " and " +
           describe(grad);
  });
}

}  // namespace

void require_held(const Tensor& param, double number, const Contract& contract) {
  const Dtype own = param.dtype();
  const Dtype computed = param.is_cuda() && is_half(own) ? Dtype::kFloat32 : own;
  if (facts(computed).is_floating) to_element(Scalar(number), computed, contract);
}

std::vector<StepList> lists_by_type(std::span<const Tensor> tensors,
                                    std::span<const std::size_t> indices) {
  std::vector<StepList> lists;
  for (const std::size_t index : indices) {
    const Tensor& tensor = tensors[index];
    if (tensor.is_meta()) continue;
    auto list = std::find_if(lists.begin(), lists.end(), [&](const StepList& known) {
      return known.device == tensor.device() && known.dtype == tensor.dtype();
    });
    if (list == lists.end()) {
      list = lists.insert(lists.end(), StepList{tensor.device(), tensor.dtype(), {}});
    }
    list->indices.push_back(index);
  }
  return lists;
}

std::vector<StepList> step_lists(std::span<const Tensor> params,
                                 std::span<const std::size_t> indices) {
  for (const std::size_t index : indices) check_fits(params[index], params[index].grad());
  return lists_by_type(params, indices);
}

Tensor on_device(const Tensor& tensor, Device device) {
  ToOptions options;
  options.device = device;
  options.non_blocking = device.is_cuda();
  return to(tensor, options);
}

bool lie_alike(std::span<const RowTensor> tensors) {
  const auto is_contiguous = [](const RowTensor& one) { return one.tensor.is_contiguous(); };
  if (std::all_of(tensors.begin(), tensors.end(), is_contiguous)) return true;
  const Shape& strides = tensors.front().tensor.strides();
  return std::all_of(tensors.begin(), tensors.end(), [&](const RowTensor& one) {
    return !one.tensor.defined() || (one.tensor.is_dense() && one.tensor.strides() == strides);
  });
}

Tensor StagedTensors::stage(const Tensor& tensor, bool is_written) {
  if (tensor.is_contiguous()) return tensor;
  const Tensor copy = empty(tensor.sizes(), tensor.dtype(), tensor.device());
  copy_elements(copy, tensor);
  // Rows hold addresses only, so the copies are kept until the step is over.
  (is_written ? written_ : read_).emplace_back(tensor, copy);
  return copy;
}

void StagedTensors::put_back() const {
  for (const auto& [tensor, copy] : written_) copy_elements(tensor, copy);
}

}  // namespace assay::cuda
