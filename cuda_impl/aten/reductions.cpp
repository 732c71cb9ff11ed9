// Reductions, norms, lists and views for the dispatcher.
#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::IntList;
using dispatch::TensorList;
using dispatch::traced_kernel;
using OptionalDtype = std::optional<Dtype>;
using OptionalInts = std::optional<Shape>;
using OptionalTensor = std::optional<Tensor>;

Shape shape_of(IntList sizes) { return {sizes.begin(), sizes.end()}; }

Tensor sum(const Tensor& self, OptionalDtype dtype) {
  return autograd::sum(self, {.dims = {}, .dtype = dtype});
}
Tensor sum_dims(const Tensor& self, IntList dim, bool keepdim, OptionalDtype dtype) {
  return autograd::sum(self, {shape_of(dim), keepdim, dtype});
}
Tensor mean(const Tensor& self, OptionalDtype dtype) {
  return autograd::mean(self, {.dims = {}, .dtype = dtype});
}
Tensor mean_dims(const Tensor& self, const OptionalInts& dim, bool keepdim, OptionalDtype dtype) {
  return autograd::mean(self, {dim.value_or(Shape()), keepdim, dtype});
}
Tensor softmax(const Tensor& self, std::int64_t dim, OptionalDtype dtype) {
  return autograd::softmax(self, dim, dtype);
}

Tensor max(const Tensor& self) {
  return autograd::without_way_back(cuda::max(self), {self}, "max");
}
Tensor any(const Tensor& self) { return cuda::any(self); }

Tensor mse_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  require(reduction >= 0 && reduction <= 2,
          [&] { return std::to_string(reduction) + " is no reduction"; });
  return autograd::mse_loss(self, target, static_cast<Reduction>(reduction));
}

Tensor layer_norm(const Tensor& input, IntList shape, const OptionalTensor& weight,
                  const OptionalTensor& bias, double eps, bool /*cudnn_enable*/) {
  return autograd::layer_norm(input, shape_of(shape),
                              {weight.value_or(Tensor()), bias.value_or(Tensor()), eps});
}

Tensor cat(TensorList tensors, std::int64_t dim) { return autograd::cat(tensors, dim); }
Tensor stack(TensorList tensors, std::int64_t dim) { return autograd::stack(tensors, dim); }
Tensor reshape_to(const Tensor& self, IntList shape) {
  return autograd::reshaped(self, shape_of(shape));
}

Tensor turned(const Tensor& self) {
  require(self.dim() <= 2, [&] {
    return "t() expects a tensor of at most 2 dimensions, but got " + describe(self);
  });
  return self.dim() == 2 ? autograd::transposed(self) : cuda::t(self);
}

}  // namespace

std::vector<Definition> reduction_definitions() {
  return {
      {"sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", traced_kernel<&sum>()},
      {"sum.dim_IntList(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
       "Tensor",
       traced_kernel<&sum_dims>()},
      {"mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", traced_kernel<&mean>()},
      {"mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
       "Tensor",
       traced_kernel<&mean_dims>()},
      {"softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
       traced_kernel<&softmax>()},
      {"max(Tensor self) -> Tensor", traced_kernel<&max>()},
      {"any(Tensor self) -> Tensor", traced_kernel<&any>()},
      {"mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
       traced_kernel<&mse_loss>()},
      {"layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
       "float eps=1e-05, bool cudnn_enable=True) -> Tensor",
       traced_kernel<&layer_norm>()},
      {"cat(Tensor[] tensors, int dim=0) -> Tensor", traced_kernel<&cat>()},
      {"stack(Tensor[] tensors, int dim=0) -> Tensor", traced_kernel<&stack>()},
      {"t(Tensor(a) self) -> Tensor(a)", traced_kernel<&turned>()},
      {"reshape(Tensor(a) self, int[] shape) -> Tensor(a)", traced_kernel<&reshape_to>()},
  };
}

}  // namespace assay::cuda::aten
