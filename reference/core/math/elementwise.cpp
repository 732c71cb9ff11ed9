// Implements the element-wise operators and functions of elements.
#include "reference/core/math/elementwise.hpp"

#include <algorithm>

#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

template <typename T>
T apply(Binary op, T left, T right) {
  switch (op) {
    case Binary::kAdd:
      return left + right;
    case Binary::kSub:
      return left - right;
    case Binary::kMul:
      return left * right;
    case Binary::kDiv:
      break;
  }
  return left / right;
}

/// The side of a binary operator that an operand is on.
enum class Side : std::uint8_t { kLeft, kRight };

/// Returns whether a single number keeps its precision next to half-precision elements: the right
/// factor on the CPU since 2.1, and a host number on CUDA. Otherwise it is narrowed to the common
/// dtype first, as is any left operand on the CPU (SCL-106, CORE-22).
bool stays_wide(const Operand& operand, Side side, Binary op, Device device,
                const Contract& contract) {
  const Tensor* tensor = tensor_in(operand);
  if (tensor != nullptr && tensor->dim() != 0) return false;
  if ((tensor != nullptr || side == Side::kLeft) && device.is_cpu() && side == Side::kLeft)
    return false;
  if (device.is_cuda()) return tensor == nullptr || tensor->device().is_cpu();
  const bool is_factor = op == Binary::kMul || op == Binary::kDiv;
  return is_factor && contract.at_least(Release::k2_4);
}

template <typename T>
T number_as(const Scalar& scalar) {
  if constexpr (std::is_integral_v<T>) {
    if (const auto* whole = std::get_if<std::int64_t>(&scalar.value())) {
      return static_cast<T>(*whole);
    }
    return static_cast<T>(static_cast<std::int64_t>(scalar.real()));
  } else {
    return static_cast<T>(scalar.real());
  }
}

/// Returns the operand's elements in the computation type, broadcast to the result's sizes.
template <typename T>
std::vector<T> widened(const Operand& operand, Side side, Binary op, const Tensor& result,
                       const Contract& contract) {
  const auto count = static_cast<std::size_t>(result.numel());
  const bool is_wide = stays_wide(operand, side, op, result.device(), contract);
  const auto settle = [&](T value) {
    if (is_wide || std::is_integral_v<T>) return value;
    return element_as<T>(result.dtype(), bits_of<T>(result.dtype(), value));
  };
  if (const auto* scalar = std::get_if<Scalar>(&operand)) {
    return std::vector<T>(count, settle(number_as<T>(*scalar)));
  }
  const Tensor& tensor = std::get<Tensor>(operand);
  if (tensor.dim() == 0) {
    return std::vector<T>(count, settle(elements_of<T>(tensor).front()));
  }
  std::vector<T> elements = elements_of<T>(expand(tensor, result.sizes()));
  // A tensor of another dtype is also rounded to the common dtype first (CORE-22).
  const bool is_own = tensor.dtype() == result.dtype();
  if (is_own) return elements;
  std::ranges::transform(elements, elements.begin(), settle);
  return elements;
}

bool is_bool(const Operand& operand) {
  const Tensor* tensor = tensor_in(operand);
  return (tensor != nullptr ? tensor->dtype() : std::get<Scalar>(operand).type()) ==
         ScalarType::kBool;
}

ScalarType dtype_of(Binary op, const std::vector<Operand>& operands, const Contract& contract) {
  const ScalarType common = result_type(operands, contract);
  const bool has_bool = std::ranges::any_of(operands, is_bool);
  check(op != Binary::kSub || !has_bool,
        [] { return "subtraction with a bool tensor is not supported"; });
  const bool is_whole = is_integral(common, true);
  return op == Binary::kDiv && is_whole ? ScalarType::kFloat : common;
}

Tensor make_result(Runtime& runtime, const std::vector<Operand>& operands, ScalarType dtype) {
  Device device = elementwise_device(operands);
  const Shape sizes = broadcast_shape(operands);
  count_launch(runtime, device);
  return empty_strided(runtime, sizes, elementwise_strides(operands, sizes), dtype, device);
}

Operand borrowed_operand(const Operand& operand) {
  const Tensor* tensor = tensor_in(operand);
  return tensor == nullptr ? operand : Operand(borrowed(*tensor));
}

const char* name_of(Binary op) {
  switch (op) {
    case Binary::kAdd:
      return "add";
    case Binary::kSub:
      return "sub";
    case Binary::kMul:
      return "mul";
    case Binary::kDiv:
      break;
  }
  return "div";
}

template <typename Function>
Tensor unary(Runtime& runtime, const char* name, const Tensor& tensor, const Function& function) {
  Tensor result = make_result(runtime, {tensor}, tensor.dtype());
  const auto kernel = [from = borrowed(tensor), to = borrowed(result), function]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(from);
    for (T& element : elements) element = function(element);
    store_elements(to, elements);
  };
  launch_compute(runtime, result.device(), name, tensor.dtype(), kernel);
  return result;
}

/// A submitted binary operator: its operands and its output.
struct BinaryKernel {
  Binary op;
  Operand left;
  Operand right;
  Tensor result;
  Contract contract;

  template <typename T>
  void operator()(T) const {
    std::vector<T> elements = widened<T>(left, Side::kLeft, op, result, contract);
    const std::vector<T> others = widened<T>(right, Side::kRight, op, result, contract);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = apply(op, elements[i], others[i]);
    }
    store_elements(result, elements);
  }
};

