// Detects overlapping memory (CORE-21); version counters, and inference tensors.
#include "reference/core/tensor/written.hpp"

#include "reference/core/runtime.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {

void check_no_internal_overlap(const Tensor& dst) {
  if (dst.is_sparse() || dst.is_non_overlapping_and_dense()) return;
  for (std::size_t dim = 0; dim < dst.sizes().size(); ++dim) {
    const bool repeats = dst.strides()[dim] == 0 && dst.sizes()[dim] > 1;
    check(!repeats || dst.numel() == 0, [&] {
      return "unsupported operation: several elements of " + describe(dst) +
             " are one memory location, because its stride of dimension " + std::to_string(dim) +
             " is 0; clone it before writing to it";
    });
  }
}

void check_no_partial_overlap(const Tensor& dst, const Tensor& src) {
  if (dst.is_same(src) || !dst.is_alias_of(src) || dst.numel() == 0 || src.numel() == 0) return;
  if (!dst.is_non_overlapping_and_dense() || !src.is_non_overlapping_and_dense()) return;
  const std::int64_t dst_end = dst.storage_offset() + dst.numel();
  const std::int64_t src_end = src.storage_offset() + src.numel();
  const bool apart = dst_end <= src.storage_offset() || src_end <= dst.storage_offset();
  const bool same_view = dst.storage_offset() == src.storage_offset() && dst_end == src_end &&
                         dst.strides() == src.strides();
  check(apart || same_view, [&] {
    return "unsupported operation: " + describe(dst) + " and the input " + describe(src) +
           " share some of their memory locations; clone one of them first";
  });
}

bool is_same_view(const Tensor& left, const Tensor& right) {
  return left.is_alias_of(right) && left.dtype() == right.dtype() &&
         left.storage_offset() == right.storage_offset() && left.sizes() == right.sizes() &&
         left.strides() == right.strides();
}

// Version counters, and inference tensors.

void note_write(const Runtime& runtime, const Tensor& tensor) {
  tensor.bump_version();
  check_written(runtime, tensor);
}

void check_written(const Runtime& runtime, const Tensor& tensor) {
  const bool may = !tensor.is_inference() || is_inference_mode(runtime);
  check(may, [] {
    return "in-place update to an inference tensor outside of inference mode is not allowed; make "
           "a clone to get a normal tensor";
  });
}

}  // namespace assay::reference
