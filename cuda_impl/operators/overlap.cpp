// Detects overlap by storage and byte range.
#include "cuda_impl/operators/overlap.hpp"

namespace assay::cuda {
namespace {

/// The byte range from the first element to the end of the last.
struct Bytes {
  std::int64_t begin;
  std::int64_t end;
  bool operator==(const Bytes&) const = default;
  bool is_apart_from(const Bytes& other) const { return begin >= other.end || other.begin >= end; }
};

Bytes bytes_of(const Tensor& tensor) {
  const auto element = static_cast<std::int64_t>(size_bytes(tensor.dtype()));
  const std::int64_t begin = tensor->offset * element;
  return {begin, begin + extent_of(tensor.sizes(), tensor.strides()) * element};
}

}  // namespace

void require_own_elements(const Tensor& written) {
  if (written.is_dense() || written.numel() == 0) return;
  for (std::size_t dim = 0; dim < written.sizes().size(); ++dim) {
    require(written.strides()[dim] != 0 || written.sizes()[dim] == 1, [] {
      return "unsupported operation: more than one element of the written-to tensor refers to a "
             "single memory location. Please clone() the tensor before performing the operation.";
    });
  }
}

void require_no_partial_overlap(const Tensor& written, const Tensor& read) {
  if (!written.is_alias_of(read) || !written.is_dense() || !read.is_dense()) return;
  if (written.numel() == 0 || read.numel() == 0) return;
  const Bytes target = bytes_of(written);
  const Bytes source = bytes_of(read);
  const bool is_same = target == source && written.strides() == read.strides();
  require(is_same || target.is_apart_from(source), [] {
    return "unsupported operation: some elements of the input tensor and the written-to tensor "
           "refer to a single memory location. Please clone() the tensor before performing the "
           "operation.";
  });
}

bool may_overlap(const Tensor& a, const Tensor& b) {
  if (!a.is_alias_of(b) || is_same_view(a, b)) return false;
  return !bytes_of(a).is_apart_from(bytes_of(b));
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.is_alias_of(b) && a.dtype() == b.dtype() && a->offset == b->offset &&
         a.sizes() == b.sizes() && a.strides() == b.strides();
}

}  // namespace assay::cuda
