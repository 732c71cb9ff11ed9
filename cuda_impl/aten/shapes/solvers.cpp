// Result shapes of linear solvers.
#include <algorithm>
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda::aten {
namespace {

/// Right-hand sides, with the broadcast batch.
Shape solution(const Shape& right, const Shape& matrices) {
  const Shape batch = broadcast(leading(right, 2), leading(matrices, 2));
  return joined(batch, {from_end(right, 2), from_end(right, 1)});
}

/// `right, matrices, …`
Results solved(const ArgumentReader& given) {
  return {given.made(solution(given.sizes(0), given.sizes(1)), given.one_type())};
}

/// `matrices, right, …`: the right-hand side may be one vector for each matrix.
Results linalg_solve(const ArgumentReader& given) {
  const Shape& matrices = given.sizes(0);
  const Shape& right = given.sizes(1);
  const bool is_vector = right.size() == 1 || right == leading(matrices, 1);
  return {
      given.made(is_vector ? leading(matrices, 1) : solution(right, matrices), given.one_type())};
}

Results triangular_solve(const ArgumentReader& given) {
  Results results = solved(given);
  const Shape batch = leading(results[0].tensor().sizes(), 2);
  const Shape& matrices = given.sizes(1);
  results.push_back(given.made(joined(batch, {from_end(matrices, 2), from_end(matrices, 1)})));
  return results;
}

/// Residuals exist if there are more rows than columns; singular values depend on the driver.
Results lstsq(const ArgumentReader& given) {
  const Shape& matrices = given.sizes(0);
  const Shape& right = given.sizes(1);
  const Shape batch = leading(matrices, 2);
  const std::int64_t rows = from_end(matrices, 2);
  const std::int64_t columns = from_end(matrices, 1);
  const bool is_vector = right.size() + 1 == matrices.size();
  Shape solutions = joined(batch, {columns});
  Shape residuals = batch;
  if (!is_vector) solutions.push_back(from_end(right, 1));
  if (!is_vector) residuals.push_back(from_end(right, 1));
  const std::string driver = given.has(3) ? given.text(3) : "gelsy";
  const bool is_by_values = driver == "gelsd" || driver == "gelss";
  return {given.made(std::move(solutions), given.one_type()),
          given.made(rows > columns ? residuals : Shape{0}, part_of(given.type())),
          given.made(driver == "gels" ? Shape{0} : batch, Dtype::kInt64),
          given.made(is_by_values ? joined(batch, {std::min(rows, columns)}) : Shape{0},
                     part_of(given.type()))};
}

Results like_first(const ArgumentReader& given) {
  return {given.made(given.sizes(0), given.one_type())};
}
Results like_third(const ArgumentReader& given) {
  return {given.made(given.sizes(2), given.one_type())};
}

/// Moves the first `ind` dimensions behind the others.
Results tensorinv(const ArgumentReader& given) {
  const Shape& sizes = given.sizes(0);
  const std::int64_t ind = given.integer(1);
  require(ind > 0, [] { return "Expected a strictly positive integer for 'ind'"; });
  expect_dims(sizes, static_cast<std::size_t>(ind));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(ind);
  return {given.made(joined({middle, sizes.end()}, {sizes.begin(), middle}))};
}

/// The tensor's dimensions without those of the right-hand side.
Results tensorsolve(const ArgumentReader& given) {
  Shape sizes = given.sizes(0);
  if (given.has(2)) {
    for (const std::int64_t dim : given.integers(2)) {
      const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(wrapped(dim, sizes));
      std::rotate(at, at + 1, sizes.end());
    }
  }
  const std::size_t count = given.sizes(1).size();
  expect_dims(sizes, count);
  const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(count);
  return {given.made({first, sizes.end()}, given.one_type())};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor", solved},
    {"lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", solved},
    {"triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
     "unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
     triangular_solve},
    {"linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", linalg_solve},
    {"linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor "
     "solution, Tensor residuals, Tensor rank, Tensor singular_values)",
     lstsq},
    {"linalg_householder_product(Tensor input, Tensor tau) -> Tensor", like_first},
    {"orgqr(Tensor self, Tensor input2) -> Tensor", like_first},
    {"ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> "
     "Tensor",
     like_third},
    {"linalg_tensorinv(Tensor self, int ind=2) -> Tensor", tensorinv},
    {"linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", tensorsolve},
});

}  // namespace

std::span<const ShapeRow> solver_rows() { return kRows; }

}  // namespace assay::cuda::aten
