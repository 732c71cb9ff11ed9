// Libraries and their registrations.
#include "cuda_impl/dispatch/registry/library.hpp"

#include <utility>
#include <variant>

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

}  // namespace assay::cuda::dispatch
