// Element-wise operators for the dispatcher.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "cuda_impl/aten/by_element.hpp"
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::traced_kernel;

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return autograd::add(self, other, alpha);
}
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return autograd::sub(self, other, alpha);
}
Tensor add_number(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return autograd::add(self, other, alpha);
}
Tensor sub_number(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return autograd::sub(self, other, alpha);
}
/// How products and quotients of half types round on a CPU depends on the release (CORE-22).
template <Release kRelease, typename Other>
Tensor mul(const Tensor& self, const Other& other) {
  return autograd::mul(self, other, kRelease);
}
template <Release kRelease, typename Other>
Tensor div(const Tensor& self, const Other& other) {
  return autograd::div(self, other, kRelease);
}
Tensor detach(const Tensor& self) { return cuda::detach(self); }
Tensor neg(const Tensor& self) { return autograd::neg(self); }
Tensor relu(const Tensor& self) { return autograd::relu(self); }

Tensor addcmul(const Tensor& self, const Tensor& one, const Tensor& two, const Scalar& value) {
  return autograd::add(self, autograd::mul(one, two), value);
}
Tensor addcdiv(const Tensor& self, const Tensor& one, const Tensor& two, const Scalar& value) {
  return autograd::add(self, autograd::div(one, two), value);
}

Tensor atan2(const Tensor& self, const Tensor& other) {
  const Tensor made = map_elements(Binary(std::atan2), self, other);
  return autograd::without_way_back(made, {self, other}, "atan2");
}
Tensor pow(const Tensor& self, const Tensor& exponent) {
  const Tensor made = map_elements(Binary(std::pow), self, exponent);
  return autograd::without_way_back(made, {self, exponent}, "pow");
}

Tensor as_bools(const Tensor& numbers) { return to(numbers, Dtype::kBool); }
template <Binary kCompare>
Tensor compared(const Tensor& self, const Tensor& other) {
  return as_bools(map_elements(kCompare, self, other));
}
double eq(double a, double b) { return a == b ? 1 : 0; }
double ne(double a, double b) { return a != b ? 1 : 0; }
double lt(double a, double b) { return a < b ? 1 : 0; }
double le(double a, double b) { return a <= b ? 1 : 0; }
double gt(double a, double b) { return a > b ? 1 : 0; }
double ge(double a, double b) { return a >= b ? 1 : 0; }
/// Waits and counts one host read.
bool equal(const Tensor& self, const Tensor& other) {
  require(self.device() == other.device(), [&] {
    return "Cannot compare two tensors on different devices. Got: " + describe(self) + " and " +
           describe(other);
  });
  if (self.sizes() != other.sizes()) return false;
  return read_number(any(compared<ne>(self, other))) == 0;
}

/// Products and quotients as `kRelease` has them.
template <Release kRelease>
std::vector<Definition> products_since(autocast::Releases releases) {
  return {
      {"mul.Tensor(Tensor self, Tensor other) -> Tensor", traced_kernel<&mul<kRelease, Tensor>>(),
       releases},
      {"mul.Scalar(Tensor self, Scalar other) -> Tensor", traced_kernel<&mul<kRelease, Scalar>>(),
       releases},
      {"div.Tensor(Tensor self, Tensor other) -> Tensor", traced_kernel<&div<kRelease, Tensor>>(),
       releases},
      {"div.Scalar(Tensor self, Scalar other) -> Tensor", traced_kernel<&div<kRelease, Scalar>>(),
       releases},
  };
}

template <Binary kCompare>
Definition comparison(const char* schema) {
  return {schema, traced_kernel<&compared<kCompare>>()};
}

}  // namespace

std::vector<Definition> elementwise_definitions() {
  std::vector<Definition> definitions{
      {"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", traced_kernel<&add>()},
      {"sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", traced_kernel<&sub>()},
      {"add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
       traced_kernel<&add_number>()},
      {"sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
       traced_kernel<&sub_number>()},
      {"detach(Tensor(a) self) -> Tensor(a)", traced_kernel<&detach>()},
      {"neg(Tensor self) -> Tensor", traced_kernel<&neg>()},
      {"relu(Tensor self) -> Tensor", traced_kernel<&relu>()},
      {"addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
       traced_kernel<&addcmul>()},
      {"addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
       traced_kernel<&addcdiv>()},
      {"atan2(Tensor self, Tensor other) -> Tensor", traced_kernel<&atan2>()},
      {"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", traced_kernel<&pow>()},
      {"equal(Tensor self, Tensor other) -> bool", traced_kernel<&equal>()},
      comparison<eq>("eq.Tensor(Tensor self, Tensor other) -> Tensor"),
      comparison<ne>("ne.Tensor(Tensor self, Tensor other) -> Tensor"),
      comparison<lt>("lt.Tensor(Tensor self, Tensor other) -> Tensor"),
      comparison<le>("le.Tensor(Tensor self, Tensor other) -> Tensor"),
      comparison<gt>("gt.Tensor(Tensor self, Tensor other) -> Tensor"),
      comparison<ge>("ge.Tensor(Tensor self, Tensor other) -> Tensor"),
  };
  std::ranges::move(products_since<Release::k1_13>({Release::k1_13, Release::k1_13}),
                    std::back_inserter(definitions));
  std::ranges::move(products_since<kNewestRelease>({Release::k2_4, kNewestRelease}),
                    std::back_inserter(definitions));
  return definitions;
}

}  // namespace assay::cuda::aten
