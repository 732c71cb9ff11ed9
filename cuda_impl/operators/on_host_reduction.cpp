// Reductions on the host, one element after the other.
#include "cuda_impl/kernels/visit.cuh"
#include "cuda_impl/operators/on_host.hpp"

namespace assay::cuda::on_host {
namespace {

template <typename T>
void reduce_rows(const ReductionTask& task) {
  const EachElement<T> each{task.each};
  const Join<WideOf<T>> join{task.joined};
  const auto* element = static_cast<const T*>(task.elements);
  auto* results = static_cast<WideOf<T>*>(task.results);
  for (std::int64_t row = 0; row < task.rows; ++row) {
    auto value = join.neutral();
    for (std::int64_t i = 0; i < task.count; ++i) value = join(value, each(*element++));
    results[row] = value;
  }
}

}  // namespace

void reduce(const ReductionTask& task) {
  visit_computed(task.dtype, [&](auto tag) { reduce_rows<Tagged<decltype(tag)>>(task); });
}

}  // namespace assay::cuda::on_host
