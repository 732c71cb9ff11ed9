// Result shapes of matrix and vector products.
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"

namespace assay::cuda::aten {
namespace {

void expect_inner(std::int64_t left, std::int64_t right) {
  require(left == right, [&] {
    return "the inner sizes of a product differ: " + std::to_string(left) + " and " +
           std::to_string(right);
  });
}

/// Adds a product to `self`, which is broadcast.
Results added(const ArgumentReader& given, const Shape& product) {
  require(broadcast(given.sizes(0), product) == product,
          [&] { return to_text(given.sizes(0)) + " cannot be stretched to " + to_text(product); });
  return {given.made(product, given.one_type())};
}

Results addmm(const ArgumentReader& given) {
  expect_inner(from_end(given.sizes(1), 1), from_end(given.sizes(2), 2));
  return added(given, {given.sizes(1)[0], given.sizes(2)[1]});
}

Results bilinear(const ArgumentReader& given) {
  const Shape& weight = given.sizes(2);
  require(weight.size() == 3, [&] { return "bilinear takes no weight of " + to_text(weight); });
  expect_inner(from_end(given.sizes(0), 1), weight[1]);
  expect_inner(from_end(given.sizes(1), 1), weight[2]);
  return {given.made(joined(leading(given.sizes(0), 1), {weight[0]}))};
}

Results cdist(const ArgumentReader& given) {
  const Shape& left = given.sizes(0);
  const Shape& right = given.sizes(1);
  expect_inner(from_end(left, 1), from_end(right, 1));
  const Shape batch = broadcast(leading(left, 2), leading(right, 2));
  return {given.made(joined(batch, {from_end(left, 2), from_end(right, 2)}))};
}

Results pdist(const ArgumentReader& given) {
  const std::int64_t rows = from_end(given.sizes(0), 2);
  return {given.made({rows * (rows - 1) / 2})};
}

/// One number for each pair of vectors along a dimension.
Results vecdot(const ArgumentReader& given) {
  const Shape both = broadcast(given.sizes(0), given.sizes(1));
  return {given.made(reduced(both, {given.integer(2)}, false))};
}

Results vdot(const ArgumentReader& given) {
  expect_inner(from_end(given.sizes(0), 1), from_end(given.sizes(1), 1));
  return {given.made({}, given.one_type())};
}

Results cross(const ArgumentReader& given) {
  return {given.made(broadcast(given.sizes(0), given.sizes(1)))};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
     "bool use_gelu=False) -> Tensor",
     addmm},
    {"bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
     bilinear},
    {"cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor", cdist},
    {"pdist(Tensor self, float p=2) -> Tensor", pdist},
    {"linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", vecdot},
    {"cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", vecdot},
    {"vdot(Tensor self, Tensor other) -> Tensor", vdot},
    {"cross(Tensor self, Tensor other, int? dim=None) -> Tensor", cross},
});

}  // namespace

std::span<const ShapeRow> product_rows() { return kRows; }

}  // namespace assay::cuda::aten