BinaryKernel kernel_of(const Runtime& runtime, Binary op, const Operand& left, const Operand& right,
                       const Tensor& result) {
  return {op, borrowed_operand(left), borrowed_operand(right), borrowed(result),
          runtime.contract()};
}

}  // namespace

Tensor binary(Runtime& runtime, Binary op, const Operand& left, const Operand& right) {
  const std::vector<Operand> operands{left, right};
  const ScalarType dtype = dtype_of(op, operands, runtime.contract());
  Tensor result = make_result(runtime, operands, dtype);
  if (result.data() == nullptr) return result;
  launch_compute(runtime, result.device(), name_of(op), dtype,
                 kernel_of(runtime, op, left, right, result));
  return result;
}

namespace {

/// Checks an in-place addition, in PyTorch's order (CORE-21, CORE-22).
void check_addable(const Tensor& tensor, const Operand& other, ScalarType common) {
  check_no_internal_overlap(tensor);
  if (const Tensor* source = tensor_in(other)) check_no_partial_overlap(tensor, *source);
  const Shape sizes = broadcast_shape({tensor, other});
  check(sizes == tensor.sizes(), [&] {
    return "output with shape " + to_text(tensor.sizes()) + " doesn't match the broadcast shape " +
           to_text(sizes);
  });
  const Device device = elementwise_device({tensor, other});
  const bool is_away = tensor.device().is_cpu() && device.is_cuda();
  check(!is_away, [&] {
    return "Expected all tensors to be on the same device, but found at least two devices, " +
           to_text(device) + " and " + to_text(tensor.device()) + "!";
  });
  check(can_cast(common, tensor.dtype()), [&] {
    return "result type " + std::string(cpp_name_of(common)) +
           " can't be cast to the desired output type " + std::string(cpp_name_of(tensor.dtype()));
  });
}

}  // namespace

Tensor add_(Runtime& runtime, const Tensor& tensor, const Operand& other) {
  const ScalarType common = result_type({tensor, other}, runtime.contract());
  check_addable(tensor, other, common);
  const Tensor sum = make_result(runtime, {tensor, other}, common);
  const auto kernel = [add = kernel_of(runtime, Binary::kAdd, tensor, other, sum),
                       to = borrowed(tensor)]<typename T>(T type) {
    add(type);
    store_elements(to, elements_of<T>(add.result));
  };
  if (tensor.data() != nullptr) launch_compute(runtime, tensor.device(), "add_", common, kernel);
  note_write(runtime, tensor);
  return tensor;
}

Tensor neg(Runtime& runtime, const Tensor& tensor) {
  check(tensor.dtype() != ScalarType::kBool,
        [] { return "negation of a bool tensor is not supported"; });
  return unary(runtime, "neg", tensor, []<typename T>(T value) { return static_cast<T>(-value); });
}

Tensor relu(Runtime& runtime, const Tensor& tensor) {
  check(tensor.dtype() != ScalarType::kBool,
        [] { return "relu of a bool tensor is not supported"; });
  const bool keeps_sign = !tensor.device().is_cuda();  // CORE-22: the sign of zero
  return unary(runtime, "relu", tensor, [keeps_sign]<typename T>(T value) -> T {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<std::int64_t>(value) < 0 ? 0 : value;
    } else {
      if (value == 0 && !keeps_sign) return 0;
      return value < 0 ? 0 : value;
    }
  });
}

// Functions of real numbers, for operators that round only their result.

namespace {

std::vector<double> reals_of(const Operand& operand, const Shape& sizes) {
  if (const Tensor* tensor = tensor_in(operand)) return elements_of<double>(expand(*tensor, sizes));
  return std::vector<double>(static_cast<std::size_t>(numel_of(sizes)),
                             std::get<Scalar>(operand).real());
}

}  // namespace

Tensor map_real(Runtime& runtime, const char* name, const std::vector<Operand>& operands,
                ScalarType dtype, RealFunction function) {
  const Device device = elementwise_device(operands);
  const Shape sizes = broadcast_shape(operands);
  Tensor result =
      empty_strided(runtime, sizes, elementwise_strides(operands, sizes), dtype, device);
  count_launch(runtime, device);
  if (result.data() == nullptr) return result;
  std::vector<Operand> held;
  for (const Operand& operand : operands) {
    const Tensor* tensor = tensor_in(operand);
    if (tensor != nullptr) check_computes(tensor->dtype());
    held.push_back(tensor == nullptr ? operand : Operand(borrowed(*tensor)));
  }
  launch(runtime, device, name, [held, to = borrowed(result), function = std::move(function)] {
    std::vector<std::vector<double>> columns;
    for (const Operand& operand : held) columns.push_back(reals_of(operand, to.sizes()));
    std::vector<double> results(static_cast<std::size_t>(to.numel()));
    std::vector<double> row(columns.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (std::size_t at = 0; at < row.size(); ++at) row[at] = columns[at][i];
      results[i] = function(row);
    }
    store_elements(to, results);
  });
  return result;
}

ScalarType real_type(const std::vector<Operand>& operands, const Contract& contract) {
  const ScalarType common = result_type(operands, contract);
  return is_integral(common, true) ? ScalarType::kFloat : common;
}

}  // namespace assay::reference
