// Area core: the operators that compute, called through the dispatcher.
#include <memory>
#include <unordered_map>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/core/op_arguments.hpp"

namespace assay::cuda {
namespace {

using dispatch::Stack;

/// Pushes the arguments in schema order and returns the overload to call.
using Push = const char* (*)(OpArguments& given, Stack& stack);

Boxed optional_tensor(const Tensor& tensor) { return tensor.defined() ? Boxed(tensor) : Boxed(); }

Boxed list_of(const Shape& numbers) {
  auto items = std::make_shared<BoxedItems>();
  for (const std::int64_t number : numbers) items->items.emplace_back(number);
  return Boxed(std::move(items));
}

Boxed list_of(const std::vector<Tensor>& tensors) {
  return dispatch::Boxing<std::vector<Tensor>>::box(tensors, kNewestRelease);
}

Boxed optional_dtype(OpArguments& given) {
  const std::optional<Dtype> dtype = given.dtype("dtype");
  return dtype ? Boxed(number_of(*dtype, given.release())) : Boxed();
}

/// Pushes a tensor, and another tensor or a number; true for a tensor.
bool push_with_other(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  const Operand other = given.operand("other");
  stack.push_back(other.is_tensor() ? Boxed(other.tensor()) : Boxed(other.scalar()));
  return other.is_tensor();
}

/// Pushes two tensors, by PyTorch's argument names.
void push_two(OpArguments& given, Stack& stack, const char* second) {
  stack.emplace_back(given.tensor("self"));
  stack.emplace_back(given.tensor(second));
}

const char* push_mm(OpArguments& given, Stack& stack) {
  push_two(given, stack, "mat2");
  return "aten::mm";
}
const char* push_bmm(OpArguments& given, Stack& stack) {
  push_two(given, stack, "mat2");
  return "aten::bmm";
}
const char* push_mv(OpArguments& given, Stack& stack) {
  push_two(given, stack, "vec");
  return "aten::mv";
}
const char* push_dot(OpArguments& given, Stack& stack) {
  push_two(given, stack, "tensor");
  return "aten::dot";
}
const char* push_matmul(OpArguments& given, Stack& stack) {
  push_two(given, stack, "other");
  return "aten::matmul";
}

const char* push_addmm(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  stack.emplace_back(given.tensor("mat1"));
  stack.emplace_back(given.tensor("mat2"));
  stack.emplace_back(given.scalar("beta", 1));
  stack.emplace_back(given.scalar("alpha", 1));
  return "aten::addmm";
}

const char* push_linear(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("input"));
  stack.emplace_back(given.tensor("weight"));
  stack.push_back(optional_tensor(given.tensor_or_none("bias")));
  return "aten::linear";
}

const char* push_conv1d(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("input"));
  stack.emplace_back(given.tensor("weight"));
  stack.push_back(optional_tensor(given.tensor_or_none("bias")));
  stack.push_back(list_of(given.integers("stride").value_or(Shape{1})));
  stack.push_back(list_of(given.integers("padding").value_or(Shape{0})));
  stack.push_back(list_of(given.integers("dilation").value_or(Shape{1})));
  stack.emplace_back(given.integer("groups", 1));
  return "aten::conv1d";
}

/// Pushes dimensions and whether they are kept, unless neither is given; false for neither.
bool push_dims(OpArguments& given, Stack& stack) {
  const std::optional<Shape> dims = given.integers("dim");
  const bool keepdim = given.boolean("keepdim", false);
  if (!dims && !keepdim) return false;
  stack.push_back(list_of(dims.value_or(Shape())));
  stack.emplace_back(keepdim);
  return true;
}

const char* push_sum(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  const bool has_dims = push_dims(given, stack);
  stack.push_back(optional_dtype(given));
  return has_dims ? "aten::sum.dim_IntList" : "aten::sum";
}

const char* push_mean(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  const bool has_dims = push_dims(given, stack);
  stack.push_back(optional_dtype(given));
  return has_dims ? "aten::mean.dim" : "aten::mean";
}

/// The overload with a dtype has no cast rule.
const char* push_norm(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  stack.emplace_back(given.real("p", 2));
  const bool has_dims = push_dims(given, stack);
  Boxed dtype = optional_dtype(given);
  if (dtype.is_none()) return has_dims ? "aten::norm.ScalarOpt_dim" : "aten::norm.Scalar";
  stack.push_back(std::move(dtype));
  return has_dims ? "aten::norm.ScalarOpt_dim_dtype" : "aten::norm.ScalarOpt_dtype";
}

const char* push_softmax(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  stack.emplace_back(given.integer("dim"));
  stack.push_back(optional_dtype(given));
  return "aten::softmax.int";
}

const char* push_layer_norm(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("input"));
  stack.push_back(list_of(given.required_integers("normalized_shape")));
  stack.push_back(optional_tensor(given.tensor_or_none("weight")));
  stack.push_back(optional_tensor(given.tensor_or_none("bias")));
  stack.emplace_back(given.real("eps", 1e-5));
  stack.emplace_back(true);
  return "aten::layer_norm";
}

