// Functions of one element for the dispatcher, with derivatives in PyTorch's steps.
#include "cuda_impl/autograd/functions.hpp"

#include <cmath>

#include "cuda_impl/aten/by_element.hpp"
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"

namespace assay::cuda::aten {
namespace {

using autograd::DerivativeArguments;
using Gradients = std::vector<Tensor>;

/// The derivative saves the argument, or the result.
struct Function {
  const char* kind;
  Unary compute;
  autograd::Derivative derivative;
  bool saves_result = false;
};

template <const Function& kFunction>
Tensor applied(const Tensor& self) {
  const Tensor made = map_elements(kFunction.compute, self);
  if (!is_recorded({self})) return made;
  autograd::Recipe recipe{.kind = kFunction.kind, .derivative = kFunction.derivative};
  if (kFunction.saves_result) return autograd::with_history_of_result(made, self, recipe);
  recipe.kept = {self};
  return autograd::with_history(made, {self}, recipe);
}

Tensor product(const Operand& left, const Operand& right) { return autograd::mul(left, right); }
Tensor quotient(const Operand& left, const Operand& right) { return autograd::div(left, right); }
Tensor plus_one(const Tensor& tensor) { return autograd::add(tensor, Scalar(1)); }
Tensor square(const Tensor& tensor) { return product(tensor, tensor); }

Gradients of_exp(const DerivativeArguments& given) {
  return {product(given.gradient, given.kept(0))};
}
Gradients of_expm1(const DerivativeArguments& given) {
  return {product(given.gradient, plus_one(given.kept(0)))};
}
Gradients of_log(const DerivativeArguments& given) {
  return {quotient(given.gradient, given.kept(0))};
}
Gradients of_log2(const DerivativeArguments& given) {
  return {quotient(given.gradient, product(given.kept(0), Scalar(std::log(2.0))))};
}
Gradients of_log10(const DerivativeArguments& given) {
  return {quotient(given.gradient, product(given.kept(0), Scalar(std::log(10.0))))};
}
Gradients of_log1p(const DerivativeArguments& given) {
  return {quotient(given.gradient, plus_one(given.kept(0)))};
}
Gradients of_reciprocal(const DerivativeArguments& given) {
  return {product(autograd::neg(given.gradient), square(given.kept(0)))};
}
Gradients of_rsqrt(const DerivativeArguments& given) {
  const Tensor cube = product(square(given.kept(0)), given.kept(0));
  return {product(product(given.gradient, Scalar(-0.5)), cube)};
}
Gradients of_tan(const DerivativeArguments& given) {
  return {product(given.gradient, plus_one(square(given.kept(0))))};
}

Gradients of_tanh(const DerivativeArguments& given) {
  return {product(given.gradient, plus_one(autograd::neg(square(given.kept(0)))))};
}

double reciprocal(double value) { return 1 / value; }
double inverse_root(double value) { return 1 / std::sqrt(value); }

constexpr Function kExp{"exp", std::exp, of_exp, true};
constexpr Function kExpm1{"expm1", std::expm1, of_expm1, true};
constexpr Function kLog{"log", std::log, of_log};
constexpr Function kLog2{"log2", std::log2, of_log2};
constexpr Function kLog10{"log10", std::log10, of_log10};
constexpr Function kLog1p{"log1p", std::log1p, of_log1p};
constexpr Function kReciprocal{"reciprocal", reciprocal, of_reciprocal, true};
constexpr Function kRsqrt{"rsqrt", inverse_root, of_rsqrt, true};
constexpr Function kTan{"tan", std::tan, of_tan, true};
constexpr Function kTanh{"tanh", std::tanh, of_tanh, true};

extern const Function kCosh;
Gradients of_sinh(const DerivativeArguments& given) {
  return {product(given.gradient, applied<kCosh>(given.kept(0)))};
}
constexpr Function kSinh{"sinh", std::sinh, of_sinh};
Gradients of_cosh(const DerivativeArguments& given) {
  return {product(given.gradient, applied<kSinh>(given.kept(0)))};
}
constexpr Function kCosh{"cosh", std::cosh, of_cosh};

/// 1 / sqrt(1 - x * x)
Tensor arc_slope(const Tensor& x) {
  return applied<kRsqrt>(plus_one(product(autograd::neg(x), x)));
}
Gradients of_asin(const DerivativeArguments& given) {
  return {product(given.gradient, arc_slope(given.kept(0)))};
}
Gradients of_acos(const DerivativeArguments& given) {
  return {product(given.gradient, autograd::neg(arc_slope(given.kept(0))))};
}
constexpr Function kAsin{"asin", std::asin, of_asin};
constexpr Function kAcos{"acos", std::acos, of_acos};

template <const Function& kFunction>
Definition definition(const char* schema) {
  return {schema, dispatch::traced_kernel<&applied<kFunction>>()};
}

}  // namespace

std::vector<Definition> function_definitions() {
  return {
      definition<kAcos>("acos(Tensor self) -> Tensor"),
      definition<kAsin>("asin(Tensor self) -> Tensor"),
      definition<kCosh>("cosh(Tensor self) -> Tensor"),
      definition<kExp>("exp(Tensor self) -> Tensor"),
      definition<kExpm1>("expm1(Tensor self) -> Tensor"),
      definition<kLog>("log(Tensor self) -> Tensor"),
      definition<kLog10>("log10(Tensor self) -> Tensor"),
      definition<kLog1p>("log1p(Tensor self) -> Tensor"),
      definition<kLog2>("log2(Tensor self) -> Tensor"),
      definition<kReciprocal>("reciprocal(Tensor self) -> Tensor"),
      definition<kRsqrt>("rsqrt(Tensor self) -> Tensor"),
      definition<kSinh>("sinh(Tensor self) -> Tensor"),
      definition<kTan>("tan(Tensor self) -> Tensor"),
      definition<kTanh>("tanh(Tensor self) -> Tensor"),
  };
}

}  // namespace assay::cuda::aten
