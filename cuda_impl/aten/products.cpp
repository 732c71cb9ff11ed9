// Matrix products for the dispatcher.
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/linear.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::traced_kernel;
using OptionalTensor = std::optional<Tensor>;

Tensor mm(const Tensor& self, const Tensor& mat2) { return autograd::mm(self, mat2); }
Tensor bmm(const Tensor& self, const Tensor& mat2) { return autograd::bmm(self, mat2); }
Tensor mv(const Tensor& self, const Tensor& vec) { return autograd::mv(self, vec); }
Tensor dot(const Tensor& self, const Tensor& tensor) { return autograd::dot(self, tensor); }
Tensor matmul(const Tensor& self, const Tensor& other) { return autograd::matmul(self, other); }

Tensor linear(const Tensor& input, const Tensor& weight, const OptionalTensor& bias) {
  return autograd::linear(input, weight, bias.value_or(Tensor()));
}

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
             const Scalar& alpha) {
  return autograd::addmm(self, mat1, mat2, {beta, alpha});
}

/// `out` must have the dtype of the result.
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

}  // namespace

std::vector<Definition> product_definitions() {
  return {
      {"mm(Tensor self, Tensor mat2) -> Tensor", traced_kernel<&mm>()},
      {"mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)",
       traced_kernel<&mm_out>()},
      {"bmm(Tensor self, Tensor mat2) -> Tensor", traced_kernel<&bmm>()},
      {"mv(Tensor self, Tensor vec) -> Tensor", traced_kernel<&mv>()},
      {"dot(Tensor self, Tensor tensor) -> Tensor", traced_kernel<&dot>()},
      {"matmul(Tensor self, Tensor other) -> Tensor", traced_kernel<&matmul>()},
      {"linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
       traced_kernel<&linear>()},
      {"addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
       traced_kernel<&addmm>()},
      {"addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
       "Tensor(a!)",
       traced_kernel<&addmm_>()},
  };
}

}  // namespace assay::cuda::aten
