// Element-wise functions of autocast's lists: powers, logarithms, trigonometry and comparisons.
#include <cmath>
#include <limits>

#include "reference/core/math/map.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

using Reals = std::span<const double>;

Operand operand(const BoxedArguments& args, std::size_t at) {
  if (args[at].kind() == "Tensor") return args.tensor(at);
  return args.scalar(at);
}

/// Integers are mapped to float32.
OpDefinition unary(const char* name, double (*function)(double)) {
  const auto kernel = [=](Dispatcher& dispatcher, const BoxedArguments& args) {
    Runtime& runtime = dispatcher.runtime();
    const Tensor self = args.tensor(0);
    return IValue(map_real(runtime, name, {self}, real_type({self}, runtime.contract()),
                           [=](Reals x) { return function(x[0]); }));
  };
  return {.name = name, .kernel = kernel};
}

OpDefinition comparison(const char* name, bool (*holds)(double, double)) {
  const auto kernel = [=](Dispatcher& dispatcher, const BoxedArguments& args) {
    return IValue(map_real(dispatcher.runtime(), name, {args.tensor(0), args.tensor(1)},
                           ScalarType::kBool,
                           [=](Reals x) { return holds(x[0], x[1]) ? 1.0 : 0.0; }));
  };
  return {.name = name, .kernel = kernel};
}

IValue atan2_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const std::vector<Operand> operands{args.tensor(0), args.tensor(1)};
  return IValue(map_real(runtime, "atan2", operands, real_type(operands, runtime.contract()),
                         [](Reals x) { return std::atan2(x[0], x[1]); }));
}

/// With `is_root`, exponents 0.5 and -0.5 are computed as square roots: NaN for -inf, where pow
/// gives inf or 0.
double power(double base, double exponent, bool is_root) {
  if (is_root && exponent == 0.5) return std::sqrt(base);
  if (is_root && exponent == -0.5) return 1 / std::sqrt(base);
  return std::pow(base, exponent);
}

IValue pow_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const std::vector<Operand> operands{operand(args, 0), operand(args, 1)};
  const ScalarType dtype = result_type(operands, runtime.contract());
  // PyTorch does not use square roots for float16 on the CPU.
  const bool is_host_half = dtype == ScalarType::kHalf && elementwise_device(operands).is_cpu();
  const bool has_roots = tensor_in(operands[1]) == nullptr && !is_host_half;
  return IValue(map_real(runtime, "pow", operands, dtype,
                         [=](Reals x) { return power(x[0], x[1], has_roots); }));
}

/// self + value * one * two, or self + value * one / two.
template <bool kDivides>
IValue add_term_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const std::vector<Operand> operands{args.tensor(0), args.tensor(1), args.tensor(2)};
  const ScalarType dtype = result_type(operands, runtime.contract());
  check(!kDivides || is_floating(dtype),
        [] { return "Integer division with addcdiv is no longer supported"; });
  return IValue(map_real(runtime, kDivides ? "addcdiv" : "addcmul", operands, dtype,
                         [value = args.real(3)](Reals x) {
                           return x[0] + (kDivides ? value * (x[1] / x[2]) : value * x[1] * x[2]);
                         }));
}

/// ln(1 + exp(beta * x)) / beta, but x itself where beta * x is above the threshold.
IValue softplus_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  const double beta = args.real(1);
  const double threshold = args.real(2);
  return IValue(map_real(dispatcher.runtime(), "softplus", {self}, self.dtype(), [=](Reals x) {
    return x[0] * beta > threshold ? x[0] : std::log1p(std::exp(x[0] * beta)) / beta;
  }));
}

/// One weight for all elements, or one for each channel, which is the second dimension.
IValue prelu_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  Tensor weight = args.tensor(1);
  check(weight.dtype() == self.dtype(), [] { return "prelu: Type promoting not supported."; });
  if (weight.numel() == 1) {
    weight = as_strided(weight, {}, {});
  } else {
    const std::int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    check(weight.dim() == 1 && weight.numel() == channels, [&] {
      return "Mismatch of parameter numbers and input channel size. Found parameter numbers = " +
             std::to_string(weight.numel()) + " and channel size = " + std::to_string(channels);
    });
    Shape sizes(static_cast<std::size_t>(self.dim() - 1), 1);
    Shape strides(sizes.size(), 0);
    sizes[0] = channels;
    strides[0] = weight.strides()[0];
    weight = as_strided(weight, sizes, strides);
  }
  return IValue(map_real(dispatcher.runtime(), "prelu", {self, weight}, self.dtype(),
                         [](Reals x) { return x[0] > 0 ? x[0] : x[0] * x[1]; }));
}

/// Newton's method on erf, whose derivative is 2/sqrt(pi) * exp(-x^2).
double erfinv(double y) {
  if (std::isnan(y) || std::fabs(y) > 1) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(y) == 1) return std::copysign(HUGE_VAL, y);
  const double logarithm = std::log1p(-y * y);
  const double term = 2 / (M_PI * 0.147) + logarithm / 2;
  double x = std::copysign(std::sqrt(std::sqrt(term * term - logarithm / 0.147) - term), y);
  for (int i = 0; i < 4; ++i) {
    // erf(x) - y. Above 0.5, erfc is more accurate than 1 - erf.
    const double sign = std::copysign(1, y);
    const double error = std::fabs(y) < 0.5 ? std::erf(x) - y
                                            : sign * ((1 - std::fabs(y)) - std::erfc(std::fabs(x)));
    x -= error * std::sqrt(M_PI) / 2 * std::exp(x * x);
  }
  return x;
}

double reciprocal(double x) { return 1 / x; }
double rsqrt(double x) { return 1 / std::sqrt(x); }

}  // namespace

std::vector<OpDefinition> function_operators() {
  return {
      unary("aten::acos", std::acos),
      unary("aten::asin", std::asin),
      unary("aten::cosh", std::cosh),
      unary("aten::erfinv", erfinv),
      unary("aten::exp", std::exp),
      unary("aten::expm1", std::expm1),
      unary("aten::log", std::log),
      unary("aten::log10", std::log10),
      unary("aten::log1p", std::log1p),
      unary("aten::log2", std::log2),
      unary("aten::reciprocal", reciprocal),
      unary("aten::rsqrt", rsqrt),
      unary("aten::sinh", std::sinh),
      unary("aten::tan", std::tan),
      comparison("aten::eq.Tensor", [](double a, double b) { return a == b; }),
      comparison("aten::ne.Tensor", [](double a, double b) { return a != b; }),
      comparison("aten::lt.Tensor", [](double a, double b) { return a < b; }),
      comparison("aten::le.Tensor", [](double a, double b) { return a <= b; }),
      comparison("aten::gt.Tensor", [](double a, double b) { return a > b; }),
      comparison("aten::ge.Tensor", [](double a, double b) { return a >= b; }),
      {.name = "aten::atan2", .kernel = atan2_kernel},
      {.name = "aten::pow.Tensor_Tensor", .kernel = pow_kernel},
      {.name = "aten::pow.Tensor_Scalar", .kernel = pow_kernel},
      {.name = "aten::pow.Scalar", .kernel = pow_kernel},
      {.name = "aten::addcmul", .kernel = add_term_kernel<false>},
      {.name = "aten::addcdiv", .kernel = add_term_kernel<true>},
      {.name = "aten::softplus", .kernel = softplus_kernel},
      {.name = "aten::prelu", .kernel = prelu_kernel},
  };
}

}  // namespace assay::reference
