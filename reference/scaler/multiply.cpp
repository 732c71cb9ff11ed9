// Implements the device operations of a scaler; creates the copies of a scalar.
#include "reference/scaler/multiply.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "reference/autograd/closure_node.hpp"
#include "reference/autograd/node.hpp"
#include "reference/autograd/saved.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

TypedOperand operand(const Tensor& tensor) {
  return {tensor.dim() == 0 ? TypedOperand::Class::kZeroDim : TypedOperand::Class::kDim,
          tensor.dtype()};
}

bool is_half(ScalarType dtype) {
  return dtype == ScalarType::kHalf || dtype == ScalarType::kBFloat16;
}

/// On CUDA, and on the CPU before 2.1, the scale is rounded to the half type before the product
/// (SCL-106).
bool narrows_scale(const Runtime& runtime, const Tensor& tensor) {
  return tensor.is_cuda() || runtime.contract().release == Release::k1_13;
}

double product(ScalarType dtype, double value, double scale) {
  if (dtype == ScalarType::kDouble) return value * scale;
  return static_cast<double>(static_cast<float>(value) * static_cast<float>(scale));
}

ScalarType product_type(const Runtime& runtime, const Tensor& tensor, const Tensor& scale) {
  return result_type({operand(tensor), operand(scale)}, ScalarType::kFloat, runtime.contract());
}

/// A 0-dim tensor takes the shape of a scale with shape (1,) (SCL-108).
Tensor product_place(Runtime& runtime, const Tensor& tensor, const Tensor& scale) {
  const ScalarType dtype = product_type(runtime, tensor, scale);
  if (tensor.dim() < scale.dim()) return empty(runtime, scale.sizes(), dtype, tensor.device());
  return empty_strided(runtime, tensor.sizes(), preserved_strides(tensor), dtype, tensor.device());
}

Tensor product_of(Runtime& runtime, const Tensor& tensor, const Tensor& scale) {
  check(!tensor.is_sparse(), ErrorKind::kNotImplemented,
        [&] { return "scaling a sparse tensor is not implemented: " + describe(tensor); });
  Tensor result = product_place(runtime, tensor, scale);
  count_launch(runtime, result);
  if (result.is_meta()) return result;
  const bool narrows = is_half(result.dtype()) && narrows_scale(runtime, tensor);
  launch(runtime, result.device(), "mul",
         [to = borrowed(result), from = borrowed(tensor), by = borrowed(scale), narrows] {
           const ScalarType dtype = to.dtype();
           double factor = real_at(by, 0);
           if (narrows) factor = real_of_bits(dtype, bits_of_real(dtype, factor));
           for (std::int64_t i = 0; i < to.numel(); ++i) {
             set_real_at(to, i, product(dtype, real_at(from, i), factor));
           }
         });
  return result;
}

/// d(tensor * scale) / d(tensor) = scale. The gradient has the tensor's dtype and shape.
Tensor gradient(Runtime& runtime, const Tensor& tensor, const Tensor& scale, const Tensor& grad) {
  const Tensor wide = product_of(runtime, grad, scale);
  Tensor result = empty(runtime, tensor.sizes(), tensor.dtype(), tensor.device());
  launch(runtime, result.device(), "copy", [to = borrowed(result), from = borrowed(wide)] {
    for (std::int64_t i = 0; i < to.numel(); ++i) set_real_at(to, i, real_at(from, i));
  });
  return result;
}

}  // namespace

void count_launch(Runtime& runtime, const Tensor& on) {
  if (on.is_cuda()) ++runtime.counters().launches;
}

void fill_scalar(Runtime& runtime, const Tensor& tensor, const Scalar& value) {
  const std::uint64_t bits = value.bits_as(tensor.dtype(), runtime.contract());
  const auto fill = [to = borrowed(tensor), bits] {
    for (std::int64_t i = 0; i < to.numel(); ++i) set_bits_at(to, i, bits);
  };
  launch(runtime, tensor.device(), "fill", fill);
  count_launch(runtime, tensor);
}

namespace {

/// Saves the scale itself, so that a backward behind an update is refused (SCL-104).
class ProductNode final : public Node {
 public:
  ProductNode(std::vector<Edge> next, Tensor tensor, const Tensor& scale)
      : Node("mul", std::move(next)),
        tensor_(std::move(tensor)),
        scale_(SavedTensor::input(scale)) {}

  Gradients backward(Runtime& runtime, const Gradients& grads) override {
    return {gradient(runtime, tensor_, scale_.unpack(shared_from_this()), grads.front())};
  }
  std::vector<Tensor> saved() const override { return {scale_.tensor()}; }
  void release() override { scale_.release(); }

 private:
  Tensor tensor_;
  SavedTensor scale_;
};

}  // namespace

Tensor multiply(Runtime& runtime, const Tensor& tensor, const Tensor& scale) {
  const Tensor result = product_of(runtime, tensor, scale);
  if (!records_history(runtime, {tensor})) return result;
  set_history(runtime, result,
              std::make_shared<ProductNode>(edges_of(runtime, {tensor}), tensor, scale));
  return result;
}

namespace {

double inverse_of_value(double scale) {
  double value = 1.0 / scale;
  return value;
}

}  // namespace

Tensor inverse_of(Runtime& runtime, const Tensor& scale) {
  const Tensor inverse = empty(runtime, scale.sizes(), ScalarType::kFloat, scale.device());
  launch(runtime, scale.device(), "reciprocal", [to = borrowed(inverse), from = borrowed(scale)] {
    set_real_at(to, 0, inverse_of_value(real_at(from, 0)));
  });
  for (int step = 0; step < 3; ++step) count_launch(runtime, scale);  // widen, divide, narrow
  return inverse;
}

double read_back(Runtime& runtime, const Tensor& tensor) {
  ++runtime.counters().host_reads;
  wait_for_stream(runtime, tensor.device());
  return real_at(tensor, 0);
}

// Copies of a scalar.

Tensor Replicas::on(Runtime& runtime, Device device) {
  for (const auto& [known, copy] : copies_) {
    if (known == device) return copy;
  }
  const ToOptions options = {.device = device, .copy = true, .non_blocking = true};
  return copies_.emplace_back(device, to(runtime, master_, options)).second;
}

}  // namespace assay::reference
