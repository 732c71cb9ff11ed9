// Products as operators of the dispatcher.
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"
#include "cuda_impl/operators/copy.hpp"
#include "cuda_impl/operators/linear.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::IntList;
using dispatch::typed_kernel;
using OptionalTensor = std::optional<Tensor>;

Tensor mm(const Tensor& self, const Tensor& mat2) { return autograd::mm(self, mat2); }
Tensor bmm(const Tensor& self, const Tensor& mat2) { return autograd::bmm(self, mat2); }
Tensor mv(const Tensor& self, const Tensor& vec) { return cuda::mv(self, vec); }
Tensor dot(const Tensor& self, const Tensor& tensor) { return cuda::dot(self, tensor); }
Tensor matmul(const Tensor& self, const Tensor& other) { return cuda::matmul(self, other); }

Tensor linear(const Tensor& input, const Tensor& weight, const OptionalTensor& bias) {
  return autograd::linear(input, weight, bias.value_or(Tensor()));
}

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
             const Scalar& alpha) {
  return autograd::addmm(self, mat1, mat2, {beta, alpha});
}

/// Into a tensor of the result's own type.
Tensor& store(Tensor& out, const Tensor& result) {
  require(out.dtype() == result.dtype(), [&] {
    return "expected out to be " + std::string(facts(result.dtype()).name) + ", but got " +
           std::string(facts(out.dtype()).name);
  });
  copy_(out, result);
  return out;
}

Tensor& addmm_(Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
               const Scalar& alpha) {
  return store(self, addmm(self, mat1, mat2, beta, alpha));
}

Tensor& mm_out(const Tensor& self, const Tensor& mat2, Tensor& out) {
  return store(out, cuda::mm(self, mat2));
}

std::int64_t only(IntList sizes) {
  require(sizes.size() == 1,
          [&] { return "conv1d takes one int here, but got " + std::to_string(sizes.size()); });
  return sizes.front();
}

Tensor conv1d(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, IntList stride,
              IntList padding, IntList dilation, std::int64_t groups) {
  return cuda::conv1d(input, weight, bias.value_or(Tensor()),
                      {only(stride), only(padding), only(dilation), groups});
}

}  // namespace

std::vector<Definition> product_definitions() {
  return {
      {"mm(Tensor self, Tensor mat2) -> Tensor", typed_kernel<&mm>()},
      {"mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)",
       typed_kernel<&mm_out>()},
      {"bmm(Tensor self, Tensor mat2) -> Tensor", typed_kernel<&bmm>()},
      {"mv(Tensor self, Tensor vec) -> Tensor", typed_kernel<&mv>()},
      {"dot(Tensor self, Tensor tensor) -> Tensor", typed_kernel<&dot>()},
      {"matmul(Tensor self, Tensor other) -> Tensor", typed_kernel<&matmul>()},
      {"linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", typed_kernel<&linear>()},
      {"addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
       typed_kernel<&addmm>()},
      {"addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
       "Tensor(a!)",
       typed_kernel<&addmm_>()},
      {"conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, "
       "int[1] dilation=1, int groups=1) -> Tensor",
       typed_kernel<&conv1d>()},
  };
}

}  // namespace assay::cuda::aten
