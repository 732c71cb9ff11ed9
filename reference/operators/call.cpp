// Calls operators by name.
#include "reference/operators/call.hpp"

#include "reference/core/math/reduce.hpp"
#include "reference/core/tensor/geometry.hpp"

namespace assay::reference {

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
