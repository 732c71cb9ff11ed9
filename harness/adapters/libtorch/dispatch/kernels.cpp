// Kernels of clients: a function from arguments to results.
#include "harness/adapters/libtorch/dispatch/kernels.hpp"

#include <ATen/core/boxing/BoxedKernel.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <array>

#include "harness/adapters/libtorch/errors.hpp"
#include "harness/adapters/libtorch/keys.hpp"
#include "harness/adapters/libtorch/ran_kernels.hpp"
#include "harness/adapters/libtorch/release.hpp"

namespace assay::libtorch {
namespace {

using Action = NamedKernel::Action;

constexpr std::array<std::pair<std::string_view, Action>, 9> kBehaviours{{
    {"return", Action::kReturn},
    {"value", Action::kValue},
    {"redispatch", Action::kRedispatch},
    {"call", Action::kCall},
    {"raise", Action::kRaise},
    {"callback", Action::kCallback},
    {"fallthrough", Action::kFallthrough},
    {"named_guard", Action::kNamedGuard},
    {"null", Action::kNull},
}};

Action behaviour_argument(Call& call) {
  const std::string text = call.arguments().text("behaviour");
  for (const auto& [name, does] : kBehaviours) {
    if (name == text) return does;
  }
  throw NotSupported("unknown behaviour of a kernel: '" + text + "'");
}

void read_raise(Call& call, NamedKernel& kernel) {
  const std::string kind = call.arguments().text("kind");
  const auto found = error_kind_named(kind);
  if (!found) throw InvalidArgument("dispatch.kernel: there is no error kind '" + kind + "'");
  kernel.kind = *found;
  kernel.text = call.arguments().text("message");
}

void read_callback(Call& call, NamedKernel& kernel) {
  const auto* callable = call.arguments().value("call").get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("dispatch.kernel: 'call' must be a callable");
  kernel.text = callable->name;
}

/// The parameters of the behaviour.
void read_needs(Call& call, NamedKernel& kernel) {
  if (kernel.does == Action::kReturn && call.has("argument")) {
    kernel.argument = call.arguments().integer("argument");
  }
  if (kernel.does == Action::kValue) {
    for (const Value& value : call.arguments().items("values")) {
      kernel.values.push_back(ivalue_from(call, value));
    }
  }
  if (kernel.does == Action::kRedispatch && call.has("keys")) {
    kernel.keys = set_argument(call, "keys");
  }
  if (kernel.does == Action::kRaise) read_raise(call, kernel);
  if (kernel.does == Action::kCallback) read_callback(call, kernel);
}

std::size_t first_tensor(const Stack& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].isTensor()) return i;
  }
  return 0;
}

Stack returned_arguments(const Run& run) {
  const std::size_t first = run.kernel.argument ? static_cast<std::size_t>(*run.kernel.argument)
                                                : first_tensor(run.arguments);
  if (first + run.returns > run.arguments.size()) {
    throw ClientError(ErrorKind::kIndex, "a kernel that returns " + std::to_string(run.returns) +
                                             " arguments from number " + std::to_string(first) +
                                             " got " + std::to_string(run.arguments.size()));
  }
  const auto begin = run.arguments.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(run.returns)};
}

Stack called_back(const Run& run) {
  Call& call = Call::current();
  std::vector<Value> arguments;
  for (const c10::IValue& argument : run.arguments) {
    arguments.push_back(lent_value(call, argument));
  }
  Fields named{{"op", c10::toString(run.op)}};
  if (run.keys) named.set("keys", bits_value(*run.keys));
  const Value result = call.call_back(run.kernel.text, arguments, named);
  if (run.returns == 0) return {};
  if (run.returns == 1) return {ivalue_from(call, result)};
  const auto* list = result.get_if<List>();
  if (list == nullptr) throw InvalidArgument("a kernel with several returns gave no list");
  Stack results;
  for (const Value& item : list->items) results.push_back(ivalue_from(call, item));
  return results;
}

