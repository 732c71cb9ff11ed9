// Overlap by storage, and by the bytes between the first element and the last.
#include "cuda_impl/operators/overlap.hpp"

namespace assay::cuda {
namespace {

struct Bytes {
  std::int64_t begin;
  std::int64_t end;
  bool operator==(const Bytes&) const = default;
};

Bytes bytes_of(const Tensor& tensor) {
  const auto element = static_cast<std::int64_t>(size_bytes(tensor.dtype()));
  const std::int64_t begin = tensor->offset * element;
  return {begin, begin + tensor.numel() * element};
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
  const bool is_apart = target.begin >= source.end || source.begin >= target.end;
  require(is_same || is_apart, [] {
    return "unsupported operation: some elements of the input tensor and the written-to tensor "
           "refer to a single memory location. Please clone() the tensor before performing the "
           "operation.";
  });
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.is_alias_of(b) && a.dtype() == b.dtype() && a->offset == b->offset &&
         a.sizes() == b.sizes() && a.strides() == b.strides();
}

}  // namespace assay::cuda
