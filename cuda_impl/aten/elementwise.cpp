// Operators on single elements as operators of the dispatcher.
#include <cmath>

#include "cuda_impl/aten/by_element.hpp"
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::typed_kernel;

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return autograd::add(self, other, alpha);
}
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return autograd::sub(self, other, alpha);
}
Tensor mul(const dispatch::Entry& entry, dispatch::KeySet, const Tensor& self,
           const Tensor& other) {
  return autograd::mul(self, other, entry.table->layout->release());
}
Tensor div(const dispatch::Entry& entry, dispatch::KeySet, const Tensor& self,
           const Tensor& other) {
  return autograd::div(self, other, entry.table->layout->release());
}
Tensor neg(const Tensor& self) { return autograd::neg(self); }
Tensor relu(const Tensor& self) { return autograd::relu(self); }

Tensor addcmul(const Tensor& self, const Tensor& one, const Tensor& two, const Scalar& value) {
  return autograd::add(self, autograd::mul(one, two), value);
}
Tensor addcdiv(const Tensor& self, const Tensor& one, const Tensor& two, const Scalar& value) {
  return autograd::add(self, autograd::div(one, two), value);
}

double reciprocal(double value) { return 1 / value; }
double inverse_root(double value) { return 1 / std::sqrt(value); }

template <Unary kFunction>
Tensor unary(const Tensor& self) {
  return map_elements(kFunction, self);
}
template <Unary kFunction>
Definition definition(const char* schema) {
  return {schema, typed_kernel<&unary<kFunction>>()};
}

Tensor atan2(const Tensor& self, const Tensor& other) {
  return map_elements(Binary(std::atan2), self, other);
}
Tensor pow(const Tensor& self, const Tensor& exponent) {
  return map_elements(Binary(std::pow), self, exponent);
}

}  // namespace

std::vector<Definition> elementwise_definitions() {
  return {
      {"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", typed_kernel<&add>()},
      {"sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", typed_kernel<&sub>()},
      {"mul.Tensor(Tensor self, Tensor other) -> Tensor", typed_kernel<&mul>()},
      {"div.Tensor(Tensor self, Tensor other) -> Tensor", typed_kernel<&div>()},
      {"neg(Tensor self) -> Tensor", typed_kernel<&neg>()},
      {"relu(Tensor self) -> Tensor", typed_kernel<&relu>()},
      {"addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
       typed_kernel<&addcmul>()},
      {"addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
       typed_kernel<&addcdiv>()},
      {"atan2(Tensor self, Tensor other) -> Tensor", typed_kernel<&atan2>()},
      {"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", typed_kernel<&pow>()},
      definition<Unary(std::acos)>("acos(Tensor self) -> Tensor"),
      definition<Unary(std::asin)>("asin(Tensor self) -> Tensor"),
      definition<Unary(std::cosh)>("cosh(Tensor self) -> Tensor"),
      definition<Unary(std::exp)>("exp(Tensor self) -> Tensor"),
      definition<Unary(std::expm1)>("expm1(Tensor self) -> Tensor"),
      definition<Unary(std::log)>("log(Tensor self) -> Tensor"),
      definition<Unary(std::log10)>("log10(Tensor self) -> Tensor"),
      definition<Unary(std::log1p)>("log1p(Tensor self) -> Tensor"),
      definition<Unary(std::log2)>("log2(Tensor self) -> Tensor"),
      definition<Unary(std::sinh)>("sinh(Tensor self) -> Tensor"),
      definition<Unary(std::tan)>("tan(Tensor self) -> Tensor"),
      definition<reciprocal>("reciprocal(Tensor self) -> Tensor"),
      definition<inverse_root>("rsqrt(Tensor self) -> Tensor"),
  };
}

}  // namespace assay::cuda::aten
