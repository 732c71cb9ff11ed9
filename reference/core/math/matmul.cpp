// Implements products as sums of products.
#include "reference/core/math/matmul.hpp"

#include "reference/core/math/operand.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

void check_dtypes(const Tensor& left, const Tensor& right, const char* name) {
  check(left.dtype() == right.dtype(), [&] {
    return std::string(name) + ": expected both operands to have the same dtype, but got " +
           std::string(cpp_name_of(left.dtype())) + " and " +
           std::string(cpp_name_of(right.dtype()));
  });
  // PyTorch multiplies matrices of integers on the host alone, and of truth values nowhere.
  const ScalarType type = left.dtype();
  const bool is_whole = !is_floating(type) && !is_complex(type);
  check(!is_whole || (!left.device().is_cuda() && type != ScalarType::kBool), [&] {
    return "\"" + std::string(name) + "\" not implemented for '" + std::string(cpp_name_of(type)) +
           "'";
  });
}

void check_dims(const Tensor& tensor, std::int64_t dims, const char* name) {
  check(tensor.dim() == dims, [&] {
    return std::string(name) + ": expected a matrix or vector, a tensor of " +
           std::to_string(dims) + " dimensions, got " + describe(tensor);
  });
}

void check_inner(const Tensor& left, const Tensor& right, bool agrees, const char* name) {
  check(agrees, [&] {
    return std::string(name) + ": shapes cannot be multiplied: " + to_text(left.sizes()) + " and " +
           to_text(right.sizes());
  });
}

Tensor result_like(Runtime& runtime, const Tensor& like, const Shape& sizes) {
  count_launch(runtime, like.device());
  return empty(runtime, sizes, like.dtype(), like.device());
}

/// Computes (rows x inner) times (inner x columns), added to the initial values in `sums`.
struct Product {
  std::size_t rows, inner, columns;
  ScalarType dtype;

  template <typename T>
  void add_to(T* sums, const T* left, const T* right) const {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        T sum = 0;
        for (std::size_t k = 0; k < inner; ++k) {
          sum += left[row * inner + k] * right[k * columns + column];
        }
        sums[row * columns + column] += sum;
      }
    }
  }
};

/// alpha times each sum, plus beta times its start, if there are any.
template <typename T>
void add_start(std::vector<T>& sums, const std::vector<T>& start, AddmmFactors factors) {
  for (std::size_t i = 0; i < start.size(); ++i) {
    sums[i] *= static_cast<T>(factors.alpha);
    if (factors.beta != 0) sums[i] += static_cast<T>(factors.beta) * start[i];
  }
}

std::size_t size_of(const Tensor& tensor, std::int64_t dim) {
  return static_cast<std::size_t>(tensor.size(dim));
}

Product product_of(const Tensor& left, const Tensor& right) {
  return {size_of(left, -2), size_of(left, -1), size_of(right, -1), left.dtype()};
}

}  // namespace

Tensor mm(Runtime& runtime, const Tensor& left, const Tensor& right) {
  return addmm(runtime, {}, left, right);
}

Tensor addmm(Runtime& runtime, const Tensor& input, const Tensor& left, const Tensor& right,
             AddmmFactors factors) {
  const char* name = input.defined() ? "addmm" : "mm";
  common_device({left, right, input}, name);
  check_dims(left, 2, name);
  check_dims(right, 2, name);
  check_inner(left, right, left.size(1) == right.size(0), name);
  check_dtypes(left, right, name);
  if (input.defined()) check_dtypes(input, left, name);
  Tensor result = result_like(runtime, left, {left.size(0), right.size(1)});
  const Tensor added = input.defined() ? expand(input, result.sizes()) : Tensor{};
  if (result.data() == nullptr) return result;
  const auto kernel = [product = product_of(left, right), l = borrowed(left), r = borrowed(right),
                       a = borrowed(added), to = borrowed(result), factors]<typename T>(T) {
    std::vector<T> sums(static_cast<std::size_t>(to.numel()));
    product.add_to(sums.data(), elements_of<T>(l).data(), elements_of<T>(r).data());
    add_start(sums, elements_of<T>(a), factors);
    store_elements(to, sums);
  };
  launch_compute(runtime, left.device(), name, left.dtype(), kernel);
  return result;
}

