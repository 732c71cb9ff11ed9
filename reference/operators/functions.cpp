// Element-wise functions of autocast's lists: powers, logarithms, trigonometry and comparisons.
#include <cmath>
#include <limits>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

using Reals = std::span<const double>;

Operand operand(const BoxedArguments& args, std::size_t at) {
  if (args[at].kind() == "Tensor") return args.tensor(at);
  return args.scalar(at);
}

/// Steps of derivatives, each a call.
class Steps {
 public:
  explicit Steps(const DerivativeCall& call) : to_(call.dispatcher()) {}

  Tensor times(const Tensor& left, const Tensor& right) const {
    return call("aten::mul.Tensor", left, IValue(right));
  }
  Tensor times(const Tensor& left, double right) const {
    return call("aten::mul.Scalar", left, IValue(right));
  }
  Tensor over(const Tensor& left, const Tensor& right) const {
    return call("aten::div.Tensor", left, IValue(right));
  }
  Tensor plus_one(const Tensor& tensor) const {
    return call("aten::add.Scalar", tensor, IValue(1.0));
  }
  Tensor raised(const Tensor& tensor, double power) const {
    return call("aten::pow.Tensor_Scalar", tensor, IValue(power));
  }
  Tensor of(const char* name, const Tensor& tensor) const {
    return call_tensor(to_, name, {IValue(tensor)});
  }

 private:
  Tensor call(const char* name, const Tensor& left, IValue right) const {
    return call_tensor(to_, name, {IValue(left), std::move(right)});
  }

  Dispatcher& to_;
};

/// The factor or divisor of a gradient, of the argument or of the result.
using Slope = Tensor (*)(const Steps& by, const Tensor& x);

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

template <bool kIsOfResult, bool kDivides = false>
OpDefinition unary(const char* name, double (*function)(double), Slope slope) {
  OpDefinition definition = unary(name, function);
  definition.derivative = [=](const DerivativeCall& call, const Tensor& grad) {
    const Steps by(call);
    const Tensor found = slope(by, kIsOfResult ? call.result() : call.argument(0));
    return Gradients{kDivides ? by.over(grad, found) : by.times(grad, found)};
  };
  definition.keeps_result = kIsOfResult;
  if (!kIsOfResult) definition.keeps = {{0, 0}};
  return definition;
}

Tensor of_exp(const Steps&, const Tensor& result) { return result; }
Tensor of_expm1(const Steps& by, const Tensor& result) { return by.plus_one(result); }
Tensor of_reciprocal(const Steps& by, const Tensor& result) {
  return by.of("aten::neg", by.times(result, result));
}
Tensor of_rsqrt(const Steps& by, const Tensor& result) {
  return by.times(by.raised(result, 3), -0.5);
}
Tensor of_tan(const Steps& by, const Tensor& result) { return by.plus_one(by.raised(result, 2)); }
Tensor of_tanh(const Steps& by, const Tensor& result) {
  return by.plus_one(by.of("aten::neg", by.times(result, result)));
}
Tensor of_log(const Steps&, const Tensor& self) { return self; }
Tensor of_log1p(const Steps& by, const Tensor& self) { return by.plus_one(self); }
Tensor of_log2(const Steps& by, const Tensor& self) { return by.times(self, std::log(2.0)); }
Tensor of_log10(const Steps& by, const Tensor& self) { return by.times(self, std::log(10.0)); }
Tensor of_sinh(const Steps& by, const Tensor& self) { return by.of("aten::cosh", self); }
Tensor of_cosh(const Steps& by, const Tensor& self) { return by.of("aten::sinh", self); }
Tensor of_asin(const Steps& by, const Tensor& self) {
  return by.of("aten::rsqrt", by.plus_one(by.times(by.of("aten::neg", self), self)));
}
Tensor of_acos(const Steps& by, const Tensor& self) {
  return by.of("aten::neg", of_asin(by, self));
}

