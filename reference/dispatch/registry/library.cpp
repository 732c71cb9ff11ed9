// Defines operators with or without a kernel; implements libraries (DSP-401 to DSP-407, DSP-411,
// DSP-413).
#include "reference/dispatch/registry/library.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"

namespace assay::reference {
namespace {

FunctionSchema inferred_schema(const OperatorName& name, const std::optional<Kernel>& kernel) {
  check(kernel.has_value(), [&] {
    return "def(\"" + to_text(name) + "\"): only the operator name was given, but no function";
  });
  check(kernel->is_typed(), [&] {
    return "def(\"" + to_text(name) +
           "\"): only the operator name was given, and from a kernel without a signature we "
           "couldn't infer schema either";
  });
  FunctionSchema schema = schema_of(*kernel->signature());
  schema.name = name;
  return schema;
}

Registration both(Registration def, Registration impl, Deviations deviations) {
  auto held =
      std::make_shared<std::pair<Registration, Registration>>(std::move(def), std::move(impl));
  return {[held] {
            held->second.drop();
            held->first.drop();
          },
          deviations};
}

bool has_variable(const SchemaType& type) {
  return type.kind == TypeKind::kVariable || std::ranges::any_of(type.items, has_variable);
}

/// DSP-303: PyTorch parses type variables in all schemas, but since 2.4 defines them only for its
/// own operators.
void check_variables(const FunctionSchema& schema, const Contract& contract) {
  const std::string_view owner = schema.name.name_space();
  const bool may = !contract.at_least(Release::k2_4) || owner == "aten" || owner == "prim";
  if (may) return;
  for (const auto* arguments : {&schema.arguments, &schema.returns}) {
    for (const SchemaArgument& argument : *arguments) {
      check(!has_variable(argument.type), ErrorKind::kSchema, [&] {
        return "unknown type specifier '" + to_text(argument.type) + "' in " + to_text(schema.name);
      });
    }
  }
}

}  // namespace

Registration define_operator(Dispatcher& dispatcher, const SchemaOrName& what,
                             const DefOptions& options, Registration& kept) {
  const auto* name = std::get_if<OperatorName>(&what);
  const FunctionSchema schema =
      name != nullptr ? inferred_schema(*name, options.kernel) : std::get<FunctionSchema>(what);
  check_variables(schema, dispatcher.runtime().contract());
  const AliasKind usual = name != nullptr ? AliasKind::kConservative : AliasKind::kFromSchema;
  Registration def = dispatcher.registry().define(
      schema, {options.at, options.alias_kind.value_or(usual), options.tags});
  if (!options.kernel) return def;

  const Contract& contract = dispatcher.runtime().contract();
  try {
    Registration impl =
        dispatcher.registry().impl(schema.name, options.key, *options.kernel, options.kernel_debug);
    return both(std::move(def), std::move(impl), contract.deviations);
  } catch (const Error&) {
    if (!contract.strict()) kept = std::move(def);
    throw;
  }
}

// Libraries.

namespace {

constexpr std::string_view kWildcard = "_";

bool is_catch_all(std::optional<DispatchKey> key) {
  return !key || *key == Functionality::kUndefined;
}

std::string key_text(std::optional<DispatchKey> key) {
  return is_catch_all(key) ? "CatchAll" : name_of(*key);
}

OperatorName& name_in(SchemaOrName& what) {
  auto* schema = std::get_if<FunctionSchema>(&what);
  return schema != nullptr ? schema->name : std::get<OperatorName>(what);
}

}  // namespace

std::string name_of(LibraryKind kind) {
  if (kind == LibraryKind::kDef) return "TORCH_LIBRARY (DEF)";
  return kind == LibraryKind::kImpl ? "TORCH_LIBRARY_IMPL (IMPL)"
                                    : "TORCH_LIBRARY_FRAGMENT (FRAGMENT)";
}

template <typename Work>
auto Library::in_block(const Work& work) const {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(),
                error.message() + "  (Error occurred while processing " + name_of(options_->kind) +
                    " block at " + options_->at + ")",
                error.code());
  }
}

Library::Library(Dispatcher& dispatcher, LibraryOptions options)
    : options_(std::make_unique<const LibraryOptions>(std::move(options))),
      dispatcher_(&dispatcher) {
  in_block([&] { open(); });
}

