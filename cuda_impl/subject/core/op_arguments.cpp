// Reads the arguments of an operator, and pushes them on a stack for the dispatcher.
#include "cuda_impl/subject/core/op_arguments.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {
namespace {

[[noreturn]] void refuse(std::string_view keyword, std::string_view wanted, const Value& got) {
  throw Error(ErrorKind::kType, "argument '" + std::string(keyword) + "' must be " +
                                    std::string(wanted) + ", not " + std::string(kind_of(got)));
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.get_if<List>()) return &list->items;
  if (const auto* tuple = value.get_if<Tuple>()) return &tuple->items;
  return nullptr;
}

}  // namespace

OpArguments::OpArguments(Call& call) : call_(call), positional_(call.arguments().items("args")) {
  if (call.is_none("kwargs")) return;
  keywords_ = call.arguments().value("kwargs").get_if<Dict>();
  if (keywords_ == nullptr) throw InvalidArgument("core.op: 'kwargs' must be a dict");
}

const Value* OpArguments::keyword_value(std::string_view keyword) {
  if (keywords_ == nullptr) return nullptr;
  for (const auto& [key, value] : keywords_->items) {
    const auto* name = key.get_if<std::string>();
    // `input` in PyTorch's functions is `self` in its operators.
    const bool is_it =
        name != nullptr && (*name == keyword || (keyword == "self" && *name == "input"));
    if (is_it) return &value;
  }
  return nullptr;
}

const Value* OpArguments::next(std::string_view keyword) {
  const Value* found = nullptr;
  if (next_ < positional_.size()) {
    found = &positional_[next_++];
  } else if ((found = keyword_value(keyword)) != nullptr) {
    ++keywords_read_;
  }
  return found == nullptr || found->is_none() ? nullptr : found;
}

const Value& OpArguments::required(std::string_view keyword) {
  const Value* found = next(keyword);
  require(found != nullptr, ErrorKind::kType,
          [&] { return "missing the argument '" + std::string(keyword) + "'"; });
  return *found;
}

Tensor OpArguments::made(const Value& value) {
  return taken_.emplace_back(call_.tensor_from(value));
}

Operand OpArguments::operand(std::string_view keyword) {
  const Value& found = required(keyword);
  if (const auto number = scalar_from(found)) return *number;
  return made(found);
}

Tensor OpArguments::tensor(std::string_view keyword) {
  const Value& found = required(keyword);
  if (scalar_from(found)) refuse(keyword, "a tensor", found);
  return made(found);
}

Tensor OpArguments::tensor_or_none(std::string_view keyword) {
  const Value* found = next(keyword);
  return found == nullptr ? Tensor() : made(*found);
}

std::vector<Tensor> OpArguments::tensors(std::string_view keyword) {
  const Value& found = required(keyword);
  const auto* items = items_of(found);
  if (items == nullptr) refuse(keyword, "a list of tensors", found);
  std::vector<Tensor> result;
  for (const Value& item : *items) result.push_back(made(item));
  return result;
}

Scalar OpArguments::scalar(std::string_view keyword, Scalar fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  const auto number = scalar_from(*found);
  if (!number) refuse(keyword, "a number", *found);
  return *number;
}

std::int64_t OpArguments::integer(std::string_view keyword, std::int64_t fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  const auto* number = found->get_if<std::int64_t>();
  if (number == nullptr) refuse(keyword, "an int", *found);
  return *number;
}

std::int64_t OpArguments::integer(std::string_view keyword) {
  const Value& found = required(keyword);
  const auto* number = found.get_if<std::int64_t>();
  if (number == nullptr) refuse(keyword, "an int", found);
  return *number;
}

double OpArguments::real(std::string_view keyword, double fallback) {
  return scalar(keyword, fallback).real();
}

bool OpArguments::boolean(std::string_view keyword, bool fallback) {
  const Value* found = next(keyword);
  if (found == nullptr) return fallback;
  const auto* truth = found->get_if<bool>();
  if (truth == nullptr) refuse(keyword, "a bool", *found);
  return *truth;
}

std::optional<Shape> OpArguments::integers(std::string_view keyword) {
  const Value* found = next(keyword);
  return found == nullptr ? std::nullopt : std::optional(shape_of(keyword, *found));
}

Shape OpArguments::required_integers(std::string_view keyword) {
  return shape_of(keyword, required(keyword));
}

