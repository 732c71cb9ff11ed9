// Casts through the weight cache, and type promotion.
#include "cuda_impl/autocast/casts.hpp"

#include <string>

#include "cuda_impl/autocast/weight_cache.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda::autocast {
namespace {

Tensor counted(Dtype to, const Tensor& tensor) {
  count_conversion();
  return convert(to, tensor);
}

/// CAST-501; cheap tests come first.
bool is_cacheable(Dtype to, const Tensor& tensor, DeviceKind device) {
  return tensor->requires_grad && tensor->dtype == Dtype::kFloat32 && tensor->is_leaf &&
         !tensor->is_view && is_cache_enabled() && to == low_dtype(device) &&
         !is_static_output(tensor) && !(inference_mode() && contract().release >= Release::k2_11);
}

[[gnu::noinline]] Tensor keep(WeightCache& cache, Dtype to, const Tensor& tensor) {
  const GradModeGuard mode(grad_mode() || contract().release >= Release::k2_11);  // CAST-503
  return cache.insert(tensor, counted(to, tensor));
}

}  // namespace

Tensor convert(Dtype to, const Tensor& tensor) {
  return autograd::made_of(assay::cuda::to(tensor, to), tensor);
}

/// Converts outside the lock, because the conversion may itself cast (CAST-520).
Tensor detail::cast(Dtype to, const Tensor& tensor, DeviceKind device) {
  if (!is_cacheable(to, tensor, device)) return counted(to, tensor);
  WeightCache& cache = weight_cache();
  Tensor kept = cache.find(tensor);
  if (!kept.defined()) [[unlikely]]
    kept = keep(cache, to, tensor);
  return kept;
}

std::vector<Tensor> cached_cast(Dtype to, std::span<const Tensor> tensors, DeviceKind device) {
  std::vector<Tensor> cast;
  cast.reserve(tensors.size());
  for (const Tensor& tensor : tensors) cast.push_back(cached_cast(to, tensor, device));
  return cast;
}

Dtype detail::decide(Dtype current, const Tensor& tensor, DeviceKind device) {
  require(current != Dtype::kFloat64, [] { return "promote type is double in autocast"; });
  if (!is_eligible(tensor, device)) return current;
  const Dtype given = tensor->dtype;
  if (current == Dtype::kFloat32 || given == Dtype::kFloat32) return Dtype::kFloat32;
  require(current == given, [&] {
    return "unexpected floating ScalarType in autocast's promotion: " +
           std::string(facts(given).name) + " where the lower type is " +
           std::string(facts(current).name);
  });
  return current;
}

Dtype prioritize(Dtype current, std::span<const Tensor> tensors, DeviceKind device) {
  for (const Tensor& tensor : tensors) current = prioritize(current, tensor, device);
  return current;
}

}  // namespace assay::cuda::autocast
