// Powers with a number as base or exponent, and activations: element-wise functions with
// parameters.
#include <array>
#include <cmath>
#include <limits>

#include "cuda_impl/aten/by_element.hpp"
#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

Dtype type_beside(const Tensor& tensor, const Scalar& scalar) {
  const std::array<Operand, 2> operands{tensor, scalar};
  return result_type(operands);
}

/// Integer tensors are computed in double, which represents their values exactly.
Tensor mapped(const std::function<double(double)>& function, const Tensor& tensor, Dtype dtype) {
  return to(map_elements(function, facts(tensor.dtype()).is_floating ? to(tensor, dtype)
                                                                     : to(tensor, Dtype::kFloat64)),
            dtype);
}

/// `has_roots`: the power 0.5 is a square root, which is NaN for -inf, unlike std::pow.
double raised(double base, double exponent, bool has_roots) {
  if (has_roots && exponent == 0.5) return std::sqrt(base);
  if (has_roots && exponent == -0.5) return 1 / std::sqrt(base);
  return std::pow(base, exponent);
}

Tensor raised_by(const Tensor& self, const Scalar& number);

/// Saves the base; uses the exponent.
std::vector<Tensor> of_power(const autograd::DerivativeArguments& given) {
  const Tensor& self = given.kept(0);
  const double exponent = given.numbers[0].real();
  if (exponent == 0) return {full(self.sizes(), 0, self.dtype(), self.device())};
  const Tensor below = raised_by(self, Scalar(exponent - 1));
  return {autograd::mul(given.gradient, autograd::mul(below, Scalar(exponent)))};
}

Tensor raised_by(const Tensor& self, const Scalar& number) {
  const Dtype dtype = type_beside(self, number);
  const bool has_roots = dtype != Dtype::kFloat16 || !self.device().is_cpu();
  const Tensor made =
      mapped([=, exponent = number.real()](double x) { return raised(x, exponent, has_roots); },
             self, dtype);
  return autograd::with_history(
      made, {self}, {.kind = "pow", .derivative = of_power, .kept = {self}, .numbers = {number}});
}

Results power(const ArgumentReader& given) {
  return {Boxed(raised_by(given.tensor(0), given.number(1)))};
}

Results power_of_number(const ArgumentReader& given) {
  const Tensor& exponent = given.tensor(1);
  return {Boxed(mapped([base = given.number(0).real()](double x) { return std::pow(base, x); },
                       exponent, type_beside(exponent, given.number(0))))};
}

/// ln(1 + exp(beta x)) / beta, and x above the threshold.
Results softplus(const ArgumentReader& given) {
  const double beta = given.number(1).real();
  const double threshold = given.number(2).real();
  const auto function = [=](double x) {
    const double scaled = beta * x;
    if (scaled > threshold) return x;
    return std::log1p(std::exp(scaled)) / beta;
  };
  return {Boxed(map_elements(function, given.tensor(0)))};
}

Results prelu(const ArgumentReader& given) {
  const Tensor& self = given.tensor(0);
  Tensor weight = given.tensor(1);
  given.one_type();
  if (weight.numel() == 1) {
    weight = reshape(weight, {});
  } else {
    const std::int64_t channels = self.dim() > 1 ? self.sizes()[1] : 1;
    require(weight.sizes() == Shape{channels}, [&] {
      return "Mismatch of parameter numbers and input channel size. Found parameter numbers = " +
             std::to_string(weight.numel()) + " and channel size = " + std::to_string(channels);
    });
    Shape sizes(self.sizes().size() - 1, 1);
    sizes.front() = channels;
    weight = reshape(weight, sizes);
  }
  const auto function = [](double x, double slope) { return x > 0 ? x : slope * x; };
  return {Boxed(map_elements(function, self, weight))};
}

/// An approximation, improved by Halley's method on erfc(|x|) = 1 - |y|.
double inverse_error_function(double y) {
  const double size = std::fabs(y);
  if (!(size <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (size == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
  const double half_log = std::log((1 - size) * (1 + size)) / 2;
  const double centre = 4.3307467508 + half_log;
  double x = std::sqrt(std::sqrt(centre * centre - half_log / 0.0735) - centre);
  for (int i = 0; i < 3; ++i) {
    const double error = size < 0.5 ? size - std::erf(x) : std::erfc(x) - (1 - size);
    const double step = error / (1.1283791670955126 * std::exp(-x * x));
    x += step / (1 + x * step);
  }
  return std::copysign(x, y);
}

Results erfinv(const ArgumentReader& given) {
  return {Boxed(map_elements(inverse_error_function, given.tensor(0)))};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"erfinv(Tensor self) -> Tensor", erfinv},
    {"softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", softplus},
    {"prelu(Tensor self, Tensor weight) -> Tensor", prelu},
    {"pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", power},
    {"pow.Scalar(Scalar self, Tensor exponent) -> Tensor", power_of_number},
});

}  // namespace

std::span<const ShapeRow> power_rows() { return kRows; }

}  // namespace assay::cuda::aten
