// Reads boxed arguments, and calls operators by name.
#include "reference/operators/call.hpp"

#include "reference/core/math/reduce.hpp"
#include "reference/core/tensor/geometry.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {
namespace {

void append_tensors(const IValue& value, std::vector<Tensor>& found) {
  if (const auto* tensor = std::get_if<Tensor>(&value.payload())) return found.push_back(*tensor);
  const auto* list = std::get_if<IValue::ListPtr>(&value.payload());
  if (list == nullptr) return;
  for (const IValue& item : **list) append_tensors(item, found);
}

}  // namespace

ScalarType dtype_numbered(std::int64_t number, Release release) {
  for (int i = 0; i < kScalarTypes; ++i) {
    const auto type = static_cast<ScalarType>(i);
    if (exists_in(type, release) && number_of(type, release) == number) return type;
  }
  throw Error("there is no dtype of number " + std::to_string(number));
}

Tensor BoxedArguments::tensor(std::size_t at) const {
  return is_none(at) ? Tensor{} : values_.at(at).to_tensor();
}

std::vector<Tensor> BoxedArguments::tensors(std::size_t at) const {
  values_.at(at).expect_kind("List");
  std::vector<Tensor> found;
  append_tensors(values_.at(at), found);
  return found;
}

bool BoxedArguments::boolean(std::size_t at) const {
  values_.at(at).expect_kind("Bool");
  return std::get<bool>(values_.at(at).payload());
}

std::vector<std::int64_t> BoxedArguments::integers(std::size_t at) const {
  if (is_none(at)) return {};
  if (values_.at(at).kind() == "Int") return {integer(at)};
  values_.at(at).expect_kind("List");
  std::vector<std::int64_t> found;
  for (const IValue& item : *std::get<IValue::ListPtr>(values_.at(at).payload())) {
    found.push_back(item.to_int());
  }
  return found;
}

std::optional<ScalarType> BoxedArguments::dtype(std::size_t at) const {
  if (is_none(at)) return std::nullopt;
  return dtype_numbered(integer(at), release_);
}

std::vector<Tensor> BoxedArguments::all_tensors() const {
  std::vector<Tensor> found;
  for (const IValue& value : values_) append_tensors(value, found);
  return found;
}

BoxedArguments take_arguments(const OperatorHandle& op, Stack& stack) {
  const auto count = static_cast<std::ptrdiff_t>(op.schema().arguments.size());
  std::vector<IValue> values(std::make_move_iterator(stack.end() - count),
                             std::make_move_iterator(stack.end()));
  stack.erase(stack.end() - count, stack.end());
  return {std::move(values), op.dispatcher().runtime().contract().release};
}

// Calls by name.

Stack with_defaults(const FunctionSchema& schema, Stack args) {
  for (std::size_t i = args.size(); i < schema.arguments.size(); ++i) {
    const SchemaArgument& argument = schema.arguments[i];
    check(argument.default_value.has_value(), ErrorKind::kType, [&] {
      return to_text(schema.name) + "() is missing a value for the argument '" + argument.name +
             "'";
    });
    args.push_back(*argument.default_value);
  }
  return args;
}

Stack call_op(Dispatcher& dispatcher, std::string_view name, Stack args) {
  const OperatorHandle op = dispatcher.op(name);
  return dispatcher.call(op, with_defaults(op.schema(), std::move(args)));
}

Tensor call_tensor(Dispatcher& dispatcher, std::string_view name, Stack args) {
  return call_op(dispatcher, name, std::move(args)).back().to_tensor();
}

IValue boxed(const std::vector<std::int64_t>& values) {
  IValue::List list;
  for (const std::int64_t value : values) list.emplace_back(value);
  return IValue(std::make_shared<IValue::List>(std::move(list)));
}

IValue boxed(const std::vector<Tensor>& values) {
  IValue::List list;
  for (const Tensor& value : values) list.emplace_back(value);
  return IValue(std::make_shared<IValue::List>(std::move(list)));
}

void broadcast_loss(Dispatcher& dispatcher, IValue& input, IValue& target) {
  const Shape given = input.to_tensor().sizes();
  if (given == target.to_tensor().sizes()) return;
  warn_of_target_size(dispatcher.runtime(), input.to_tensor(), target.to_tensor());
  const Shape sizes = broadcast_shapes(given, target.to_tensor().sizes());
  for (IValue* operand : {&input, &target}) {
    if (operand->to_tensor().sizes() == sizes) continue;
    *operand =
        IValue(call_tensor(dispatcher, "aten::expand", {*operand, boxed(sizes), IValue(false)}));
  }
}

IValue boxed_or_none(const Tensor& tensor) { return tensor.defined() ? IValue(tensor) : IValue(); }

}  // namespace assay::reference
