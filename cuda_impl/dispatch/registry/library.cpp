// Libraries and their registrations; registers native entries and implements their kernels.
#include "cuda_impl/dispatch/registry/library.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <variant>

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda::dispatch {
namespace {

constexpr std::string_view kWildcard = "_";

bool is_for_all(std::optional<Key> key) { return !key || key->is_undefined(); }

std::string key_text(std::optional<Key> key) {
  return is_for_all(key) ? "CatchAll" : name_of(*key);
}

using SchemaOrName = std::variant<OperatorName, Schema>;

OperatorName name_in(const SchemaOrName& what) {
  const auto* schema = std::get_if<Schema>(&what);
  return schema == nullptr ? std::get<OperatorName>(what) : schema->name();
}

/// Returns the given schema, or else the one inferred from the kernel (DSP-407).
Schema schema_for(const SchemaOrName& what, const OperatorName& name,
                  const DefineRequest& request) {
  if (const auto* given = std::get_if<Schema>(&what)) {
    Schema schema = *given;
    schema.rename(name);
    return schema;
  }
  require(request.kernel.has_value(), [&] {
    return "def(\"" + name.text() + "\"): a schema is needed, but only the operator name was given";
  });
  require(request.kernel->is_typed(), [&] {
    return "def(\"" + name.text() +
           "\"): only the operator name was given, and we couldn't infer schema either: the "
           "function is not typed";
  });
  Schema schema = request.kernel->signature->schema();
  schema.rename(name);
  return schema;
}

DefineOptions options_for(const SchemaOrName& what, const DefineRequest& request) {
  const bool is_inferred = std::holds_alternative<OperatorName>(what);
  const AliasKind usual = is_inferred ? AliasKind::kConservative : AliasKind::kFromSchema;
  return {request.at, request.alias_kind.value_or(usual), request.tags};
}

/// The registrations of a definition and its optional kernel.
struct Defined {
  Registration definition;
  Registration kernel;
};

/// On an error, `made` contains the registrations that PyTorch leaves behind.
void define_in(Dispatcher& dispatcher, const SchemaOrName& what, const OperatorName& name,
               const DefineRequest& request, Defined& made) {
  const Schema schema = schema_for(what, name, request);
  made.definition = dispatcher.define(schema, options_for(what, request));
  if (!request.kernel) return;
  try {
    made.kernel = dispatcher.implement(name, request.key, *request.kernel, request.kernel_debug);
  } catch (...) {
    if (dispatcher.contract().is_strict) made.definition.drop();
    throw;
  }
}

/// Combines both registrations; the kernel is removed first.
Registration joined(Defined made, const Contract& contract) {
  if (!made.kernel.is_active()) return std::move(made.definition);
  const auto both = std::make_shared<Defined>(std::move(made));
  return {[both] {
            both->kernel.drop();
            both->definition.drop();
          },
          !contract.is_strict};
}

}  // namespace

SharedRegistration define_operator(Dispatcher& dispatcher, const DefineRequest& request) {
  const SchemaOrName what = parse_schema_or_name(request.text, dispatcher.contract());
  Defined made;
  define_in(dispatcher, what, name_in(what), request, made);
  return std::make_shared<Registration>(joined(std::move(made), dispatcher.contract()));
}

std::string Library::kind_text() const {
  switch (options_->kind) {
    case LibraryKind::kDef:
      return "TORCH_LIBRARY (DEF)";
    case LibraryKind::kImpl:
      return "TORCH_LIBRARY_IMPL (IMPL)";
    case LibraryKind::kFragment:
      return "TORCH_LIBRARY_FRAGMENT (FRAGMENT)";
  }
  return {};
}

template <typename Work>
auto Library::in_block(const Work& work) const try {
  return work();
} catch (const Error& error) {
  const std::string where = kind_text() + " block at " + options_->at;
  throw Error(error.kind(), error.message() + "  (Error occurred while processing " + where + ")",
              error.code());
}

Library::Library(Dispatcher& dispatcher, LibraryOptions options) : dispatcher_(&dispatcher) {
  options_ = std::make_unique<const LibraryOptions>(std::move(options));
  in_block([this] { open(); });
}

Library& Library::operator=(Library&& other) noexcept {
  if (this != &other) {
    held_.swap(other.held_);
    other.reset();
    dispatcher_ = other.dispatcher_;
    options_ = std::move(other.options_);
  }
  return *this;
}

void Library::reset() {
  for (const SharedRegistration& one : std::exchange(held_, {})) one->drop();
}

SharedRegistration Library::hold(Registration registration) {
  return held_.emplace_back(std::make_shared<Registration>(std::move(registration)));
}

void Library::open() {
  const bool is_impl = options_->kind == LibraryKind::kImpl;
  require(is_impl || options_->namespace_name != kWildcard, [&] {
    return "Cannot open a " + kind_text() +
           " block with the wildcard namespace _: only IMPL blocks may have it";
  });
  require(is_impl || is_for_all(options_->key), ErrorKind::kInternal, [&] {
    return "a " + kind_text() + " block takes no key, but got " + key_text(options_->key);
  });
  if (options_->kind != LibraryKind::kDef) return;
  hold(dispatcher_->own_namespace(options_->namespace_name, options_->at));
}

/// DSP-404, DSP-405
OperatorName Library::qualified(OperatorName name) const {
  require(options_->namespace_name != kWildcard, [&] {
    return "Cannot register " + name.text() + " in a block with the wildcard namespace _";
  });
  const std::string given(name.namespace_name());
  if (given.empty()) {
    name.name = options_->namespace_name + "::" + name.name;
    return name;
  }
  require(given == options_->namespace_name, [&] {
    return "Explicitly provided namespace (" + given + ") in operator name " + name.text() +
           " does not match namespace of enclosing " + kind_text() + " block (" +
           options_->namespace_name + ")";
  });
  return name;
}

/// DSP-411
std::optional<Key> Library::key_for(std::optional<Key> given) const {
  if (is_for_all(options_->key)) return given;
  require(is_for_all(given) || given == options_->key, [&] {
    return "Explicitly provided dispatch key (" + key_text(given) +
           ") is inconsistent with the dispatch key of the enclosing " + kind_text() + " block (" +
           key_text(options_->key) + ")";
  });
  return options_->key;
}

SharedRegistration Library::define(const DefineRequest& request) {
  if (options_ == nullptr) return std::make_shared<Registration>();
  return in_block([&] {
    require(options_->kind != LibraryKind::kImpl, [&] {
      return "def(\"" + request.text + "\"): Cannot define an operator inside of a " + kind_text() +
             " block";
    });
    const SchemaOrName what = parse_schema_or_name(request.text, dispatcher_->contract());
    DefineRequest here = request;
    here.key = key_for(request.key);
    Defined made;
    try {
      define_in(*dispatcher_, what, qualified(name_in(what)), here, made);
    } catch (...) {
      if (made.definition.is_active()) hold(std::move(made.definition));
      throw;
    }
    return hold(joined(std::move(made), dispatcher_->contract()));
  });
}

SharedRegistration Library::implement(const std::string& name, std::optional<Key> key,
                                      const Kernel& kernel, const std::string& debug) {
  if (options_ == nullptr) return std::make_shared<Registration>();
  return in_block([&] {
    const OperatorName full = qualified(parse_name(name, dispatcher_->contract()));
    return hold(dispatcher_->implement(full, key_for(key), kernel, debug));
  });
}

SharedRegistration Library::fall_back(std::optional<Key> key, const Kernel& kernel,
                                      const std::string& debug) {
  if (options_ == nullptr) return std::make_shared<Registration>();
  return in_block([&] {
    require(options_->kind == LibraryKind::kImpl, [&] {
      return "fallback(...): Cannot define an operator inside of a " + kind_text() + " block";
    });
    const std::optional<Key> at = key_for(key);
    require(!is_for_all(at), ErrorKind::kInternal,
            [] { return "fallback(...) needs a key other than Undefined"; });
    require(options_->namespace_name == kWildcard, [&] {
      return "fallback(...): a fallback is for all operators, but this block would apply to only a "
             "single namespace, " +
             options_->namespace_name;
    });
    return hold(dispatcher_->fall_back(at, kernel, debug));
  });
}

// Native entries.

namespace {

using enum Functionality;
using KernelNames = std::map<Key, std::string>;

bool is_out_form(const Schema& schema) {
  return std::ranges::any_of(schema.arguments(), [](const Argument& argument) {
    return argument.kwarg_only && argument.is_written();
  });
}

std::string qualified(const std::string& name, std::string_view with) {
  if (name.empty() || name.find("::") != std::string::npos) return name;
  return std::string(with) + "::" + name;
}

KernelNames kernels_of_delegate(Dispatcher& dispatcher, const std::string& name) {
  const Operator* found = dispatcher.find(parse_name(name, dispatcher.contract()));
  require(found != nullptr, [&] { return "there is no structured operator " + name; });
  KernelNames names;
  for (const auto& [key, kernels] : found->state()->kernels) names[key] = kernels.front()->debug;
  return names;
}

KernelNames kernels_of(Dispatcher& dispatcher, const NativeEntry& entry, const Schema& schema) {
  const std::string op = schema.name().text();
  KernelNames names;
  if (!entry.structured_delegate.empty()) {
    const auto in = schema.name().namespace_name();
    names = kernels_of_delegate(dispatcher, qualified(entry.structured_delegate, in));
  }
  for (const auto& [key, name] : entry.dispatch) names[key] = name;
  const bool is_in_group = entry.is_structured || !entry.structured_delegate.empty();
  if (!is_in_group && names.empty()) names[kCompositeImplicit] = schema.name().name;
  if (!is_in_group) return names;
  names.emplace(Backend::kMeta, "shape of " + op);
  if (!is_out_form(schema)) names.emplace(kCompositeExplicitNonFunctional, "composite of " + op);
  return names;
}

/// DSP-219: the device of the first defined tensor.
class CommonDevice {
 public:
  explicit CommonDevice(const std::string& op) : op_(op) {}

  void see(const Boxed& boxed, const std::string& argument) {
    if (boxed.is(BoxedKind::kList)) {
      for (const Boxed& item : boxed.list()) see(item, argument);
    } else if (boxed.is_tensor() && boxed.tensor().defined()) {
      see(boxed.tensor().device(), argument);
    }
  }

 private:
  void see(Device device, const std::string& argument) {
    if (!common_) common_ = device;
    require(device == *common_, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(*common_) + " and " + to_text(device) + "! (when checking argument " +
             argument + " in method " + op_ + ")";
    });
  }

  const std::string& op_;
  std::optional<Device> common_;
};

void expect_common_device(const Schema& schema, std::span<const Boxed> arguments,
                          const std::string& op) {
  CommonDevice common(op);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    common.see(arguments[i], schema.arguments()[i].name);
  }
}

