// Operators along dimensions: running totals, products, norms, logarithms of softmax, group norm.
#include <array>
#include <cmath>

#include "cuda_impl/aten/by_element.hpp"
#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/losses.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

std::optional<Dtype> dtype_at(const ArgumentReader& given, std::size_t i) {
  if (!given.has(i)) return std::nullopt;
  return given.type_or(i, Dtype::kFloat32);
}

Results cumsum(const ArgumentReader& given) {
  return {Boxed(scan(Scan::kSum, given.tensor(0), given.integer(1), dtype_at(given, 2)))};
}
Results cumprod(const ArgumentReader& given) {
  return {Boxed(scan(Scan::kProduct, given.tensor(0), given.integer(1), dtype_at(given, 2)))};
}

Results prod(const ArgumentReader& given) {
  return {Boxed(cuda::prod(given.tensor(0), {.dims = {}, .dtype = dtype_at(given, 1)}))};
}
Results prod_dim(const ArgumentReader& given) {
  return {
      Boxed(cuda::prod(given.tensor(0), {{given.integer(1)}, given.flag(2), dtype_at(given, 3)}))};
}

Results log_softmax(const ArgumentReader& given) {
  return {Boxed(autograd::log_softmax(given.tensor(0), given.integer(1), dtype_at(given, 2)))};
}

/// Moves the reduced dimensions behind the others and merges them.
Results logsumexp(const ArgumentReader& given) {
  Tensor rows = given.tensor(0);
  if (!facts(rows.dtype()).is_floating) rows = to(rows, Dtype::kFloat32);
  const Shape dims = given.integers(1);
  const Shape result = reduced(rows.sizes(), dims, given.flag(2));
  const Shape ones = reduced(rows.sizes(), dims, true);
  std::int64_t count = 1;
  for (std::size_t i = 0; i < ones.size(); ++i) {
    const bool is_reduced = ones[i] != rows.sizes()[i];
    if (is_reduced) count *= rows.sizes()[i];
  }
  for (std::size_t i = ones.size(); i-- > 0;) {
    if (ones[i] == given.sizes(0)[i]) continue;
    for (std::size_t at = i; at + 1 < ones.size(); ++at) {
      rows = transpose(rows, static_cast<std::int64_t>(at), static_cast<std::int64_t>(at + 1));
    }
  }
  Shape flat{numel_of(result), count};
  return {Boxed(reshape(log_sum_exp(reshape(rows, flat)), result))};
}

/// Orders that the kernels lack: powers of each element, and a root of their sum.
Tensor norm_of_power(const Tensor& tensor, double p, const Reduced& over) {
  const Dtype dtype = over.dtype.value_or(tensor.dtype());
  const Tensor wide = is_half(dtype) ? to(tensor, Dtype::kFloat32) : to(tensor, dtype);
  const Tensor powers =
      map_elements([p](double value) { return std::pow(std::fabs(value), p); }, wide);
  const Tensor total = cuda::sum(powers, {over.dims, over.keepdim, {}});
  return to(map_elements([p](double value) { return std::pow(value, 1 / p); }, total), dtype);
}

Tensor norm_of(const Tensor& tensor, double p, const Reduced& over) {
  const bool is_floating = facts(tensor.dtype()).is_floating;
  const bool is_known = p == 0 || p == 1 || p == 2 || std::isinf(p) || !is_floating;
  const Shape result = reduced(tensor.sizes(), over.dims, over.keepdim);
  const bool is_single = tensor.numel() == numel_of(result) && p != 0;
  if (is_known || is_single) return cuda::norm(tensor, is_single ? 1 : p, over);
  return norm_of_power(tensor, p, over);
}

/// Before 2.x, other norms than linalg's of no elements are 0.
Tensor checked_norm(const Tensor& tensor, double p, const Reduced& over, bool may_be_empty) {
  const bool is_empty =
      tensor.numel() == 0 && numel_of(reduced(tensor.sizes(), over.dims, over.keepdim)) > 0;
  require(!is_empty || may_be_empty || (p >= 0 && !std::isinf(p)), [&] {
    return "linalg.vector_norm cannot compute the norm of order " + std::to_string(p) +
           " on an empty tensor because the operation does not have an identity";
  });
  return norm_of(tensor, p, over);
}

bool is_old(const ArgumentReader& given) { return given.release() == Release::k1_13; }
double order_of(const ArgumentReader& given) { return given.has(1) ? given.number(1).real() : 2; }

