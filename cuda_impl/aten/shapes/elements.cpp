// Result shapes of element-wise operators and reductions.
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda::aten {
namespace {

Results like_self(const ArgumentReader& given) {
  return {given.made(given.sizes(0), given.tensor(0).dtype())};
}
Results of_one_type(const ArgumentReader& given) {
  return {given.made(given.sizes(0), given.one_type())};
}
/// `self, order, dim, keepdim, dtype`
Results norm_of(const ArgumentReader& given, const Shape& dims) {
  return {given.made(reduced(given.sizes(0), dims, given.flag(3)),
                     given.type_or(4, part_of(given.tensor(0).dtype())))};
}
Results matrix_norm(const ArgumentReader& given) {
  const Shape dims = given.integers(2);
  require(dims.size() == 2,
          [&] { return "linalg.matrix_norm: dim must be a 2-tuple. Got " + to_text(dims); });
  return norm_of(given, dims);
}
Results whole_norm(const ArgumentReader& given) { return {given.made({}, part_of(given.type()))}; }
/// `self, keepdim`: a norm of matrices.
Results nuclear_norm(const ArgumentReader& given) {
  return {given.made(reduced(given.sizes(0), {-2, -1}, given.flag(1)), part_of(given.type()))};
}
/// `self, dim, keepdim`
Results norm_dim(const ArgumentReader& given) {
  return {
      given.made(reduced(given.sizes(0), given.integers(1), given.flag(2)), part_of(given.type()))};
}

Shape without_dim(const ArgumentReader& given) {
  const Shape dims = given.has(2) ? Shape{given.integer(2)} : Shape();
  return reduced(given.sizes(0), dims, given.flag(3));
}
Results quantile_of_number(const ArgumentReader& given) { return {given.made(without_dim(given))}; }
/// One result for each quantile, in the first dimension.
Results quantile(const ArgumentReader& given) {
  require(given.sizes(1).size() <= 1, [] { return "quantile() q must be a scalar or 1D tensor"; });
  return {given.made(joined(given.sizes(1), without_dim(given)))};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", like_self},
    {"fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, "
     "int quant_max) -> Tensor",
     like_self},
    {.schema = "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? "
               "eps=None) -> Tensor",
     .rule = like_self,
     .releases = {Release::k2_11}},
    {"index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
     of_one_type},
    {"index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", of_one_type},
    {"scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", of_one_type},
    {"frobenius_norm(Tensor self) -> Tensor", whole_norm},
    {"frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", norm_dim},
    {"nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", nuclear_norm},
    {"nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", norm_dim},
    {"linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor",
     matrix_norm},
    {"linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2,-1], bool "
     "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     matrix_norm},
    {"quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
     "interpolation='linear') -> Tensor",
     quantile},
    {"quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
     "interpolation='linear') -> Tensor",
     quantile_of_number},
    {"nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
     "interpolation='linear') -> Tensor",
     quantile},
    {"nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
     "interpolation='linear') -> Tensor",
     quantile_of_number},
});

}  // namespace

std::span<const ShapeRow> element_rows() { return kRows; }

}  // namespace assay::cuda::aten
