// Implements products as sums of products.
#include "reference/core/math/matmul.hpp"

#include "reference/core/math/operand.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/elements.hpp"

namespace assay::reference {
namespace {

void check_dtypes(const Tensor& left, const Tensor& right, const char* name) {
  check(left.dtype() == right.dtype(), [&] {
    return std::string(name) + ": expected both operands to have the same dtype, but got " +
           std::string(cpp_name_of(left.dtype())) + " and " +
           std::string(cpp_name_of(right.dtype()));
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
    const std::vector<T> start = elements_of<T>(a);
    for (std::size_t i = 0; i < start.size(); ++i) {
      sums[i] = static_cast<T>(factors.alpha) * sums[i] + static_cast<T>(factors.beta) * start[i];
    }
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
  common_device({left, right}, "bmm");
  check_dims(left, 3, "bmm");
  check_dims(right, 3, "bmm");
  check_inner(left, right, left.size(0) == right.size(0) && left.size(2) == right.size(1), "bmm");
  check_dtypes(left, right, "bmm");
  Tensor result = result_like(runtime, left, {left.size(0), left.size(1), right.size(2)});
  if (result.data() == nullptr) return result;
  const auto kernel = [product = product_of(left, right), to = borrowed(result), l = borrowed(left),
                       r = borrowed(right)]<typename T>(T) {
    std::vector<T> sums(static_cast<std::size_t>(to.numel()));
    const std::vector<T> a = elements_of<T>(l);
    const std::vector<T> b = elements_of<T>(r);
    for (std::size_t batch = 0; batch < size_of(l, 0); ++batch) {
      product.add_to(sums.data() + batch * product.rows * product.columns,
                     a.data() + batch * product.rows * product.inner,
                     b.data() + batch * product.inner * product.columns);
    }
    store_elements(to, sums);
  };
  launch_compute(runtime, left.device(), "bmm", left.dtype(), kernel);
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

namespace {

struct Convolution {
  Tensor x;
  Tensor weight;
  Tensor bias;
  Tensor result;
  ConvOptions options;

  template <typename T>
  void operator()(T) const {
    const std::vector<T> inputs = elements_of<T>(x);
    const std::vector<T> weights = elements_of<T>(weight);
    const std::vector<T> biases = elements_of<T>(bias);
    const auto sum_at = [&](std::int64_t batch, std::int64_t out, std::int64_t at) {
      T sum = 0;
      for (std::int64_t in = 0; in < x.size(1); ++in) {
        for (std::int64_t k = 0; k < weight.size(2); ++k) {
          const std::int64_t from = at * options.stride + k * options.dilation - options.padding;
          if (from < 0 || from >= x.size(2)) continue;
          const auto input = static_cast<std::size_t>((batch * x.size(1) + in) * x.size(2) + from);
          const auto w = static_cast<std::size_t>((out * x.size(1) + in) * weight.size(2) + k);
          sum += inputs[input] * weights[w];
        }
      }
      return biases.empty() ? sum : sum + biases[static_cast<std::size_t>(out)];
    };
    std::vector<T> sums;
    for (std::int64_t batch = 0; batch < x.size(0); ++batch) {
      for (std::int64_t out = 0; out < weight.size(0); ++out) {
        for (std::int64_t at = 0; at < result.size(2); ++at) sums.push_back(sum_at(batch, out, at));
      }
    }
    store_elements(result, sums);
  }
};

}  // namespace

Tensor conv1d(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias,
              ConvOptions options) {
  common_device({x, weight, bias}, "conv1d");
  check_dims(weight, 3, "conv1d");
  if (x.dim() == 2) {
    const Shape& strides = x.strides();
    const Tensor batch = as_strided(x, {1, x.size(0), x.size(1)}, {0, strides[0], strides[1]});
    const Tensor one = conv1d(runtime, batch, weight, bias, options);
    return view_as(one, {one.size(1), one.size(2)});
  }
  check_dims(x, 3, "conv1d");
  check_inner(x, weight, x.size(1) == weight.size(1), "conv1d");
  check_dtypes(x, weight, "conv1d");
  const std::int64_t reach = options.dilation * (weight.size(2) - 1) + 1;
  const std::int64_t length = (x.size(2) + 2 * options.padding - reach) / options.stride + 1;
  check(x.size(2) + 2 * options.padding >= reach, [&] {
    return "conv1d: the kernel " + to_text(weight.sizes()) + " is larger than the padded input " +
           to_text(x.sizes());
  });
  Tensor result = result_like(runtime, x, {x.size(0), weight.size(0), length});
  if (result.data() == nullptr) return result;
  launch_compute(
      runtime, x.device(), "conv1d", x.dtype(),
      Convolution{borrowed(x), borrowed(weight), borrowed(bias), borrowed(result), options});
  return result;
}

}  // namespace assay::reference
