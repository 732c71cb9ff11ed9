// Area dispatch: kernels, libraries and registrations.
#include "cuda_impl/dispatch/keys/tensor_keys.hpp"
#include "cuda_impl/dispatch/registry/library.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/dispatch/behaviours.hpp"

namespace assay::cuda {
namespace {

using dispatch::AliasKind;
using dispatch::Library;
using dispatch::LibraryKind;
using dispatch::Registration;
using dispatch::SharedRegistration;

LibraryKind library_kind(Call& call) {
  const std::string kind = call.arguments().text("kind");
  if (kind == "DEF") return LibraryKind::kDef;
  if (kind == "IMPL") return LibraryKind::kImpl;
  if (kind == "FRAGMENT") return LibraryKind::kFragment;
  throw InvalidArgument("dispatch.library: there is no kind '" + kind + "'");
}

std::string place_argument(Call& call) { return call.arguments().text("at", "unknown place"); }

/// Null if the argument is absent.
std::shared_ptr<Library> library_argument(Call& call) {
  return call.has("library") ? call.held<Library>("library", "library") : nullptr;
}

/// An unnamed registration cannot be dropped; only a library keeps it alive.
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

std::vector<std::string> tags_argument(Call& call) {
  std::vector<std::string> tags;
  if (!call.has("tags")) return tags;
  for (const Value& tag : call.arguments().items("tags")) {
    const auto* text = tag.get_if<std::string>();
    if (text == nullptr) throw InvalidArgument("dispatch.def: tags are texts");
    tags.push_back(*text);
  }
  return tags;
}

std::optional<Key> impl_key(Call& call) {
  if (!call.has("device")) return key_or_none(call, "key");
  const std::string text = call.arguments().text("device");
  const auto device = device_kind_named(text, call.release());
  if (!device) throw InvalidArgument("dispatch.impl: there is no device type '" + text + "'");
  return registration_key(layout_of(call), *device);
}

std::string debug_text(Call& call, const NamedKernel& kernel) {
  const std::string at = call.arguments().text("at", "");
  return at.empty() ? kernel.label : kernel.label + " registered at " + at;
}

}  // namespace

void dispatch_kernel(Call& call) { call.result(Object(make_named_kernel(call), "kernel")); }

void dispatch_library(Call& call) {
  dispatch::LibraryOptions options{.kind = library_kind(call),
                                   .namespace_name = call.arguments().text("namespace"),
                                   .key = key_or_none(call, "key"),
                                   .at = place_argument(call)};
  auto made = std::make_shared<Library>(*call.dispatcher(), std::move(options));
  call.result(Object(std::move(made), "library"));
}

void dispatch_reset_library(Call& call) { call.held<Library>("library", "library")->reset(); }

void dispatch_move_library(Call& call) {
  auto moved = std::make_shared<Library>(std::move(*call.held<Library>("library", "library")));
  call.result(Object(std::move(moved), "library"));
}

void dispatch_def(Call& call) {
  dispatch::DefineRequest request{.text = call.arguments().text("schema"),
                                  .at = place_argument(call),
                                  .key = key_or_none(call, "key"),
                                  .alias_kind = alias_kind_argument(call),
                                  .tags = tags_argument(call)};
  if (call.has("kernel")) {
    const auto named = call.held<NamedKernel>("kernel", "kernel");
    request.kernel = registered(named);
    request.kernel_debug = named->label;
  }
  if (const auto held = library_argument(call)) {
    return give_registration(call, held->define(request));
  }
  give_registration(call, define_operator(*call.dispatcher(), request));
}

void dispatch_impl(Call& call) {
  const std::string op = operator_text(call, "op");
  const auto named = call.held<NamedKernel>("kernel", "kernel");
  const auto key = impl_key(call);
  const std::string debug = debug_text(call, *named);
  if (const auto held = library_argument(call)) {
    return give_registration(call, held->implement(op, key, registered(named), debug));
  }
  const OperatorName name = dispatch::parse_name(op, call.contract());
  give_registration(call,
                    shared(call.dispatcher()->implement(name, key, registered(named), debug)));
}

void dispatch_fallback(Call& call) {
  const auto named = call.held<NamedKernel>("kernel", "kernel");
  const auto key = key_or_none(call, "key");
  const std::string debug = debug_text(call, *named);
  if (const auto held = library_argument(call)) {
    return give_registration(call, held->fall_back(key, registered(named), debug));
  }
  give_registration(call, shared(call.dispatcher()->fall_back(key, registered(named), debug)));
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
  using dispatch::AutogradFallback;
  const std::string mode = call.arguments().text("mode");
  if (mode != "nothing" && mode != "warn") {
    throw InvalidArgument("dispatch.autograd_fallback: there is no mode '" + mode + "'");
  }
  if (!call.contract().is_strict && call.release() == Release::k1_13) {
    throw NotSupported("1.13 has one autograd fallback only");
  }
  set_autograd_fallback(*call.dispatcher(),
                        mode == "warn" ? AutogradFallback::kWarn : AutogradFallback::kNothing);
}

}  // namespace assay::cuda
