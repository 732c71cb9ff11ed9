// CPU reductions.
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/operators/host/on_host.hpp"

namespace assay::cuda::on_host {
namespace {

template <typename T>
void reduce_rows(const ReductionTask& task) {
  using Wide = WideOf<T>;
  const EachElement<T> each{task.each};
  const auto* elements = static_cast<const T*>(task.elements);
  auto* results = static_cast<Wide*>(task.results);
  for (std::int64_t row = 0; row < task.rows; ++row) {
    const Range range{row * task.count, (row + 1) * task.count};
    results[row] =
        combined<Wide>(range, task.combination, [&](std::int64_t i) { return each(elements[i]); });
  }
}

}  // namespace

void reduce(const ReductionTask& task) {
  visit_computed(task.dtype, [&](auto tag) { reduce_rows<Tagged<decltype(tag)>>(task); });
}

}  // namespace assay::cuda::on_host
