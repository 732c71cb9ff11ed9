// Area dispatch: typed and boxed calls, and the kernels that ran.
#include <algorithm>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/dispatch/behaviours.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {
namespace {

// Default values of schemas as boxed values.

Boxed boxed_constant(const dispatch::Constant& constant);

struct Box {
  Boxed operator()(std::monostate) const { return {}; }
  Boxed operator()(const dispatch::Constant::List& list) const {
    auto items = std::make_shared<BoxedItems>();
    for (const dispatch::Constant& item : list) items->items.push_back(boxed_constant(item));
    return Boxed(std::move(items));
  }
  template <typename T>
  Boxed operator()(const T& plain) const {
    return Boxed(plain);
  }
};

Boxed boxed_constant(const dispatch::Constant& constant) {
  return std::visit(Box{}, constant.payload());
}

// The list of executed kernels in replies.

/// Collects kernel starts on this thread from construction to `stop`.
class RanKernels final : public dispatch::KernelTrace {
 public:
  RanKernels() = default;
  void started(const dispatch::KernelStart& start) override;
  /// Removes and returns the entries so far.
  List take() { return std::exchange(entries_, {}); }

 private:
  List entries_;
};

/// Shows tensors as their dtype, plain values as they are, and others as their kind.
Value shown(const Boxed& boxed, Release release) {
  switch (boxed.kind()) {
    case BoxedKind::kNone:
      return {};
    case BoxedKind::kTensor:
      return to_waist(boxed.tensor().dtype());
    case BoxedKind::kString:
      return boxed.text();
    case BoxedKind::kDevice:
      return to_waist(boxed.device(), release);
    case BoxedKind::kList: {
      List list;
      for (const Boxed& item : boxed.list()) list.items.push_back(shown(item, release));
      return list;
    }
    case BoxedKind::kTuple:
    case BoxedKind::kDict:
    case BoxedKind::kGenerator:
      return name_of(boxed.kind());
    default:
      return value_of(boxed.to_scalar());
  }
}

/// A dtype is boxed as a number, so only the schema tells.
bool is_dtype(const dispatch::Table& table, std::size_t argument, const Boxed& boxed) {
  if (!boxed.is(BoxedKind::kInt) || !table.has_schema) return false;
  const auto arguments = table.state->definition->schema.arguments();
  return argument < arguments.size() &&
         arguments[argument].type.without_optional().is(dispatch::TypeKind::kScalarType);
}

void RanKernels::started(const dispatch::KernelStart& start) {
  const dispatch::Table& table = *start.entry.table;
  const Release release = table.layout->release();
  List arguments;
  for (std::size_t i = 0; i < start.arguments.size(); ++i) {
    const Boxed& one = start.arguments[i];
    arguments.items.push_back(
        is_dtype(table, i, one) ? Value(to_waist(dispatch::dtype_numbered(one.integer(), release)))
                                : shown(one, release));
  }
  Dict entry;
  entry.items.emplace_back("kernel", start.label);
  entry.items.emplace_back("op", table.op->text());
  entry.items.emplace_back("key", name_of(start.entry.key));
  entry.items.emplace_back("keys", to_value(start.keys));
  entry.items.emplace_back("boxed", start.is_boxed);
  entry.items.emplace_back("arguments", std::move(arguments));
  entries_.items.emplace_back(std::move(entry));
}

std::vector<Boxed> arguments_given(Call& call, std::string_view name = "args") {
  std::vector<Boxed> values;
  for (const Value& value : call.arguments().items(name)) values.push_back(boxed_from(call, value));
  return values;
}

// -- typed

const MenuRow* row_given(Call& call) {
  if (call.has("signature")) return &menu_row(call.arguments().text("signature"));
  if (!call.arguments().value("op").is<Ref>()) return nullptr;
  return call.held<NamedHandle>("op", "handle")->signature;
}

/// Without a schema or typed kernel, a list must be a list of tensors.
void expect_lists_of_tensors(const std::vector<Boxed>& values) {
  for (const Boxed& value : values) {
    if (value.kind() != BoxedKind::kList) continue;
    const bool fits =
        std::ranges::all_of(value.list(), [](const Boxed& item) { return item.is_tensor(); });
    if (!fits) throw InvalidArgument("a list of an operator without a schema holds tensors alone");
  }
}

/// The first typed kernel's signature, or one for the schema or the arguments; or null.
const MenuRow* usual_row(const dispatch::OperatorState& state, const std::vector<Boxed>& values) {
  if (state.first) return menu_row(*state.first->signature);
  if (state.has_schema()) return menu_row_for(state.definition->schema);
  expect_lists_of_tensors(values);
  return menu_row_for(values);
}

/// Fills missing trailing arguments with their defaults, as a C++ call does.
void fill_defaults(const dispatch::OperatorState& state, std::vector<Boxed>& values) {
  if (!state.has_schema()) return;
  const auto arguments = state.definition->schema.arguments();
  while (values.size() < arguments.size()) {
    const dispatch::Argument& next = arguments[values.size()];
    require(next.default_value.has_value(), [&] {
      return state.name.text() + "() is missing value for argument '" + next.name + "'";
    });
    values.push_back(boxed_constant(*next.default_value));
  }
}

void fit(const MenuRow& row, std::vector<Boxed>& values) {
  try {
    if (row.fit(values)) return;
  } catch (const Error& error) {
    throw InvalidArgument("an argument does not fit " + row.signature->name() + ": " +
                          error.message());
  }
  throw InvalidArgument(row.signature->name() + " takes another number of arguments than " +
                        std::to_string(values.size()));
}

/// DSP-313: C++ generators are optional in schemas; no signature has another one.
void expect_callable(const dispatch::OperatorState& state) {
  if (!state.has_schema()) return;
  for (const dispatch::Argument& argument : state.definition->schema.arguments()) {
    require(!argument.type.is(dispatch::TypeKind::kGenerator), [&] {
      return "Tried to access or call an operator with a wrong signature: no C++ signature fits " +
             state.definition->schema.text();
    });
  }
}

/// If no signature of the menu matches, a boxed call is equivalent.
Stack run_without_row(Call& call, Operator& op, std::vector<Boxed> values) {
  if (call.has("keys")) {
    redispatch_boxed(op, set_argument(call, "keys"), values);
  } else {
    call_boxed(op, values);
  }
  return values;
}

Stack run_typed(Call& call, Operator& op) {
  std::vector<Boxed> values = arguments_given(call);
  const dispatch::StatePtr state = op.state();
  const MenuRow* row = row_given(call);
  if (row != nullptr) expect_called_as(*dispatch::TableView(op), *row->signature);
  if (row == nullptr) row = usual_row(*state, values);
  fill_defaults(*state, values);
  if (row == nullptr) {
    if (call.contract().is_strict) expect_callable(*state);
    return run_without_row(call, op, std::move(values));
  }
  fit(*row, values);
  if (call.has("keys")) return row->redispatch(op, set_argument(call, "keys"), std::move(values));
  return row->call(op, std::move(values));
}

// -- boxed

/// The client's own list, or a temporary one.
std::shared_ptr<BoxedItems> stack_argument(Call& call) {
  if (!call.has("stack")) return std::make_shared<BoxedItems>();
  const auto box = call.held<Boxed>("stack", "ivalue");
  box->expect("List");
  return box->list_pointer();
}

void push_arguments(Call& call, Stack& stack) {
  std::vector<Boxed> values = arguments_given(call);
  const auto all = static_cast<std::int64_t>(values.size());
  const std::int64_t depth = call.arguments().integer("depth", all);
  if (depth < 0 || depth > all) throw InvalidArgument("'depth' must lie between 0 and the args");
  for (std::int64_t i = 0; i < depth; ++i) {
    stack.push_back(std::move(values[static_cast<std::size_t>(i)]));
  }
}

void run_on_stack(Call& call, Operator& op, Stack& stack) {
  if (call.has("for_key")) return call_boxed_for_key(op, key_argument(call, "for_key"), stack);
  if (call.has("keys")) return redispatch_boxed(op, set_argument(call, "keys"), stack);
  call_boxed(op, stack);
}

Stack run_boxed(Call& call, Operator& op) {
  const auto items = stack_argument(call);
  Stack& stack = items->items;
  if (call.has("below")) {
    for (Boxed& value : arguments_given(call, "below")) stack.push_back(std::move(value));
  }
  const std::size_t below = stack.size();
  push_arguments(call, stack);
  run_on_stack(call, op, stack);

  const auto first = stack.begin() + static_cast<std::ptrdiff_t>(std::min(below, stack.size()));
  List left;
  for (auto at = stack.begin(); at != first; ++at) left.items.push_back(value_of(call, *at));
  call.set("stack", std::move(left));
  return {first, stack.end()};
}

void give_results(Call& call, const Stack& results) {
  if (results.empty()) return call.result(Value());
  if (results.size() == 1 && results[0].is_tensor()) return call.result(results[0].tensor());
  if (results.size() == 1) return call.result(value_of(call, results[0]));
  if (!call.command().as.empty()) {
    const Boxed all(std::make_shared<BoxedItems>(BoxedItems{results}));
    return call.result(Object(std::make_shared<Boxed>(all), "ivalue"));
  }
  List list;
  for (const Boxed& result : results) list.items.push_back(value_of(call, result));
  call.result(Value(std::move(list)));
}

/// An unknown name is the client's error, even if the operator is unknown, too.
void expect_names(Call& call, const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    call.names().get(ref->name);
  } else if (const auto* list = value.get_if<List>()) {
    for (const Value& item : list->items) expect_names(call, item);
  } else if (const auto* dict = value.get_if<Dict>()) {
    for (const auto& [key, item] : dict->items) expect_names(call, item);
  }
}

