// Results of operators that compute nothing.
#include "reference/operators/recording.hpp"

#include <algorithm>
#include <array>

#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/boxed_arguments.hpp"

namespace assay::reference {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_among(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Functions of real numbers: integers become float32.
bool is_real_function(std::string_view name) {
  return is_among(
      name, {"aten::acos", "aten::asin", "aten::atan2", "aten::cosh", "aten::erfinv", "aten::exp",
             "aten::expm1", "aten::log", "aten::log10", "aten::log1p", "aten::log2",
             "aten::reciprocal", "aten::rsqrt", "aten::sinh", "aten::tan"});
}

bool is_comparison(std::string_view name) {
  return is_among(name, {"aten::eq", "aten::ge", "aten::gt", "aten::le", "aten::lt", "aten::ne"});
}

/// Integers are added and multiplied as int64.
bool is_accumulation(std::string_view name) {
  return is_among(name, {"aten::sum", "aten::prod", "aten::cumsum", "aten::cumprod"});
}

/// The dtype that the call asks for.
std::optional<ScalarType> asked_dtype(const FunctionSchema& schema, const BoxedArguments& args) {
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].name == "dtype") return args.dtype(i);
  }
  return std::nullopt;
}

/// Lists of optional tensors are indices; they say nothing about the result.
std::vector<Operand> operands_of(const FunctionSchema& schema, const BoxedArguments& args) {
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (to_text(schema.arguments[i].type) == "Tensor?[]") continue;
    const BoxedArguments one({args[i]}, Release::k2_11);
    for (const Tensor& tensor : one.all_tensors()) {
      if (tensor.defined()) operands.emplace_back(tensor);
    }
  }
  return operands;
}

ScalarType result_dtype(const FunctionSchema& schema, const BoxedArguments& args,
                        const Contract& contract) {
  if (const auto asked = asked_dtype(schema, args)) return *asked;
  const std::vector<Operand> operands = operands_of(schema, args);
  if (operands.empty()) return ScalarType::kFloat;
  if (is_comparison(schema.name.name)) return ScalarType::kBool;
  const ScalarType common = result_type(operands, contract);
  if (!is_integral(common, true)) return common;
  if (is_real_function(schema.name.name)) return ScalarType::kFloat;
  return is_accumulation(schema.name.name) ? ScalarType::kLong : common;
}

/// One more tensor like the first argument.
Tensor tensor_like(Runtime& runtime, const std::vector<Operand>& operands, ScalarType dtype) {
  if (operands.empty()) return empty(runtime, {}, dtype, kCpuDevice);
  const Tensor& first = std::get<Tensor>(operands.front());
  if (has_no_data(first)) return without_data(first, dtype);
  const Tensor made = empty(runtime, first.sizes(), dtype, first.device());
  made.impl()->key_set = first.impl()->key_set;
  return made;
}

IValue result_of(const SchemaType& type, Runtime& runtime, const std::vector<Operand>& operands,
                 ScalarType dtype) {
  switch (type.kind) {
    case TypeKind::kTensor:
      return IValue(tensor_like(runtime, operands, dtype));
    case TypeKind::kBool:
      return IValue(true);
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return IValue(std::int64_t{0});
    case TypeKind::kFloat:
    case TypeKind::kScalar:
      return IValue(0.0);
    case TypeKind::kList: {
      IValue::List items{result_of(type.items.front(), runtime, operands, dtype)};
      return IValue(std::make_shared<IValue::List>(std::move(items)));
    }
    default:
      return IValue();
  }
}

}  // namespace

Kernel recording_kernel() {
  return Kernel::boxed([](const OperatorHandle& op, KeySet, Stack& stack) {
    const FunctionSchema schema = op.schema();
    Runtime& runtime = op.dispatcher().runtime();
    const BoxedArguments args = take_arguments(op, stack);
    const ScalarType dtype = result_dtype(schema, args, runtime.contract());
    const std::vector<Operand> operands = operands_of(schema, args);
    for (const SchemaArgument& returned : schema.returns) {
      stack.push_back(result_of(returned.type, runtime, operands, dtype));
    }
  });
}

}  // namespace assay::reference
