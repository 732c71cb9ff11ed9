// Products of vectors and batches that are added to a tensor.
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

/// `self, left, right, beta, alpha`
AddmmFactors factors_of(const ArgumentReader& given) { return {given.number(3), given.number(4)}; }

Results baddbmm(const ArgumentReader& given) {
  return {
      Boxed(cuda::baddbmm(given.tensor(0), given.tensor(1), given.tensor(2), factors_of(given)))};
}

/// The sum over the batch is one matrix product, of the batches side by side.
Results addbmm(const ArgumentReader& given) {
  const Shape& left = given.sizes(1);
  const Shape& right = given.sizes(2);
  require(left.size() == 3 && right.size() == 3 && left[0] == right[0] && left[2] == right[1], [&] {
    return "batches " + to_text(left) + " and " + to_text(right) + " cannot be multiplied";
  });
  const std::int64_t inner = left[0] * left[2];
  const Tensor rows = reshape(transpose(given.tensor(1), 0, 1), {left[1], inner});
  const Tensor columns = reshape(given.tensor(2), {inner, right[2]});
  return {Boxed(cuda::addmm(given.tensor(0), rows, columns, factors_of(given)))};
}

Tensor vector_at(const ArgumentReader& given, std::size_t i) {
  require(given.sizes(i).size() == 1,
          [&] { return "expected a vector, but got " + to_text(given.sizes(i)); });
  return given.tensor(i);
}

Results addmv(const ArgumentReader& given) {
  const std::int64_t rows = from_end(given.sizes(1), 2);
  const Tensor self = unsqueeze(expand(given.tensor(0), {rows}), 1);
  const Tensor column = unsqueeze(vector_at(given, 2), 1);
  return {Boxed(reshape(cuda::addmm(self, given.tensor(1), column, factors_of(given)), {rows}))};
}

Results addr(const ArgumentReader& given) {
  const Tensor column = unsqueeze(vector_at(given, 1), 1);
  const Tensor row = unsqueeze(vector_at(given, 2), 0);
  return {Boxed(cuda::addmm(given.tensor(0), column, row, factors_of(given)))};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
     addmv},
    {"addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
     addr},
    {"addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor",
     addbmm},
    {"baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor",
     baddbmm},
});

}  // namespace

std::span<const ShapeRow> added_product_rows() { return kRows; }

}  // namespace assay::cuda::aten
