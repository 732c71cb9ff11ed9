// Area dispatch: client kernels and registrations. Each kernel is one function from arguments to
// results, used as a boxed or a typed kernel.
#include "reference/core/types/error.hpp"
#include "reference/dispatch/keys/tensor_keys.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {

/// Creates the kernel that `dispatch.kernel` describes.
Kernel kernel_of_behaviour(Call& call);

namespace {

/// The parameters of one kernel run.
struct Run {
  const OperatorHandle& op;
  KeySet keys;
  const TypedArguments& arguments;
  std::size_t returns;                           ///< the expected number of results
  const std::optional<CppSignature>& signature;  ///< empty for a boxed kernel
};
using Behaviour = std::function<Stack(const Run&)>;

std::size_t arguments_on(const OperatorState& op, const Stack& stack) {
  if (!op.has_schema()) return stack.size();
  return std::min(op.definition->schema.arguments.size(), stack.size());
}

Kernel boxed_kernel(Behaviour behaviour) {
  return Kernel::boxed([behaviour](const OperatorHandle& op, KeySet keys, Stack& stack) {
    const OperatorStatePtr state = op.state();
    const std::size_t below = stack.size() - arguments_on(*state, stack);
    TypedArguments arguments;
    for (std::size_t i = below; i < stack.size(); ++i) arguments.push_back(&stack[i]);
    const std::size_t returns = state->has_schema() ? state->definition->schema.returns.size() : 1;
    Stack results = behaviour({op, keys, arguments, returns, std::nullopt});
    stack.resize(below);
    for (IValue& result : results) stack.push_back(std::move(result));
  });
}

Kernel typed_kernel(Behaviour behaviour, const CppSignature& signature, bool takes_keys) {
  const std::optional<CppSignature> own = signature;
  return Kernel::typed(
      signature,
      [behaviour, own](const OperatorHandle& op, KeySet keys, const TypedArguments& arguments) {
        return behaviour({op, keys, arguments, own->returns.size(), own});
      },
      takes_keys);
}

Stack all_of(const TypedArguments& arguments) {
  Stack values;
  for (const IValue* argument : arguments) values.push_back(*argument);
  return values;
}

std::size_t first_tensor(const TypedArguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i]->kind() == "Tensor") return i;
  }
  return 0;
}

Behaviour returning(Call& call) {
  const bool given = call.has("argument");
  const std::int64_t number = given ? call.arguments().integer("argument") : 0;
  return [given, number](const Run& run) {
    const std::size_t first =
        given ? static_cast<std::size_t>(number) : first_tensor(run.arguments);
    check(first + run.returns <= run.arguments.size(), ErrorKind::kIndex, [&] {
      return "a kernel that returns " + std::to_string(run.returns) + " arguments from number " +
             std::to_string(first) + " got " + std::to_string(run.arguments.size());
    });
    Stack results;
    for (std::size_t i = 0; i < run.returns; ++i) results.push_back(*run.arguments[first + i]);
    return results;
  };
}

Behaviour giving_values(Call& call) {
  Stack values;
  for (const Value& value : call.arguments().items("values")) {
    values.push_back(ivalue_from(call, value));
  }
  return [values](const Run&) { return values; };
}

/// The key that selected the kernel.
DispatchKey own_key(const Run& run) { return highest_key(run.op.dispatcher().layout(), run.keys); }

Behaviour redispatching(Call& call) {
  std::optional<KeySet> fixed;
  if (call.has("keys")) fixed = set_argument(call, "keys");
  return [fixed](const Run& run) {
    Dispatcher& dispatcher = run.op.dispatcher();
    const KeySet below = full_after(dispatcher.layout(), own_key(run));
    const KeySet keys = fixed.value_or(run.keys & below);
    if (run.signature) {
      return dispatcher.redispatch_typed({run.op, *run.signature}, keys, run.arguments);
    }
    Stack stack = all_of(run.arguments);
    dispatcher.redispatch_boxed(run.op, keys, stack);
    return stack;
  };
}

Stack call_again(const Run& run) {
  Dispatcher& dispatcher = run.op.dispatcher();
  const KeySet own = set_of(dispatcher.layout(), own_key(run));
  const ExcludeKeyGuard guard(dispatcher.runtime(), own);
  if (run.signature) {
    return dispatcher.call_typed({run.op, *run.signature}, run.arguments);
  }
  return dispatcher.call(run.op, all_of(run.arguments));
}

Behaviour raising(Call& call) {
  const std::string kind = call.arguments().text("kind");
  const auto found = assay::error_kind_named(kind);
  if (!found) throw InvalidArgument("dispatch.kernel: there is no error kind '" + kind + "'");
  const Error error(static_cast<ErrorKind>(*found), call.arguments().text("message"));
  return [error](const Run&) -> Stack { throw error; };
}

