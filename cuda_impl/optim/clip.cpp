// Implements gradient clipping.
#include "cuda_impl/optim/clip.hpp"

#include <limits>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/optim/steps.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/sparse.hpp"
#include "cuda_impl/optim/step_lists.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

std::vector<Tensor> gradients_of(const std::vector<Tensor>& params, Release release) {
  std::vector<Tensor> grads;
  for (const Tensor& param : params) {
    const Tensor grad = param.grad();
    if (!grad.defined()) continue;
    require(!grad.is_sparse() || release >= Release::k2_14, ErrorKind::kNotImplemented,
            [] { return "the norm of a sparse gradient is not implemented"; });
    grads.push_back(grad);
  }
  return grads;
}

/// The tensors whose elements a clip multiplies.
std::vector<Tensor> values_of(const std::vector<Tensor>& grads) {
  std::vector<Tensor> values;
  for (const Tensor& grad : grads) {
    values.push_back(grad.is_sparse() ? grad.body()->sparse->values : grad);
  }
  return values;
}

/// Entries of a sparse gradient that have one place count together. Does not square a single
/// element, which could overflow.
Tensor norm_of(const Tensor& grad, bool may_be_itself) {
  const Tensor tensor = grad.is_sparse() ? coalesce(grad).body()->sparse->values : grad;
  const bool is_alone = may_be_itself && tensor.numel() == 1;
  return norm(tensor, is_alone ? std::numeric_limits<double>::infinity() : 2);
}

/// The norm of the norms in their promoted dtype. On a device, the own norms are computed by one
/// kernel that squares all elements.
Tensor total_norm(const std::vector<Tensor>& grads, Release release) {
  const bool is_new = release != Release::k1_13;
  Dtype dtype = grads.front().dtype();
  for (const Tensor& grad : grads) dtype = promote_types(dtype, grad.dtype());
  const Tensor norms =
      empty({static_cast<std::int64_t>(grads.size())}, dtype, grads.front().device());
  for (std::size_t i = 0; i < grads.size(); ++i) {
    copy_elements(as_strided(norms, {}, {}, static_cast<std::int64_t>(i)),
                  norm_of(grads[i], is_new && !grads[i].is_cuda()), true);
  }
  return norm_of(norms, is_new);
}

/// Makes `device` current if it is a CUDA device.
class OnDevice {
 public:
  explicit OnDevice(Device device) {
    if (device.is_cuda()) scope_.emplace(device.index);
  }

 private:
  std::optional<DeviceScope> scope_;
};

/// OPT-009: PyTorch's multiplication in place takes no care of it.
void forget_coalescing(SparseParts& parts) {
  if (parts.indices.sizes()[1] > 1) parts.is_coalesced = false;
}

void scale_list(const std::vector<Tensor>& values, const StepList& list, const Tensor& factor) {
  const OnDevice scope(list.device);
  const Tensor here = on_device(factor, list.device);
  RowBuilder<1, 1> rows;
  for (const std::size_t index : list.indices) {
    rows.add({}, {&values[index].body()}, {});
  }
  scale_rows(rows.rows(), here.data_as<double>(), {list.dtype, list.device.is_cuda()});
  rows.put_back();
}

}  // namespace

Tensor clip_grad_norm_(const std::vector<Tensor>& params, double max_norm, Release release) {
  const std::vector<Tensor> grads = gradients_of(params, release);
  if (grads.empty()) return zeros({}, Dtype::kFloat32, kCpu);
  const Tensor total = total_norm(grads, release);
  const Tensor factor = empty({}, Dtype::kFloat64, total.device());
  {
    const OnDevice scope(total.device());
    write_clip_factor(total.data(), max_norm, factor.data_as<double>(),
                      {total.dtype(), total.is_cuda()});
  }
  std::vector<std::size_t> indices(grads.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  StepLists lists;
  const std::vector<Tensor> values = values_of(grads);
  lists.group(values, indices);
  for (const StepList& list : lists) scale_list(values, list, factor);
  for (const Tensor& grad : grads) {
    grad.bump_version();
    if (grad.is_sparse() && !rules().is_strict) forget_coalescing(*grad.body()->sparse);
  }
  return total;
}

}  // namespace assay::cuda