/// A stateful boxed kernel for PyTorch.
class BoxedFunction final : public c10::OperatorKernel {
 public:
  explicit BoxedFunction(KernelPtr kernel) : kernel_(std::move(kernel)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
    const KernelPtr kernel = kernel_;  // the call may destroy this functor
    const auto all = static_cast<std::ptrdiff_t>(stack->size());
    const bool has_schema = op.hasSchema();
    const auto wanted =
        has_schema ? static_cast<std::ptrdiff_t>(op.schema().arguments().size()) : all;
    const std::ptrdiff_t below = all - std::min(wanted, all);
    const Stack arguments(stack->begin() + below, stack->end());
    const std::size_t returns = has_schema ? op.schema().returns().size() : 1;
    const Run run{*kernel, op.operator_name(), keys, arguments, returns};
    write_ran(run, true, has_schema ? &op.schema() : nullptr);
    Stack results = run_boxed(run, op);
    stack->erase(stack->begin() + below, stack->end());
    for (c10::IValue& result : results) stack->push_back(std::move(result));
  }

 private:
  static Stack run_boxed(const Run& run, const c10::OperatorHandle& op) {
    Stack stack = run.arguments;
    if (run.kernel.does == Action::kRedispatch) {
      op.redispatchBoxed(onward_keys(run), &stack);
      return stack;
    }
    if (run.kernel.does == Action::kCall) {
      const c10::impl::ExcludeDispatchKeyGuard guard(own_key(run));
      op.callBoxed(&stack);
      return stack;
    }
    return behave(run);
  }

  KernelPtr kernel_;
};

}  // namespace

KernelPtr kernel_from(Call& call) {
  auto kernel = std::make_shared<NamedKernel>();
  const std::string& as = call.command().as;
  kernel->label = call.arguments().text("label", as.empty() ? "kernel" : as);
  kernel->does = behaviour_argument(call);
  kernel->takes_keys = call.arguments().boolean("takes_keys", true);
  if (call.has("signature")) kernel->signature = call.arguments().text("signature");
  read_needs(call, *kernel);
  return kernel;
}

Stack behave(const Run& run) {
  switch (run.kernel.does) {
    case Action::kReturn:
      return returned_arguments(run);
    case Action::kValue:
      return run.kernel.values;
    case Action::kRaise:
      throw ClientError(run.kernel.kind, run.kernel.text);
    case Action::kCallback:
      return called_back(run);
    default:
      throw ClientError(ErrorKind::kInternal,
                        "a kernel of this behaviour runs no function of the adapter");
  }
}

c10::DispatchKeySet own_key(const Run& run) {
  if (!run.keys) throw NotSupported("PyTorch passes no keys to this kind of kernel");
  return c10::DispatchKeySet(run.keys->highestPriorityTypeId());
}

c10::DispatchKeySet onward_keys(const Run& run) {
  if (run.kernel.keys) return *run.kernel.keys;
  if (!run.keys) throw NotSupported("PyTorch passes no keys to this kind of kernel");
  const c10::DispatchKey own = run.keys->highestPriorityTypeId();
  return *run.keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, own);
}

c10::BoxedKernel boxed_function(const KernelPtr& kernel) {
  switch (kernel->does) {
    case Action::kFallthrough:
      return c10::BoxedKernel::makeFallthrough();
    case Action::kNamedGuard:
      return named_guard<c10::BoxedKernel>();
    case Action::kNull:
      throw NotSupported("a boxed kernel without a function does not compile in PyTorch");
    default:
      return c10::BoxedKernel::makeFromFunctor(std::make_unique<BoxedFunction>(kernel));
  }
}

c10::OperatorName TypedSite::op_name() const {
  if (op) return *op;
  const Value* named = Call::current().command().with.find("op");
  const auto* text = named == nullptr ? nullptr : named->get_if<std::string>();
  return text == nullptr ? c10::OperatorName("unknown", "") : torch::jit::parseName(*text);
}

}  // namespace assay::libtorch
