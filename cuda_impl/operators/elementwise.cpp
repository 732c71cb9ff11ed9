// Implements the element-wise operators.
#include "cuda_impl/operators/elementwise.hpp"

#include <array>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

struct Formula {
  Arithmetic arithmetic;
  Release release = kNewestRelease;
  Number factor{1, 1};

  /// CORE-22: beside half types, a CPU narrows a summand to their
  /// dtype and, before 2.x, a factor too. Since 2.x the right factor
  /// keeps its precision, whether it is a tensor or a number.
  bool narrows_right(const Tensor& result) const {
    if (!result.device().is_cpu() || !is_half(result.dtype())) return false;
    return arithmetic == Arithmetic::kSum || release == Release::k1_13;
  }
  static bool narrows_left(const Tensor& result) {
    return result.device().is_cpu() && is_half(result.dtype());
  }
};

bool is_bool(const Operand& operand) {
  return operand.is_tensor() ? operand.tensor().dtype() == Dtype::kBool
                             : operand.scalar().is<bool>();
}

bool is_whole(Dtype dtype) { return facts(dtype).is_integral || dtype == Dtype::kBool; }

/// Also accepts numbers that have no dtype of their own.
Number number_of(const Scalar& scalar) {
  return converted_operand(scalar, Dtype::kFloat64, kCpu).number;
}

void run(const ElementwiseTask& task, Device device) {
  if (!device.is_cuda()) return on_host::elementwise(task);
  const DeviceScope scope(device.index);
  launch_elementwise(task);
}

/// Writes to `result`, whose dtype is the computation's.
void compute(const Tensor& result, const Formula& formula, const Operand& left,
             const Operand& right) {
  if (result.numel() == 0 || result.is_meta()) return;
  ConvertedOperand a = converted_operand(left, result.dtype(), result.device());
  ConvertedOperand b = converted_operand(right, result.dtype(), result.device());
  if (Formula::narrows_left(result)) a.number = narrowed(a.number, result.dtype());
  if (formula.narrows_right(result)) b.number = narrowed(b.number, result.dtype());
  run({formula.arithmetic,
       result.dtype(),
       {result.data(), a.tensor.data(), b.tensor.data()},
       walk_of(result, a.tensor.defined() ? &a.tensor : nullptr,
               b.tensor.defined() ? &b.tensor : nullptr),
       a.number,
       b.number,
       formula.factor},
      result.device());
}

Dtype common_of(const Formula& formula, const std::array<Operand, 2>& operands) {
  const Dtype common = result_type(operands);
  require(!facts(common).is_complex && !facts(common).is_quantized, ErrorKind::kNotImplemented,
          [&] { return "no arithmetic in " + std::string(facts(common).name); });
  const bool divides = formula.arithmetic == Arithmetic::kQuotient;
  return divides && is_whole(common) ? Dtype::kFloat32 : common;
}

Tensor binary(const Formula& formula, const Operand& left, const Operand& right) {
  const std::array operands{left, right};
  require(left.is_tensor() || right.is_tensor(), ErrorKind::kType,
          [] { return "an operator needs one tensor at least, but got two numbers"; });
  const Device device = elementwise_device(operands);
  const Shape sizes = broadcast_sizes(operands);
  const Tensor result = empty_strided(sizes, elementwise_strides(operands, sizes),
                                      common_of(formula, operands), device);
  compute(result, formula, left, right);
  return result;
}

/// The operator's own number is not an operand: the result has the layout of the tensor.
Tensor unary(const Formula& formula, const Tensor& tensor, const Scalar& own) {
  const std::array operands{Operand(tensor), Operand(own)};
  const Shape strides = elementwise_strides(std::span(operands).first(1), tensor.sizes());
  const Tensor result =
      empty_strided(tensor.sizes(), strides, common_of(formula, operands), tensor.device());
  compute(result, formula, tensor, own);
  return result;
}

void require_writable(const Tensor& target, const std::array<Operand, 2>& operands, Dtype common) {
  require(can_cast(common, target.dtype()), [&] {
    return "result type " + std::string(facts(common).cpp_name) +
           " can't be cast to the desired output type " +
           std::string(facts(target.dtype()).cpp_name);
  });
  const Shape sizes = broadcast_sizes(operands);
  require(sizes == target.sizes(), [&] {
    return "output with shape " + to_text(target.sizes()) + " doesn't match the broadcast shape " +
           to_text(sizes);
  });
  require_own_elements(target);
  if (operands[1].is_tensor()) require_no_partial_overlap(target, operands[1].tensor());
}