/// `self, order, dim, keepdim, dtype`
Reduced over_dims(const ArgumentReader& given) {
  return {given.has(2) ? given.integers(2) : Shape(), given.flag(3), dtype_at(given, 4)};
}
Results vector_norm(const ArgumentReader& given) {
  return {Boxed(checked_norm(given.tensor(0), order_of(given), over_dims(given), false))};
}
Results norm_typed_dims(const ArgumentReader& given) {
  return {Boxed(checked_norm(given.tensor(0), order_of(given), over_dims(given), is_old(given)))};
}
Results norm_dims(const ArgumentReader& given) {
  return {Boxed(checked_norm(given.tensor(0), order_of(given),
                             {given.integers(2), given.flag(3), {}}, is_old(given)))};
}
Results norm_typed(const ArgumentReader& given) {
  return {Boxed(checked_norm(given.tensor(0), order_of(given),
                             {.dims = {}, .dtype = dtype_at(given, 2)}, is_old(given)))};
}
Results norm(const ArgumentReader& given) {
  const double p = order_of(given);
  if (p == 2) return {Boxed(autograd::norm(given.tensor(0), p))};
  return {Boxed(checked_norm(given.tensor(0), p, {}, is_old(given)))};
}

Results dist(const ArgumentReader& given) {
  return {Boxed(checked_norm(sub(given.tensor(0), given.tensor(1)), given.number(2).real(), {},
                             is_old(given)))};
}

/// One number for each channel, which is the second dimension.
Tensor by_channel(const Tensor& parameter, const Tensor& like) {
  Shape sizes(like.sizes().size() - 1, 1);
  sizes.front() = like.sizes()[1];
  require(parameter.sizes() == Shape{sizes.front()}, [&] {
    return "Expected weight and bias to have one number for each of the " +
           std::to_string(sizes.front()) + " channels, but got " + describe(parameter);
  });
  return reshape(to(parameter, like.dtype()), sizes);
}

/// `input, num_groups, weight, bias, eps`: a layer norm of the groups of each sample.
Results group_norm(const ArgumentReader& given) {
  const Tensor& input = given.tensor(0);
  const std::int64_t groups = given.integer(1);
  require(input.dim() >= 2 && groups > 0 && input.sizes()[1] % groups == 0, [&] {
    return "Expected number of channels in input to be divisible by num_groups, but got input of "
           "shape " +
           to_text(input.sizes()) + " and num_groups=" + std::to_string(groups);
  });
  const Tensor wide = is_half(input.dtype()) ? to(input, Dtype::kFloat32) : input;
  if (input.numel() == 0 || input.is_meta()) {
    return {Boxed(empty(input.sizes(), input.dtype(), input.device()))};
  }
  const std::int64_t length = input.numel() / (input.sizes()[0] * groups);
  const Tensor rows = reshape(wide, {input.sizes()[0] * groups, length});
  Tensor made =
      reshape(layer_norm(rows, {length}, {.weight = {}, .bias = {}, .eps = given.number(4).real()}),
              input.sizes());
  if (given.has(2)) made = mul(made, by_channel(given.tensor(2), made));
  if (given.has(3)) made = add(made, by_channel(given.tensor(3), made));
  return {Boxed(to(made, input.dtype()))};
}

Results native_layer_norm(const ArgumentReader& given) {
  const auto parameter = [&](std::size_t i) { return given.has(i) ? given.tensor(i) : Tensor(); };
  LayerNormed made = autograd::native_layer_norm(
      given.tensor(0), given.integers(1), {parameter(2), parameter(3), given.number(4).real()});
  return {Boxed(made.result), Boxed(made.mean), Boxed(made.inverse_deviation)};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumsum},
    {"cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumprod},
    {"log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", log_softmax},
    {"prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", prod},
    {"prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     prod_dim},
    {"logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", logsumexp},
    {"dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", dist},
    {"norm.Scalar(Tensor self, Scalar p=2) -> Tensor", norm},
    {"norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
     norm_dims},
    {"norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", norm_typed},
    {"norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType "
     "dtype) -> Tensor",
     norm_typed_dims},
    {"linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor",
     vector_norm},
    {"native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float "
     "eps) -> (Tensor, Tensor, Tensor)",
     native_layer_norm, 1},
    {"group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float "
     "eps=1e-05, bool cudnn_enabled=True) -> Tensor",
     group_norm},
});

}  // namespace

std::span<const ShapeRow> line_rows() { return kRows; }

}  // namespace assay::cuda::aten
