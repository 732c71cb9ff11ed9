// Area dispatch: typed and boxed calls, with the kernels that they ran.
#include <vector>

#include "reference/autocast/state.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"
#include "reference/dispatch/watch/observer.hpp"
#include "reference/operators/call.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {
namespace {

// The executed kernels, as listed in replies.

/// Records kernel starts on this thread.
class RanKernels {
 public:
  explicit RanKernels(Call& call);

  List take() { return List{std::exchange(entries_, {})}; }
  void stop() { watch_.stop(); }

 private:
  std::vector<Value> entries_;
  KernelWatch watch_;
};

/// A tensor is shown by its dtype, a plain value as it is, any other value by its kind.
struct Shown {
  const Runtime& runtime;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(const Tensor& held) const { return to_protocol(held.dtype()); }
  Value operator()(double held) const { return held; }
  Value operator()(std::int64_t held) const { return held; }
  Value operator()(bool held) const { return held; }
  Value operator()(std::complex<double> held) const { return to_protocol(Scalar(held)); }
  Value operator()(const std::string& held) const { return held; }
  Value operator()(Device held) const { return to_protocol(runtime, held); }
  Value operator()(const IValue::ListPtr& held) const {
    List list;
    for (const IValue& item : *held) list.items.push_back(std::visit(*this, item.payload()));
    return list;
  }
  Value operator()(const IValue::TuplePtr&) const { return "Tuple"; }
  Value operator()(const IValue::DictPtr&) const { return "Dict"; }
  Value operator()(const IValue::GeneratorPtr&) const { return "Generator"; }
};

/// Dtypes are boxed as ints, so the schema must tell them apart. A typed call may have more
/// arguments than the schema.
bool is_dtype(const OperatorHandle& op, std::size_t argument) {
  if (!op.has_schema() || argument >= op.schema().arguments.size()) return false;
  const std::string type = to_text(op.schema().arguments[argument].type);
  return type == "ScalarType" || type == "ScalarType?";
}

Value dtype_shown(const Runtime& runtime, const IValue& number) {
  return to_protocol(dtype_numbered(number.to_int(), runtime.contract().release));
}

Value entry_of(const Runtime& runtime, const KernelStart& start) {
  List arguments;
  for (std::size_t i = 0; i < start.arguments.size(); ++i) {
    const IValue& argument = *start.arguments[i];
    arguments.items.push_back(is_dtype(start.op, i) && argument.kind() == "Int"
                                  ? dtype_shown(runtime, argument)
                                  : std::visit(Shown{runtime}, argument.payload()));
  }
  Dict entry;
  entry.items.emplace_back("kernel", start.label);
  entry.items.emplace_back("op", start.op.name());
  entry.items.emplace_back("key", name_of(start.key));
  entry.items.emplace_back("keys", static_cast<std::int64_t>(start.keys.bits));
  entry.items.emplace_back("boxed", start.boxed);
  entry.items.emplace_back("arguments", std::move(arguments));
  return entry;
}

RanKernels::RanKernels(Call& call)
    : watch_(dispatcher_of(call), [this, &runtime = call.runtime()](const KernelStart& start) {
        entries_.push_back(entry_of(runtime, start));
      }) {}

// -- typed

std::optional<CppSignature> signature_given(Call& call) {
  if (call.has("signature")) {
    return parse_signature(call.arguments().text("signature"), call.contract().release);
  }
  if (!call.arguments().value("op").is<Ref>()) return std::nullopt;
  return call.held<NamedHandle>("op", "handle")->signature;
}

/// The default C++ type for a value, if nothing else determines it.
CppType type_of_value(const IValue& value) {
  if (value.kind() == "Tensor") return {"Tensor", {}, 0, CppType::Pass::kConstReference};
  if (value.kind() == "None") return {"optional", {{"Tensor", {}}}};
  if (value.kind() == "Double") return {"double", {}};
  if (value.kind() == "Bool") return {"bool", {}};
  if (value.kind() == "String") return {"string", {}};
  if (value.kind() == "Device") return {"Device", {}};
  if (value.kind() == "Generator") return {"Generator", {}};
  if (value.kind() == "List") return {"ArrayRef", {{"Tensor", {}}}};
  return {"int64_t", {}};
}

CppSignature signature_of_values(const Stack& values) {
  CppSignature made;
  for (const IValue& value : values) made.parameters.push_back(type_of_value(value));
  made.returns = {{"Tensor", {}}};
  return made;
}

/// The first typed kernel's signature, or one derived from the schema or the arguments.
CppSignature usual_signature(const OperatorHandle& op, const Stack& values) {
  const OperatorStatePtr state = op.live_state();
  if (state->signature) return state->signature->signature;
  if (state->has_schema()) return signature_for(state->definition->schema);
  return signature_of_values(values);
}

Stack arguments_given(Call& call) {
  Stack values;
  for (const Value& value : call.arguments().items("args")) {
    values.push_back(ivalue_from(call, value));
  }
  return values;
}

/// Adds defaults for missing trailing arguments, like a C++ program that calls the operator.
void fill_defaults(const OperatorHandle& op, Stack& values) {
  const OperatorStatePtr state = op.live_state();
  if (!state->has_schema()) return;
  const auto& arguments = state->definition->schema.arguments;
  while (values.size() < arguments.size()) {
    const SchemaArgument& next = arguments[values.size()];
    check(next.default_value.has_value(), [&] {
      return to_text(state->name) + "() is missing value for argument '" + next.name + "'";
    });
    values.push_back(*next.default_value);
  }
}

/// Converts a tuple that stands for a list.
IValue as_list(const IValue& tuple) {
  return IValue(std::make_shared<IValue::List>(std::get<IValue::TuplePtr>(tuple.payload())->items));
}

/// Converts ints for double parameters as C++ does; other mismatches would not compile.
void fit(const CppSignature& signature, Stack& values) {
  if (values.size() != signature.parameters.size()) {
    throw InvalidArgument(to_text(signature) + " takes " +
                          std::to_string(signature.parameters.size()) + " arguments, not " +
                          std::to_string(values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const CppType& type = signature.parameters[i];
    if (type.is("double") && values[i].kind() == "Int") {
      values[i] = IValue(static_cast<double>(values[i].to_int()));
    }
    if (type.is("ArrayRef") && values[i].kind() == "Tuple") values[i] = as_list(values[i]);
    try {
      expect_fits(type, values[i]);
    } catch (const Error& error) {
      throw InvalidArgument("argument " + std::to_string(i) + " is no " + to_text(type) + ": " +
                            error.message());
    }
  }
}

Stack run_typed(Call& call, const OperatorHandle& op) {
  Dispatcher& dispatcher = dispatcher_of(call);
  Stack values = arguments_given(call);
  const auto given = signature_given(call);
  const CppSignature signature = given ? *given : usual_signature(op, values);
  const TypedHandle typed = dispatcher.typed(op, signature);
  fill_defaults(op, values);
  fit(signature, values);
  TypedArguments arguments;
  for (IValue& value : values) arguments.push_back(&value);
  if (call.has("keys")) {
    return dispatcher.redispatch_typed(typed, set_argument(call, "keys"), arguments);
  }
  return dispatcher.call_typed(typed, arguments);
}

// -- boxed

/// The client's own stack, or one for this call only.
IValue::ListPtr stack_argument(Call& call) {
  if (!call.has("stack")) return std::make_shared<IValue::List>();
  const auto box = call.held<IValue>("stack", "ivalue");
  box->expect_kind("List");
  return std::get<IValue::ListPtr>(box->payload());
}

void push_arguments(Call& call, Stack& stack) {
  Stack values = arguments_given(call);
  const auto all = static_cast<std::int64_t>(values.size());
  const std::int64_t depth = call.arguments().integer("depth", all);
  if (depth < 0 || depth > all) throw InvalidArgument("'depth' must lie between 0 and the args");
  values.resize(static_cast<std::size_t>(depth));
  for (IValue& value : values) stack.push_back(std::move(value));
}

void run_on_stack(Call& call, const OperatorHandle& op, Stack& stack) {
  Dispatcher& dispatcher = dispatcher_of(call);
  if (call.has("for_key")) {
    const DispatchKey key = key_from(call, call.arguments().text("for_key"));
    return dispatcher.call_boxed_for_key(op, key, stack);
  }
  if (call.has("keys")) return dispatcher.redispatch_boxed(op, set_argument(call, "keys"), stack);
  dispatcher.call_boxed(op, stack);
}

Stack run_boxed(Call& call, const OperatorHandle& op) {
  const IValue::ListPtr stack = stack_argument(call);
  if (call.has("below")) {
    for (const Value& value : call.arguments().items("below")) {
      stack->push_back(ivalue_from(call, value));
    }
  }
  const std::size_t below = stack->size();
  push_arguments(call, *stack);
  run_on_stack(call, op, *stack);

  const auto first = static_cast<std::ptrdiff_t>(std::min(below, stack->size()));
  List left;
  for (auto at = stack->begin(); at != stack->begin() + first; ++at) {
    left.items.push_back(value_of(call, *at));
  }
  call.set("stack", std::move(left));
  return {stack->begin() + first, stack->end()};
}

bool is_boxed(Call& call) {
  const bool asked = call.arguments().boolean("boxed", false);
  return asked || call.has("for_key");
}

void give_results(Call& call, const Stack& results) {
  if (results.empty()) return call.result(Value());
  if (results.size() > 1) {
    List list;
    for (const IValue& result : results) list.items.push_back(value_of(call, result));
    return call.result(Value(std::move(list)));
  }
  const auto* tensor = std::get_if<Tensor>(&results.front().payload());
  if (tensor != nullptr) return call.result(*tensor);
  call.result(value_of(call, results.front()));
}

/// An unknown name is a mistake of the client, whether or not the operator exists.
void expect_names(Call& call, const Value& value) {
  if (const auto* ref = value.get_if<Ref>(); ref != nullptr) {
    call.names().get(ref->name);
  } else if (const auto* list = value.get_if<List>(); list != nullptr) {
    for (const Value& item : list->items) expect_names(call, item);
  } else if (const auto* dict = value.get_if<Dict>(); dict != nullptr) {
    for (const auto& [key, item] : dict->items) expect_names(call, item);
  }
}

/// PyTorch has many more operators than this.
void expect_operator(Call& call) {
  const auto* text = call.arguments().value("op").get_if<std::string>();
  if (text == nullptr || !text->starts_with("aten::")) return;
  const auto found = dispatcher_of(call).find(parse_name(*text, call.contract()));
  if (!found || !found->live_state()->has_schema())
    throw NotSupported("there is no " + *text + " here");
}

/// Lists the kernels that run on its own thread until it is left.
class Trace final : public Guard {
 public:
  explicit Trace(Call& call) : ran_(call) {}
  void leave() override { ran_.stop(); }
  List take() { return ran_.take(); }

 private:
  RanKernels ran_;
};

}  // namespace

void dispatch_call(Call& call) {
  for (const Value& value : call.arguments().items("args")) expect_names(call, value);
  expect_operator(call);
  const OperatorHandle op = operator_argument(call, "op");
  RanKernels ran(call);
  const Stack results = is_boxed(call) ? run_boxed(call, op) : run_typed(call, op);
  ran.stop();
  give_results(call, results);
  call.set("ran", ran.take());
}

void dispatch_handle(Call& call) {
  const OperatorHandle op = operator_argument(call, "op");
  std::optional<CppSignature> signature;
  if (call.has("signature")) {
    signature = parse_signature(call.arguments().text("signature"), call.contract().release);
    dispatcher_of(call).typed(op, *signature);
  }
  auto made = std::make_shared<NamedHandle>(NamedHandle{op, std::move(signature)});
  call.result(Object(std::move(made), "handle"));
}

void dispatch_trace(Call& call) {
  std::shared_ptr<Guard> made = std::make_shared<Trace>(call);
  call.result(Object(std::move(made), "trace"));
}

void dispatch_traced(Call& call) {
  const auto held = std::dynamic_pointer_cast<Trace>(call.held<Guard>("trace", "trace"));
  if (held == nullptr) throw InvalidArgument("dispatch.traced: 'trace' must be a trace");
  call.result(Value(held->take()));
}

}  // namespace assay::reference