/// Frees objects that the call released, after it has ended (DSP-615).
struct CollectsAtEnd {
  CollectsAtEnd() = default;
  ~CollectsAtEnd() { dispatch::collect(); }
  CollectsAtEnd(const CollectsAtEnd&) = delete;
  CollectsAtEnd& operator=(const CollectsAtEnd&) = delete;
};

/// Autocast's lists contain many operators without a kernel here.
void expect_kernels(Call& call) {
  const OperatorName name = dispatch::parse_name(operator_text(call, "op"), call.contract());
  if (name.namespace_name() != "aten") return;
  const Operator* const op = call.dispatcher()->find(name);
  const bool is_missing = op == nullptr || !op->state()->has_schema();
  if (is_missing) throw NotSupported("no kernel of " + name.text());
}

/// Records kernels on the constructing thread until it is left.
class Trace final : public Guard {
 public:
  void leave() override { ran_.stop(); }
  List take() { return ran_.take(); }

 private:
  RanKernels ran_;
};

}  // namespace

void dispatch_call(Call& call) {
  for (const Value& value : call.arguments().items("args")) expect_names(call, value);
  expect_kernels(call);
  Operator& op = operator_argument(call, "op");
  const bool is_boxed = call.arguments().boolean("boxed", false) || call.has("for_key");
  const CollectsAtEnd collects;
  RanKernels ran;
  const Stack results = is_boxed ? run_boxed(call, op) : run_typed(call, op);
  ran.stop();
  give_results(call, results);
  call.set("ran", ran.take());
}

void dispatch_handle(Call& call) {
  Operator& op = operator_argument(call, "op");
  const MenuRow* row = nullptr;
  if (call.has("signature")) {
    row = &menu_row(call.arguments().text("signature"));
    expect_called_as(*dispatch::TableView(op), *row->signature);
  }
  give_handle(call, op, row);
}

void dispatch_trace(Call& call) {
  std::shared_ptr<Guard> made = std::make_shared<Trace>();
  call.result(Object(std::move(made), "trace"));
}

void dispatch_traced(Call& call) {
  const auto held = std::dynamic_pointer_cast<Trace>(call.held<Guard>("trace", "trace"));
  if (held == nullptr) throw InvalidArgument("dispatch.traced: 'trace' must be a trace");
  call.result(Value(held->take()));
}

}  // namespace assay::cuda
