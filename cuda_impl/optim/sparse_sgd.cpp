// SGD with sparse gradients: adds each entry, a row of values, at its index.
#include "cuda_impl/optim/sparse_sgd.hpp"

#include <cstring>
#include <vector>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

/// The indices of all entries on the host: [dims][entries].
class Places {
 public:
  explicit Places(const Tensor& indices)
      : dims_(static_cast<std::size_t>(indices.sizes()[0])),
        entries_(static_cast<std::size_t>(indices.sizes()[1])),
        numbers_(dims_ * entries_) {
    const std::vector<std::byte> bytes = read_elements(indices);
    if (!bytes.empty()) std::memcpy(numbers_.data(), bytes.data(), bytes.size());
  }

  std::size_t entries() const { return entries_; }
  std::vector<std::int64_t> at(std::size_t entry) const {
    std::vector<std::int64_t> place;
    for (std::size_t dim = 0; dim < dims_; ++dim) {
      place.push_back(numbers_[dim * entries_ + entry]);
    }
    return place;
  }

 private:
  std::size_t dims_;
  std::size_t entries_;
  std::vector<std::int64_t> numbers_;
};

Tensor row(const Tensor& values, std::size_t entry) {
  return narrow(values, 0, static_cast<std::int64_t>(entry), 1);
}

/// Merges the entries of two tensors; entries with equal indices become one.
struct Pair {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t left = kNone;
  std::size_t right = kNone;
};

std::vector<Pair> paired(const Places& left, const Places& right) {
  std::vector<Pair> pairs;
  std::size_t l = 0;
  std::size_t r = 0;
  while (l < left.entries() || r < right.entries()) {
    const bool takes_left =
        l < left.entries() && (r == right.entries() || left.at(l) <= right.at(r));
    const bool takes_right =
        r < right.entries() && (l == left.entries() || right.at(r) <= left.at(l));
    pairs.push_back({takes_left ? l++ : Pair::kNone, takes_right ? r++ : Pair::kNone});
  }
  return pairs;
}

Tensor indices_of(const std::vector<Pair>& pairs, const Tensor& left, const Tensor& right) {
  const auto count = static_cast<std::int64_t>(pairs.size());
  const Tensor made = empty({left.sizes()[0], count}, Dtype::kInt64, left.device());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool is_left = pairs[i].left != Pair::kNone;
    const Tensor column =
        narrow(is_left ? left : right, 1,
               static_cast<std::int64_t>(is_left ? pairs[i].left : pairs[i].right), 1);
    copy_elements(narrow(made, 1, static_cast<std::int64_t>(i), 1), column);
  }
  return made;
}

Tensor values_of(const std::vector<Pair>& pairs, const Tensor& left, const Tensor& right,
                 double alpha) {
  Shape sizes = left.sizes();
  sizes[0] = static_cast<std::int64_t>(pairs.size());
  const Tensor made = zeros(std::move(sizes), left.dtype(), left.device());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Tensor here = row(made, i);
    if (pairs[i].left != Pair::kNone) copy_elements(here, row(left, pairs[i].left));
    if (pairs[i].right != Pair::kNone) add_(here, row(right, pairs[i].right), Scalar(alpha));
  }
  return made;
}

}  // namespace

Tensor copy_of_sparse(const Tensor& sparse) {
  ToOptions copied;
  copied.copy = true;
  const SparseParts& parts = *sparse->sparse;
  return sparse_coo(to(parts.indices, copied), to(parts.values, copied), sparse.sizes(),
                    parts.is_coalesced);
}

Tensor negative_of_sparse(const Tensor& sparse) {
  const SparseParts& parts = *sparse->sparse;
  return sparse_coo(parts.indices, neg(parts.values), sparse.sizes(), parts.is_coalesced);
}

Tensor add_sparse(const Tensor& left, const Tensor& right, double alpha) {
  const SparseParts& mine = *left->sparse;
  const SparseParts& other = *right->sparse;
  const std::vector<Pair> pairs = paired(Places(mine.indices), Places(other.indices));
  return sparse_coo(indices_of(pairs, mine.indices, other.indices),
                    values_of(pairs, mine.values, other.values, alpha), left.sizes(),
                    mine.is_coalesced && other.is_coalesced);
}

void scale_and_add_sparse_(const Tensor& left, double factor, const Tensor& right, double alpha) {
  if (factor != 1) mul_(left->sparse->values, Scalar(factor));
  const Tensor sum = add_sparse(left, right, alpha);
  *left->sparse = {sum->sparse->indices, sum->sparse->values, sum->sparse->is_coalesced};
  left.bump_version();
}

void add_entries_(const Tensor& dense, const Tensor& sparse, double alpha) {
  const SparseParts& parts = *sparse->sparse;
  const Places places(parts.indices);
  const std::uint64_t before = dense.version();
  for (std::size_t entry = 0; entry < places.entries(); ++entry) {
    Tensor target = dense;
    std::int64_t dim = 0;
    for (const std::int64_t place : places.at(entry)) target = narrow(target, dim++, place, 1);
    add_(target, reshape(row(parts.values, entry), target.sizes()), Scalar(alpha));
  }
  *dense->version = before;  // counts as one in-place operator, whatever the number of entries
  dense.bump_version();
}

}  // namespace assay::cuda
