// Area dispatch: kernels and registrations.
#include "reference/dispatch/keys/tensor_keys.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/dispatch/behaviours.hpp"

namespace assay::reference {
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