Shape OpArguments::shape_of(std::string_view keyword, const Value& value) const {
  if (const auto* number = value.get_if<std::int64_t>()) return Shape{*number};
  const auto* items = items_of(value);
  if (items == nullptr) refuse(keyword, "a list of ints", value);
  Shape result;
  for (const Value& item : *items) {
    const auto* number = item.get_if<std::int64_t>();
    if (number == nullptr) refuse(keyword, "a list of ints", value);
    result.push_back(*number);
  }
  return result;
}

std::optional<Dtype> OpArguments::dtype(std::string_view keyword) {
  const Value* found = next(keyword);
  if (found == nullptr) return std::nullopt;
  const auto* named = found->get_if<assay::Dtype>();
  if (named == nullptr) refuse(keyword, "a dtype", *found);
  return from_waist(*named);
}

std::optional<std::string> OpArguments::text(std::string_view keyword) {
  const Value* found = next(keyword);
  if (found == nullptr) return std::nullopt;
  const auto* word = found->get_if<std::string>();
  if (word == nullptr) refuse(keyword, "a text", *found);
  return *word;
}

Reduction OpArguments::reduction() {
  const std::string word = text("reduction").value_or("mean");
  if (word == "none") return Reduction::kNone;
  if (word == "sum") return Reduction::kSum;
  require(word == "mean", ErrorKind::kValue,
          [&] { return word + " is not a valid value for reduction"; });
  return Reduction::kMean;
}

void OpArguments::done() const {
  if (next_ < positional_.size()) {
    throw NotSupported("core.op: " + std::to_string(positional_.size()) +
                       " positional arguments are more than are known here");
  }
  const std::size_t keywords = keywords_ == nullptr ? 0 : keywords_->items.size();
  if (keywords_read_ < keywords) throw NotSupported("core.op: a keyword that is not known here");
}

// Calls through the client's dispatcher.

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

const char* push_sum(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  const std::optional<Shape> dims = given.integers("dim");
  const bool keepdim = given.boolean("keepdim", false);
  const bool is_whole = !dims && !keepdim;
  if (!is_whole) stack.push_back(list_of(dims.value_or(Shape())));
  if (!is_whole) stack.emplace_back(keepdim);
  stack.push_back(optional_dtype(given));
  return is_whole ? "aten::sum" : "aten::sum.dim_IntList";
}

/// The overload with a dtype has no cast rule.
const char* push_norm(OpArguments& given, Stack& stack) {
  stack.emplace_back(given.tensor("self"));
  stack.emplace_back(given.real("p", 2));
  const std::optional<Shape> dims = given.integers("dim");
  const bool keepdim = given.boolean("keepdim", false);
  const bool is_whole = !dims && !keepdim;
  if (!is_whole) stack.push_back(list_of(dims.value_or(Shape())));
  if (!is_whole) stack.emplace_back(keepdim);
  Boxed dtype = optional_dtype(given);
  if (dtype.is_none()) return is_whole ? "aten::norm.Scalar" : "aten::norm.ScalarOpt_dim";
  stack.push_back(std::move(dtype));
  return is_whole ? "aten::norm.ScalarOpt_dtype" : "aten::norm.ScalarOpt_dim_dtype";
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

constexpr auto kListed = std::to_array<std::pair<std::string_view, Push>>({
    {"mm", push_mm},
    {"bmm", push_bmm},
    {"mv", push_mv},
    {"dot", push_dot},
    {"matmul", push_matmul},
    {"addmm", push_addmm},
    {"linear", push_linear},
    {"conv1d", push_conv1d},
    {"sum", push_sum},
    {"norm", push_norm},
    {"softmax", push_softmax},
    {"layer_norm", push_layer_norm},
    {"mse_loss", push_mse_loss},
    {"cat", push_cat},
    {"stack", push_stack},
});

}  // namespace

std::optional<Tensor> call_through_dispatcher(Call& call, std::string_view name,
                                              OpArguments& given) {
  const auto listed = std::ranges::find(kListed, name, &std::pair<std::string_view, Push>::first);
  if (listed == kListed.end()) return std::nullopt;
  Stack stack;
  const char* const op = listed->second(given, stack);
  const auto dispatcher = call.dispatcher_with_operators();
  call_boxed(dispatcher->find_schema(dispatch::parse_name(op, call.contract())), stack);
  return std::move(stack.back().tensor());
}

}  // namespace assay::cuda
