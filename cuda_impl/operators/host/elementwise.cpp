// CPU arithmetic, with the element functions of the kernels.
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/operators/host/on_host.hpp"

namespace assay::cuda::on_host {
namespace {

template <typename T>
void compute(const ElementwiseTask& task) {
  const Elementwise<T> function(task);
  auto* out = static_cast<T*>(task.addresses.out);
  const auto* left = static_cast<const T*>(task.addresses.left);
  const auto* right = static_cast<const T*>(task.addresses.right);
  walk(task.geometry, [&](const Offsets<3>& at) {
    out[at.of[0]] = function(left ? left[at.of[1]] : T{}, right ? right[at.of[2]] : T{});
  });
}

}  // namespace

void elementwise(const ElementwiseTask& task) {
  visit_computed(task.dtype, [&](auto tag) { compute<Tagged<decltype(tag)>>(task); });
}

}  // namespace assay::cuda::on_host
