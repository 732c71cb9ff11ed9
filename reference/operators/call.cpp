// Calls operators by name.
#include "reference/operators/call.hpp"

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

IValue boxed_or_none(const Tensor& tensor) { return tensor.defined() ? IValue(tensor) : IValue(); }

}  // namespace assay::reference