Stack results_of(const Schema& schema, std::span<const Boxed> arguments) {
  Stack results;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (schema.arguments()[i].is_written()) results.push_back(arguments[i]);
  }
  const auto tensor = std::ranges::find_if(arguments, &Boxed::is_tensor);
  if (results.empty() && tensor != arguments.end()) results.push_back(*tensor);
  results.resize(schema.returns().size());
  return results;
}

void run_entry(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  const Schema& schema = entry.table->state->definition->schema;
  const std::span<const Boxed> arguments = std::span(stack).last(schema.arguments().size());
  if (functor_of<bool>(entry)) expect_common_device(schema, arguments, entry.table->op->text());
  Stack results = results_of(schema, arguments);
  stack.resize(stack.size() - arguments.size());
  for (Boxed& result : results) stack.push_back(std::move(result));
}

}  // namespace

NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry) {
  Schema schema = parse_schema(entry.func, dispatcher.contract());
  schema.rename({qualified(schema.name().name, "native"), schema.name().overload});
  const KernelNames kernels = kernels_of(dispatcher, entry, schema);
  const Kernel kernel =
      Kernel::of_boxed(run_entry, std::make_shared<const bool>(entry.checks_device));
  NativeOperator made;
  made.registrations.push_back(dispatcher.define(schema, {"native function entry"}));
  for (const auto& [key, name] : kernels) {
    made.registrations.push_back(dispatcher.implement(schema.name(), key, kernel, name));
    made.ops.push_back(schema.name().text() + "@" + name_of(key));
  }
  std::ranges::sort(made.ops);
  return made;
}

}  // namespace assay::cuda::dispatch