Stack results_from(Call& call, const Value& value, std::size_t returns) {
  if (returns == 0) return {};
  if (returns == 1) return {ivalue_from(call, value)};
  const auto* list = value.get_if<List>();
  if (list == nullptr) {
    throw InvalidArgument("a kernel with " + std::to_string(returns) + " returns gave no list");
  }
  Stack results;
  for (const Value& item : list->items) results.push_back(ivalue_from(call, item));
  return results;
}

Behaviour calling_back(Call& call) {
  const Value& value = call.arguments().value("call");
  const auto* callable = value.get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("dispatch.kernel: 'call' must be a callable");
  return [name = callable->name](const Run& run) {
    Call& current = Call::current();
    std::vector<Value> arguments;
    for (const IValue* argument : run.arguments) {
      arguments.push_back(lent_value(current, *argument));
    }
    const Fields named{{"keys", static_cast<std::int64_t>(run.keys.bits)}, {"op", run.op.name()}};
    return results_from(current, current.call_back(name, arguments, named), run.returns);
  };
}

Behaviour behaviour_named(Call& call, const std::string& name) {
  if (name == "return") return returning(call);
  if (name == "value") return giving_values(call);
  if (name == "redispatch") return redispatching(call);
  if (name == "call") return call_again;
  if (name == "raise") return raising(call);
  if (name == "callback") return calling_back(call);
  throw NotSupported("no kernel does '" + name + "'");
}

std::optional<CppSignature> signature_argument(Call& call) {
  if (!call.has("signature")) return std::nullopt;
  return parse_signature(call.arguments().text("signature"), call.contract().release);
}

}  // namespace

Kernel kernel_of_behaviour(Call& call) {
  const std::string name = call.arguments().text("behaviour");
  const std::optional<CppSignature> signature = signature_argument(call);
  const bool takes_keys = call.arguments().boolean("takes_keys", true);
  if (name == "fallthrough") return Kernel::fallthrough();
  if (name == "named_guard") return Kernel::named_guard();
  if (name == "null") return signature ? Kernel::typed(*signature, {}) : Kernel::boxed({});
  Behaviour behaviour = behaviour_named(call, name);
  const bool uses_own_key = name == "call" || (name == "redispatch" && !call.has("keys"));
  if (signature && !takes_keys && uses_own_key) {
    behaviour = [](const Run&) -> Stack {
      throw NotSupported("a kernel that does not take the key set does not know its own key");
    };
  }
  if (!signature) return boxed_kernel(std::move(behaviour));
  return typed_kernel(std::move(behaviour), *signature, takes_keys);
}

// Registrations.

namespace {

std::string label_argument(Call& call) {
  const std::string& as = call.command().as;
  return call.arguments().text("label", as.empty() ? "kernel" : as);
}

LibraryKind library_kind(Call& call) {
  const std::string kind = call.arguments().text("kind");
  if (kind == "DEF") return LibraryKind::kDef;
  if (kind == "IMPL") return LibraryKind::kImpl;
  if (kind == "FRAGMENT") return LibraryKind::kFragment;
  throw InvalidArgument("dispatch.library: there is no kind '" + kind + "'");
}

std::string place_argument(Call& call) { return call.arguments().text("at", "unknown place"); }

/// Returns null if no library is given.
std::shared_ptr<Library> library_argument(Call& call) {
  if (!call.has("library")) return nullptr;
  return call.held<Library>("library", "library");
}

/// Without a name the client cannot drop it, so it lives only as long as its library.
void give_registration(Call& call, SharedRegistration registration) {
  if (call.command().as.empty()) return call.result(Value(Opaque{"registration"}));
  auto named = std::make_shared<NamedRegistration>(std::move(registration));
  call.result(Object(std::move(named), "registration"));
}

SharedRegistration shared(Registration registration) {
  return std::make_shared<Registration>(std::move(registration));
}

std::optional<AliasKind> alias_kind_argument(Call& call) {
  if (!call.has("alias_kind")) return std::nullopt;
  const std::string text = call.arguments().text("alias_kind");
  for (const AliasKind kind :
       {AliasKind::kFromSchema, AliasKind::kConservative, AliasKind::kPureFunction}) {
    if (name_of(kind) == text) return kind;
  }
  throw InvalidArgument("dispatch.def: there is no alias kind '" + text + "'");
}

/// The registration, and each running call, keep the client's kernel alive (DSP-615).
Kernel registered(const std::shared_ptr<NamedKernel>& named) {
  return named->kernel.keeping(named);
}

DefOptions def_options(Call& call) {
  DefOptions options;
  options.at = place_argument(call);
  if (call.has("kernel")) {
    const auto named = call.held<NamedKernel>("kernel", "kernel");
    options.kernel = registered(named);
    options.kernel_debug = named->label;
  }
  options.key = key_or_none(call, "key");
  options.alias_kind = alias_kind_argument(call);
  if (call.has("tags")) {
    for (const Value& tag : call.arguments().items("tags")) {
      const auto* text = tag.get_if<std::string>();
      if (text == nullptr) throw InvalidArgument("dispatch.def: tags are texts");
      options.tags.push_back(*text);
    }
  }
  return options;
}

std::optional<DispatchKey> impl_key(Call& call) {
  if (!call.has("device")) return key_or_none(call, "key");
  const std::string text = call.arguments().text("device");
  const auto type = device_type_named(text, call.contract().release);
  if (!type) throw InvalidArgument("dispatch.impl: there is no device type '" + text + "'");
  return registration_key_of(KeyLayout::of(call.contract().release), *type);  // DSP-201
}

std::string debug_text(Call& call, const NamedKernel& kernel) {
  const std::string at = call.arguments().text("at", "");
  return at.empty() ? kernel.label : kernel.label + " registered at " + at;
}

}  // namespace