const char* push_mse_loss(OpArguments& given, Stack& stack) {
  const Tensor input = given.tensor("input");
  const auto operands = autograd::mse_operands(input, given.tensor("target"));
  stack.emplace_back(operands.input);
  stack.emplace_back(operands.target);
  stack.emplace_back(static_cast<std::int64_t>(given.reduction()));
  return "aten::mse_loss";
}

const char* push_cat(OpArguments& given, Stack& stack) {
  stack.push_back(list_of(given.tensors("tensors")));
  stack.emplace_back(given.integer("dim", 0));
  return "aten::cat";
}
const char* push_stack(OpArguments& given, Stack& stack) {
  push_cat(given, stack);
  return "aten::stack";
}

const char* push_add(OpArguments& given, Stack& stack) {
  const bool is_tensor = push_with_other(given, stack);
  stack.emplace_back(given.scalar("alpha", 1));
  return is_tensor ? "aten::add.Tensor" : "aten::add.Scalar";
}
const char* push_sub(OpArguments& given, Stack& stack) {
  const bool is_tensor = push_with_other(given, stack);
  stack.emplace_back(given.scalar("alpha", 1));
  return is_tensor ? "aten::sub.Tensor" : "aten::sub.Scalar";
}
const char* push_mul(OpArguments& given, Stack& stack) {
  return push_with_other(given, stack) ? "aten::mul.Tensor" : "aten::mul.Scalar";
}
const char* push_div(OpArguments& given, Stack& stack) {
  return push_with_other(given, stack) ? "aten::div.Tensor" : "aten::div.Scalar";
}

template <const char* kOverload>
const char* push_one(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  return kOverload;
}
constexpr char kNeg[] = "aten::neg";
constexpr char kRelu[] = "aten::relu";
constexpr char kMax[] = "aten::max";
constexpr char kAny[] = "aten::any";
constexpr char kT[] = "aten::t";

const char* push_reshape(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  stack.push_back(list_of(given.integers("shape").value_or(Shape())));
  return "aten::reshape";
}

Push push_of(const std::string& name) {
  static const std::unordered_map<std::string, Push> operators{{"add", push_add},
                                                               {"sub", push_sub},
                                                               {"mul", push_mul},
                                                               {"div", push_div},
                                                               {"neg", push_one<kNeg>},
                                                               {"relu", push_one<kRelu>},
                                                               {"mm", push_mm},
                                                               {"bmm", push_bmm},
                                                               {"mv", push_mv},
                                                               {"dot", push_dot},
                                                               {"matmul", push_matmul},
                                                               {"addmm", push_addmm},
                                                               {"linear", push_linear},
                                                               {"conv1d", push_conv1d},
                                                               {"sum", push_sum},
                                                               {"mean", push_mean},
                                                               {"norm", push_norm},
                                                               {"max", push_one<kMax>},
                                                               {"any", push_one<kAny>},
                                                               {"softmax", push_softmax},
                                                               {"layer_norm", push_layer_norm},
                                                               {"mse_loss", push_mse_loss},
                                                               {"cat", push_cat},
                                                               {"stack", push_stack},
                                                               {"t", push_one<kT>},
                                                               {"reshape", push_reshape}};
  const auto found = operators.find(name);
  if (found == operators.end()) {
    throw NotSupported("core.op: there is no operator '" + name + "' here");
  }
  return found->second;
}

/// ATen has no operator with a number on the left of a tensor.
std::optional<Tensor> with_number_first(const std::string& name, OpArguments& given) {
  const bool is_sum = name == "add" || name == "sub";
  if (!is_sum && name != "mul" && name != "div") return std::nullopt;
  const std::optional<Scalar> number = given.number_first();
  if (!number) return std::nullopt;
  const Tensor other = given.tensor("other");
  const Scalar alpha = is_sum ? given.scalar("alpha", 1) : Scalar(1);
  if (name == "add") return autograd::add(*number, other, alpha);
  if (name == "sub") return autograd::sub(*number, other, alpha);
  if (name == "mul") return autograd::mul(*number, other, given.release());
  return autograd::div(*number, other, given.release());
}

Tensor through_dispatcher(Call& call, const std::string& name, OpArguments& given) {
  Stack stack;
  const char* const op = push_of(name)(given, stack);
  given.done();
  const auto dispatcher = call.dispatcher();
  call_boxed(dispatcher->find_schema(dispatch::parse_name(op, call.contract())), stack);
  return std::move(stack.back().tensor());
}

}  // namespace

void core_op(Call& call) {
  const std::string name = call.arguments().text("name");
  OpArguments given(call);
  const std::optional<Tensor> made = with_number_first(name, given);
  if (made) given.done();
  call.result(made ? *made : through_dispatcher(call, name, given));
}

void core_add_(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Value& other = call.arguments().value("other");
  const auto number = scalar_from(other);
  add_(tensor, number ? Operand(*number) : Operand(call.tensor_from(other)));
  call.result(tensor);
}

}  // namespace assay::cuda
