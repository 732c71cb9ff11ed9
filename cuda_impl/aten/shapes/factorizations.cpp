// Result shapes of matrix factorizations and related operators.
#include <algorithm>
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda::aten {
namespace {

/// Matrices are in the last two dimensions.
struct Matrices {
  explicit Matrices(const Shape& sizes)
      : batch(leading(sizes, 2)), rows(from_end(sizes, 2)), columns(from_end(sizes, 1)) {}

  Shape of(std::int64_t n, std::int64_t m) const { return joined(batch, {n, m}); }
  Shape vectors(std::int64_t n) const { return joined(batch, {n}); }
  std::int64_t least() const { return std::min(rows, columns); }
  void expect_square() const {
    require(rows == columns, [&] {
      return "A must be batches of square matrices, but they are " + std::to_string(rows) + " by " +
             std::to_string(columns) + " matrices";
    });
  }

  Shape batch;
  std::int64_t rows;
  std::int64_t columns;
};

Matrices square(const ArgumentReader& given) {
  const Matrices matrices(given.sizes(0));
  matrices.expect_square();
  return matrices;
}

Results same(const ArgumentReader& given) {
  square(given);
  return {given.made(given.sizes(0))};
}
/// Also returns an error code for each matrix.
Results same_with_info(const ArgumentReader& given) {
  const Matrices matrices = square(given);
  return {given.made(given.sizes(0)), given.made(matrices.batch, Dtype::kInt32)};
}

Results of_batch(const ArgumentReader& given) {
  return {given.made(Matrices(given.sizes(0)).batch, part_of(given.type()))};
}
Results rank(const ArgumentReader& given) {
  return {given.made(Matrices(given.sizes(0)).batch, Dtype::kInt64)};
}
/// Tolerances are broadcast with the batch.
Results rank_by(const ArgumentReader& given) {
  const Matrices matrices(given.sizes(0));
  return {given.made(broadcast(matrices.batch, given.sizes(1)), Dtype::kInt64)};
}

Results eig(const ArgumentReader& given) {
  const Matrices matrices = square(given);
  const Dtype dtype = complex_of(given.type());
  return {given.made(matrices.vectors(matrices.rows), dtype), given.made(given.sizes(0), dtype)};
}
Results eigvals(const ArgumentReader& given) {
  Results both = eig(given);
  both.pop_back();
  return both;
}
Results eigh(const ArgumentReader& given) {
  const Matrices matrices = square(given);
  return {given.made(matrices.vectors(matrices.rows), part_of(given.type())),
          given.made(given.sizes(0))};
}
Results eigvalsh(const ArgumentReader& given) {
  Results both = eigh(given);
  both.pop_back();
  return both;
}
/// Includes eigenvectors if requested.
Results symeig(const ArgumentReader& given) {
  Results both = eigh(given);
  if (!given.flag(1)) both.back() = given.made({0});
  return both;
}

Results svd_of(const ArgumentReader& given, bool is_full, bool is_transposed) {
  const Matrices m(given.sizes(0));
  const std::int64_t left = is_full ? m.rows : m.least();
  const std::int64_t right = is_full ? m.columns : m.least();
  return {given.made(m.of(m.rows, left)), given.made(m.vectors(m.least()), part_of(given.type())),
          given.made(is_transposed ? m.of(right, m.columns) : m.of(m.columns, right))};
}
Results linalg_svd(const ArgumentReader& given) { return svd_of(given, given.flag(1), true); }
/// If vectors are not requested, they are zeros of full size.
Results svd(const ArgumentReader& given) {
  return svd_of(given, !given.flag(1) || !given.flag(2), false);
}
Results svdvals(const ArgumentReader& given) { return {svd_of(given, false, true)[1]}; }

Results qr_of(const ArgumentReader& given, bool is_reduced, bool has_q) {
  const Matrices m(given.sizes(0));
  const std::int64_t inner = is_reduced ? m.least() : m.rows;
  return {given.made(has_q ? m.of(m.rows, inner) : Shape{0}), given.made(m.of(inner, m.columns))};
}
Results linalg_qr(const ArgumentReader& given) {
  const std::string& mode = given.text(1);
  require(mode == "reduced" || mode == "complete" || mode == "r", [&] {
    return "qr received unrecognized mode '" + mode +
           "' but expected one of 'reduced' (default), 'r', or 'complete'";
  });
  return qr_of(given, mode != "complete", mode != "r");
}
Results qr(const ArgumentReader& given) { return qr_of(given, given.flag(1), true); }

Results geqrf(const ArgumentReader& given) {
  const Matrices m(given.sizes(0));
  return {given.made(given.sizes(0)), given.made(m.vectors(m.least()))};
}
Results lu(const ArgumentReader& given) {
  const Matrices m(given.sizes(0));
  return {given.made(given.sizes(0)), given.made(m.vectors(m.least()), Dtype::kInt32),
          given.made(m.batch, Dtype::kInt32)};
}

Results pinverse(const ArgumentReader& given) {
  const Matrices m(given.sizes(0));
  return {given.made(m.of(m.columns, m.rows))};
}
Results trace(const ArgumentReader& given) {
  require(given.sizes(0).size() == 2, [] { return "trace: expected a matrix"; });
  return {given.made({})};
}

constexpr autocast::Releases kUntil2_13{Release::k1_13, Release::k2_13};

constexpr auto kRows = std::to_array<ShapeRow>({
    {.schema = "cholesky(Tensor self, bool upper=False) -> Tensor",
     .rule = same,
     .releases = kUntil2_13},
    {"cholesky_inverse(Tensor self, bool upper=False) -> Tensor", same},
    {"inverse(Tensor self) -> Tensor", same},
    {"pinverse(Tensor self, float rcond=1e-15) -> Tensor", pinverse},
    {"trace(Tensor self) -> Tensor", trace},
    {"geqrf(Tensor self) -> (Tensor a, Tensor tau)", geqrf},
    {"_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor "
     "pivots, Tensor info)",
     lu},
    {.schema = "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
     .rule = qr,
     .releases = kUntil2_13},
    {"svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
     svd},
    {.schema = "symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> (Tensor "
               "eigenvalues, Tensor eigenvectors)",
     .rule = symeig,
     .releases = {Release::k1_13, Release::k1_13}},
    {"linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", same},
    {"linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, "
     "Tensor info)",
     same_with_info},
    {"linalg_cond(Tensor self, Scalar? p=None) -> Tensor", of_batch},
    {"linalg_cond.p_str(Tensor self, str p) -> Tensor", of_batch},
    {"linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)", eig},
    {"linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)", eigh},
    {"linalg_eigvals(Tensor self) -> Tensor", eigvals},
    {"linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor", eigvalsh},
    {"linalg_inv(Tensor A) -> Tensor", same},
    {"linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
     same_with_info},
    {"linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", rank},
    {"linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
     "hermitian=False) -> Tensor",
     rank},
    {"linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, "
     "bool hermitian=False) -> Tensor",
     rank},
    {"linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
     rank_by},
    {.schema = "linalg_matrix_sqrth(Tensor self) -> Tensor",
     .rule = same,
     .releases = {Release::k2_14}},
    {"linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", linalg_qr},
    {"linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, "
     "Tensor Vh)",
     linalg_svd},
    {"linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", svdvals},
});

}  // namespace

std::span<const ShapeRow> factorization_rows() { return kRows; }

}  // namespace assay::cuda::aten