Tensor linear(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  common_device({x, weight, bias}, "linear");
  check_dims(weight, 2, "linear");
  check(x.dim() >= 1, [&] { return "linear: the input has no dimensions: " + describe(x); });
  check_inner(x, weight, x.size(-1) == weight.size(1), "linear");
  check_dtypes(x, weight, "linear");
  if (bias.defined()) check_dtypes(x, bias, "linear");
  Shape sizes = x.sizes();
  sizes.back() = weight.size(0);
  Tensor result = result_like(runtime, x, sizes);
  const Tensor added = bias.defined() ? expand(bias, sizes) : Tensor{};
  if (result.data() == nullptr) return result;
  const auto kernel = [a = borrowed(added), to = borrowed(result), from = borrowed(x),
                       turned = borrowed(permute(weight, {1, 0}))]<typename T>(T) {
    std::vector<T> sums = elements_of<T>(a);
    sums.resize(static_cast<std::size_t>(to.numel()));
    const std::size_t columns = size_of(turned, 1);
    Product{sums.size() / columns, size_of(from, -1), columns, from.dtype()}.add_to(
        sums.data(), elements_of<T>(from).data(), elements_of<T>(turned).data());
    store_elements(to, sums);
  };
  launch_compute(runtime, x.device(), "linear", x.dtype(), kernel);
  return result;
}

Tensor bmm(Runtime& runtime, const Tensor& left, const Tensor& right) {
  return baddbmm(runtime, {}, left, right);
}

Tensor baddbmm(Runtime& runtime, const Tensor& input, const Tensor& left, const Tensor& right,
               AddmmFactors factors) {
  const char* name = input.defined() ? "baddbmm" : "bmm";
  common_device({left, right, input}, name);
  check_dims(left, 3, name);
  check_dims(right, 3, name);
  check_inner(left, right, left.size(0) == right.size(0) && left.size(2) == right.size(1), name);
  check_dtypes(left, right, name);
  if (input.defined()) check_dtypes(input, left, name);
  Tensor result = result_like(runtime, left, {left.size(0), left.size(1), right.size(2)});
  const Tensor added = input.defined() ? expand(input, result.sizes()) : Tensor{};
  if (result.data() == nullptr) return result;
  const auto kernel = [product = product_of(left, right), to = borrowed(result), l = borrowed(left),
                       r = borrowed(right), start = borrowed(added), factors]<typename T>(T) {
    std::vector<T> sums(static_cast<std::size_t>(to.numel()));
    const std::vector<T> a = elements_of<T>(l);
    const std::vector<T> b = elements_of<T>(r);
    for (std::size_t batch = 0; batch < size_of(l, 0); ++batch) {
      product.add_to(sums.data() + batch * product.rows * product.columns,
                     a.data() + batch * product.rows * product.inner,
                     b.data() + batch * product.inner * product.columns);
    }
    add_start(sums, elements_of<T>(start), factors);
    store_elements(to, sums);
  };
  launch_compute(runtime, left.device(), name, left.dtype(), kernel);
  return result;
}

Tensor mv(Runtime& runtime, const Tensor& matrix, const Tensor& vector) {
  common_device({matrix, vector}, "mv");
  check_dims(matrix, 2, "mv");
  check_dims(vector, 1, "mv");
  check_inner(matrix, vector, matrix.size(1) == vector.size(0), "mv");
  const Tensor column = as_strided(vector, {vector.size(0), 1}, {vector.strides()[0], 1});
  return view_as(mm(runtime, matrix, column), {matrix.size(0)});
}

Tensor dot(Runtime& runtime, const Tensor& left, const Tensor& right) {
  common_device({left, right}, "dot");
  check_dims(left, 1, "dot");
  check_dims(right, 1, "dot");
  check_inner(left, right, left.size(0) == right.size(0), "dot");
  const Tensor row = as_strided(left, {1, left.size(0)}, {1, left.strides()[0]});
  return view_as(mv(runtime, row, right), {});
}

}  // namespace assay::reference