void Library::open() {
  const bool is_impl = options_->kind == LibraryKind::kImpl;
  check(is_impl || options_->name_space != kWildcard, [&] {
    return "Cannot define " + name_of(options_->kind) +
           " with the wildcard namespace _: only an IMPL block may have it";
  });
  check(is_impl || is_catch_all(options_->key), ErrorKind::kInternal, [&] {
    return "a " + name_of(options_->kind) + " block has no key, not even " +
           key_text(options_->key);
  });
  if (options_->kind == LibraryKind::kDef) {
    hold(dispatcher_->registry().own_namespace(options_->name_space, options_->at));
  }
}

SharedRegistration Library::hold(Registration registration) {
  held_.push_back(std::make_shared<Registration>(std::move(registration)));
  return held_.back();
}

/// A name without a namespace gets the block's (DSP-405).
OperatorName Library::qualified(OperatorName name) const {
  const std::string given(name.name_space());
  check(options_->name_space != kWildcard, [&] {
    return "Cannot register " + to_text(name) + " in a block with the wildcard namespace _";
  });
  if (given.empty()) {
    name.name = options_->name_space + "::" + name.name;
    return name;
  }
  check(given == options_->name_space, [&] {
    return "Explicitly provided namespace (" + given + ") in operator name " + to_text(name) +
           " does not match namespace of enclosing " + name_of(options_->kind) + " block (" +
           options_->name_space + ")";
  });
  return name;
}

/// Combines the block's key with the given one; if both exist, they must agree (DSP-411).
std::optional<DispatchKey> Library::key_for(std::optional<DispatchKey> given) const {
  if (is_catch_all(options_->key)) return given;
  check(is_catch_all(given) || given == options_->key, [&] {
    return "Explicitly provided dispatch key (" + key_text(given) +
           ") is inconsistent with the dispatch key of the enclosing " + name_of(options_->kind) +
           " block (" + key_text(options_->key) + ")";
  });
  return options_->key;
}

SharedRegistration Library::define(const std::string& text, const DefOptions& options) {
  if (options_ == nullptr) return std::make_shared<Registration>();
  return in_block([&] {
    check(options_->kind != LibraryKind::kImpl, [&] {
      return "def(\"" + text + "\"): Cannot define an operator inside of a " +
             name_of(options_->kind) + " block";
    });
    SchemaOrName what = parse_schema_or_name(text, dispatcher_->runtime().contract());
    OperatorName& name = name_in(what);
    name = qualified(std::move(name));
    Registration kept;
    try {
      return hold(define_operator(*dispatcher_, what, options, kept));
    } catch (const Error&) {
      if (kept.active()) hold(std::move(kept));  // PyTorch keeps the definition (DSP-407)
      throw;
    }
  });
}

SharedRegistration Library::impl(const std::string& name, std::optional<DispatchKey> key,
                                 const Kernel& kernel, const std::string& debug) {
  if (options_ == nullptr) return std::make_shared<Registration>();
  return in_block([&] {
    const OperatorName full = qualified(parse_name(name, dispatcher_->runtime().contract()));
    return hold(dispatcher_->registry().impl(full, key_for(key), kernel, debug));
  });
}

SharedRegistration Library::fallback(std::optional<DispatchKey> key, const Kernel& kernel,
                                     const std::string& debug) {
  if (options_ == nullptr) return std::make_shared<Registration>();
  return in_block([&] {
    check(options_->kind == LibraryKind::kImpl, [&] {
      return "fallback(...): Cannot define an operator inside of a " + name_of(options_->kind) +
             " block";
    });
    const std::optional<DispatchKey> at = key_for(key);
    check(!is_catch_all(at), ErrorKind::kInternal,
          [] { return "a fallback needs a key other than Undefined"; });
    check(options_->name_space == kWildcard, [&] {
      return "fallback(...): fallbacks apply to all operators, but this block would apply to only "
             "a single namespace, " +
             options_->name_space;
    });
    return hold(dispatcher_->registry().fallback(at, kernel, debug));
  });
}

Library& Library::operator=(Library&& other) noexcept {
  if (this == &other) return *this;
  reset();
  options_ = std::move(other.options_);
  dispatcher_ = other.dispatcher_;
  held_ = std::exchange(other.held_, {});
  return *this;
}

void Library::reset() {
  for (const SharedRegistration& registration : held_) registration->drop();
  held_.clear();
}

}  // namespace assay::reference