void dispatch_kernel(Call& call) {
  const std::string label = label_argument(call);
  auto made =
      std::make_shared<NamedKernel>(NamedKernel{kernel_of_behaviour(call).labelled(label), label});
  call.result(Object(std::move(made), "kernel"));
}

void dispatch_library(Call& call) {
  LibraryOptions options;
  options.kind = library_kind(call);
  options.name_space = call.arguments().text("namespace");
  options.key = key_or_none(call, "key");
  options.at = place_argument(call);
  auto made = std::make_shared<Library>(dispatcher_of(call), std::move(options));
  call.result(Object(std::move(made), "library"));
}

void dispatch_reset_library(Call& call) { call.held<Library>("library", "library")->reset(); }

void dispatch_move_library(Call& call) {
  auto moved = std::make_shared<Library>(std::move(*call.held<Library>("library", "library")));
  call.result(Object(std::move(moved), "library"));
}

void dispatch_def(Call& call) {
  const std::string text = call.arguments().text("schema");
  const DefOptions options = def_options(call);
  if (const auto held = library_argument(call)) {
    return give_registration(call, held->define(text, options));
  }
  Registration kept;  // of a definition whose kernel was rejected, outside of any library
  const SchemaOrName what = parse_schema_or_name(text, call.contract());
  give_registration(call, shared(define_operator(dispatcher_of(call), what, options, kept)));
}

void dispatch_impl(Call& call) {
  const std::string op = operator_name_argument(call, "op");
  const auto named = call.held<NamedKernel>("kernel", "kernel");
  const auto key = impl_key(call);
  const std::string debug = debug_text(call, *named);
  if (const auto held = library_argument(call)) {
    return give_registration(call, held->impl(op, key, registered(named), debug));
  }
  give_registration(call, shared(dispatcher_of(call).impl(op, key, registered(named), debug)));
}

void dispatch_fallback(Call& call) {
  const auto named = call.held<NamedKernel>("kernel", "kernel");
  const auto key = key_or_none(call, "key");
  const std::string debug = debug_text(call, *named);
  if (const auto held = library_argument(call)) {
    return give_registration(call, held->fallback(key, registered(named), debug));
  }
  give_registration(call,
                    shared(dispatcher_of(call).registry().fallback(key, registered(named), debug)));
}

void dispatch_assign(Call& call) {
  if (call.object("to").is<Library>()) {
    *call.held<Library>("to", "library") = std::move(*call.held<Library>("from", "library"));
    return;
  }
  const auto to = call.held<NamedRegistration>("to", "registration");
  const auto from = call.held<NamedRegistration>("from", "registration");
  *to->registration = std::move(*from->registration);
}

void dispatch_autograd_fallback(Call& call) {
  const std::string mode = call.arguments().text("mode");
  if (mode != "nothing" && mode != "warn") {
    throw InvalidArgument("dispatch.autograd_fallback: there is no mode '" + mode + "'");
  }
  if (!call.contract().strict() && !has_autograd_fallback_mode(call.contract())) {
    throw NotSupported("1.13 has one autograd fallback only");
  }
  dispatcher_of(call).set_autograd_fallback(mode == "warn" ? AutogradFallback::kWarn
                                                           : AutogradFallback::kNothing);
}

}  // namespace assay::reference