OpDefinition comparison(const char* name, bool (*holds)(double, double)) {
  const auto kernel = [=](Dispatcher& dispatcher, const BoxedArguments& args) {
    return IValue(map_real(dispatcher.runtime(), name, {args.tensor(0), args.tensor(1)},
                           ScalarType::kBool,
                           [=](Reals x) { return holds(x[0], x[1]) ? 1.0 : 0.0; }));
  };
  return {.name = name, .kernel = kernel};
}

/// Waits for the device. A NaN differs from everything.
IValue equal_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  const Tensor other = args.tensor(1);
  check(self.device() == other.device(), [&] {
    return "equal takes tensors of one device, not " + describe(self) + " and " + describe(other);
  });
  if (self.sizes() != other.sizes()) return IValue(false);
  const Tensor differs = map_real(runtime, "equal", {self, other}, ScalarType::kBool,
                                  [](Reals x) { return x[0] != x[1] ? 1.0 : 0.0; });
  const Tensor read = to(runtime, differs, {.device = kCpuDevice});
  for (std::int64_t i = 0; i < read.numel(); ++i) {
    if (real_at(read, i) != 0) return IValue(false);
  }
  return IValue(true);
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

/// Raises to a number: exponent * self^(exponent - 1), and 0 for the exponent 0.
Gradients pow_derivative(const DerivativeCall& call, const Tensor& grad) {
  const Steps by(call);
  const Tensor self = call.argument(0);
  const double exponent = call.plain().scalar(1).real();
  if (exponent == 0) {
    return {zeros(call.dispatcher().runtime(), self.sizes(), self.dtype(), self.device())};
  }
  return {by.times(grad, by.times(by.raised(self, exponent - 1), exponent))};
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
      unary<false>("aten::acos", std::acos, of_acos),
      unary<false>("aten::asin", std::asin, of_asin),
      unary<false>("aten::cosh", std::cosh, of_cosh),
      unary("aten::erfinv", erfinv),
      unary<true>("aten::exp", std::exp, of_exp),
      unary<true>("aten::expm1", std::expm1, of_expm1),
      unary<false, true>("aten::log", std::log, of_log),
      unary<false, true>("aten::log10", std::log10, of_log10),
      unary<false, true>("aten::log1p", std::log1p, of_log1p),
      unary<false, true>("aten::log2", std::log2, of_log2),
      unary<true>("aten::reciprocal", reciprocal, of_reciprocal),
      unary<true>("aten::rsqrt", rsqrt, of_rsqrt),
      unary<false>("aten::sinh", std::sinh, of_sinh),
      unary<true>("aten::tan", std::tan, of_tan),
      unary<true>("aten::tanh", std::tanh, of_tanh),
      {.name = "aten::equal", .place = OpPlace::kDetached, .kernel = equal_kernel},
      comparison("aten::eq.Tensor", [](double a, double b) { return a == b; }),
      comparison("aten::ne.Tensor", [](double a, double b) { return a != b; }),
      comparison("aten::lt.Tensor", [](double a, double b) { return a < b; }),
      comparison("aten::le.Tensor", [](double a, double b) { return a <= b; }),
      comparison("aten::gt.Tensor", [](double a, double b) { return a > b; }),
      comparison("aten::ge.Tensor", [](double a, double b) { return a >= b; }),
      {.name = "aten::atan2", .kernel = atan2_kernel},
      {.name = "aten::pow.Tensor_Tensor", .kernel = pow_kernel},
      {.name = "aten::pow.Tensor_Scalar",
       .kernel = pow_kernel,
       .derivative = pow_derivative,
       .keeps = {{0, 0}}},
      {.name = "aten::pow.Scalar", .kernel = pow_kernel},
      {.name = "aten::addcmul", .kernel = add_term_kernel<false>},
      {.name = "aten::addcdiv", .kernel = add_term_kernel<true>},
      {.name = "aten::softplus", .kernel = softplus_kernel},
      {.name = "aten::prelu", .kernel = prelu_kernel},
  };
}

}  // namespace assay::reference