/// A 0-dim CPU target does not accept a device operand.
void require_at_home(const Tensor& target, const std::array<Operand, 2>& operands) {
  const Device device = elementwise_device(operands);
  require(device == target.device(), [&] {
    return "Expected all tensors to be on the same device, but found at least two devices, " +
           to_text(target.device()) + " and " + to_text(device) + "!";
  });
}

void binary_(const Formula& formula, const Tensor& target, const Operand& other) {
  const std::array<Operand, 2> operands{target, other};
  const Dtype common = common_of(formula, operands);
  require_at_home(target, operands);
  require_writable(target, operands, common);
  if (common == target.dtype()) {
    const bool is_tensor = other.is_tensor();
    compute(target, formula, target,
            is_tensor ? Operand(read_before(target, other.tensor())) : other);
  } else {
    copy_elements(target, binary(formula, target, other));
  }
  target.bump_version();
}

void require_no_bool(const Operand& operand, std::string_view what) {
  require(!is_bool(operand), [&] { return std::string(what) + " of a bool is not supported"; });
}

void require_subtractable(const Operand& left, const Operand& right) {
  require(!is_bool(left) && !is_bool(right),
          [] { return "Subtraction, the `-` operator, with a bool tensor is not supported."; });
}

/// Raises unless the factor fits the dtype of the result (CORE-22).
void require_factor(const Scalar& alpha, const Operand& left, const Operand& right) {
  const Dtype common = result_type(std::array{left, right});
  require(!alpha.is<bool>() || common == Dtype::kBool,
          [] { return "Boolean alpha only supported for Boolean results."; });
  require(!is_whole(common) || alpha.is<bool>() || alpha.is<std::int64_t>(), [] {
    return "For integral input tensors, argument alpha must not be a floating point number.";
  });
}

Formula plus(const Scalar& factor) { return {Arithmetic::kSum, kNewestRelease, number_of(factor)}; }
Formula minus(const Scalar& factor) { return plus(negated(factor)); }

}  // namespace

Tensor add(const Operand& left, const Operand& right, const Scalar& alpha) {
  require_factor(alpha, left, right);
  return binary(plus(alpha), left, right);
}

Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha) {
  require_subtractable(left, right);
  require_factor(alpha, left, right);
  return binary(minus(alpha), left, right);
}

Tensor mul(const Operand& left, const Operand& right, Release release) {
  return binary({Arithmetic::kProduct, release}, left, right);
}

Tensor div(const Operand& left, const Operand& right, Release release) {
  return binary({Arithmetic::kQuotient, release}, left, right);
}

void add_(const Tensor& target, const Operand& other, const Scalar& alpha) {
  binary_(plus(alpha), target, other);
}

void sub_(const Tensor& target, const Operand& other, const Scalar& alpha) {
  require_subtractable(target, other);
  binary_(minus(alpha), target, other);
}

void mul_(const Tensor& target, const Operand& other, Release release) {
  binary_({Arithmetic::kProduct, release}, target, other);
}

Tensor neg(const Tensor& tensor) {
  require_no_bool(tensor, "Negation, the `-` operator,");
  return unary({Arithmetic::kProduct}, tensor, Scalar(-1));
}

Tensor relu(const Tensor& tensor) {
  require_no_bool(tensor, "relu");
  const bool on_cuda = tensor.device().is_cuda();
  return unary({on_cuda ? Arithmetic::kReluOnCuda : Arithmetic::kRelu}, tensor, Scalar(0));
}

Tensor squared_difference(const Tensor& left, const Tensor& right) {
  return binary({Arithmetic::kSquaredDifference}, left, right);
}

Tensor where_above_zero(const Tensor& tensor, const Tensor& gate) {
  return binary({Arithmetic::kWhereAboveZero}, tensor, gate);
}

Tensor square_root(const Tensor& tensor) {
  return unary({Arithmetic::kSquareRoot}, tensor, Scalar(0));
}

}  // namespace assay::cuda
