// Area dispatch: kernels and their registration, through the dispatcher's interface or in a
// library.
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/dispatch/registrations.hpp"
#include "harness/adapters/libtorch/keys.hpp"
#include "harness/adapters/libtorch/menu/menu.hpp"
#include "harness/adapters/libtorch/names.hpp"
#include "harness/adapters/libtorch/release.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

using Action = NamedKernel::Action;

KernelPtr kernel_argument(Call& call) { return call.held<NamedKernel>("kernel", "kernel"); }

bool is_typed(const KernelPtr& kernel) {
  const bool is_special =
      kernel->does == Action::kFallthrough || kernel->does == Action::kNamedGuard;
  return kernel->signature.has_value() && !is_special;
}

KernelParts parts_of(const TypedSite& site) {
  if (is_typed(site.kernel)) return menu_entry(*site.kernel->signature).parts(site);
  return {c10::KernelFunction::makeFromBoxedKernel(boxed_function(site.kernel)), std::nullopt,
          nullptr};
}

torch::CppFunction function_of(const TypedSite& site) {
  if (is_typed(site.kernel)) return menu_entry(*site.kernel->signature).function(site);
  return torch::CppFunction::makeFromBoxedKernel(boxed_function(site.kernel));
}

template <typename T>
c10::optional<T> optional_of(std::optional<T> value) {
  return value ? c10::optional<T>(std::move(*value)) : c10::nullopt;
}

/// The label, and the source position if the client gave one.
std::string debug_of(Call& call, const KernelPtr& kernel) {
  const std::string at = call.arguments().text("at", "");
  return at.empty() ? kernel->label : kernel->label + " registered at " + at;
}

/// Without a name, nothing could drop it.
void give(Call& call, NamedRegistration&& registration) {
  if (call.command().as.empty()) return call.result(Value(Opaque{"registration"}));
  auto named = std::make_shared<NamedRegistration>(std::move(registration));
  call.result(Object(std::move(named), "registration"));
}

void give(Call& call, c10::RegistrationHandleRAII&& handle) {
  NamedRegistration made;
  made.handle.emplace(std::move(handle));
  give(call, std::move(made));
}

void give_in_library(Call& call) {
  call.result(Object(std::make_shared<InLibrary>(), "registration"));
}

/// Registers a kernel at a key or at a device, like a C++ program.
torch::CppFunction placed(Call& call, torch::CppFunction&& function) {
  if (call.has("device")) {
    return torch::dispatch(device_type_named(call.arguments().text("device")), std::move(function));
  }
  if (const auto key = key_or_none(call, "key")) {
    return torch::dispatch(*key, std::move(function));
  }
  return std::move(function);
}

c10::AliasAnalysisKind alias_kind_argument(Call& call) {
  const std::string text = call.arguments().text("alias_kind", "FROM_SCHEMA");
  for (const auto kind : {c10::AliasAnalysisKind::FROM_SCHEMA, c10::AliasAnalysisKind::CONSERVATIVE,
                          c10::AliasAnalysisKind::PURE_FUNCTION}) {
    if (name_of(kind) == text) return kind;
  }
  throw InvalidArgument("dispatch.def: there is no alias kind '" + text + "'");
}

std::vector<at::Tag> tags_argument(Call& call) {
  std::vector<at::Tag> tags;
  if (!call.has("tags")) return tags;
  for (const Value& value : call.arguments().items("tags")) {
    const auto* text = value.get_if<std::string>();
    if (text == nullptr) throw InvalidArgument("dispatch.def: tags must be strings");
    tags.push_back(tag_named(*text));
  }
  return tags;
}

/// In the namespace of the library, for a kernel defined in it.
c10::OperatorName name_within(Call& call, const std::string& text) {
  const std::string bare = text.substr(0, text.find('('));
  if (bare.find("::") != std::string::npos || !call.has("library")) {
    return torch::jit::parseName(bare);
  }
  return torch::jit::parseName(call.held<NamedLibrary>("library", "library")->name_space +
                               "::" + bare);
}

void define_in(Call& call, torch::Library& library, const std::string& text) {
  const std::vector<at::Tag> tags = tags_argument(call);
  if (!call.has("kernel")) {
    if (!call.has("alias_kind")) return void(library.def(text.c_str(), tags));
    return void(library.def(torch::schema(text.c_str(), alias_kind_argument(call)), tags));
  }
  if (!tags.empty()) throw NotSupported("this PyTorch takes no tags with a kernel");
  const KernelPtr kernel = kernel_argument(call);
  torch::CppFunction function =
      placed(call, function_of({kernel, name_within(call, text)}).debug(kernel->label));
  if (!call.has("alias_kind")) return void(library.def(text.c_str(), std::move(function)));
  library.def(torch::schema(text.c_str(), alias_kind_argument(call)), std::move(function));
}

}  // namespace

void dispatch_kernel(Call& call) {
  const KernelPtr made = kernel_from(call);
  if (made->signature) {
    const MenuEntry& entry = menu_entry(*made->signature);
    if (made->does == Action::kNull) entry.parts({made, std::nullopt});  // DSP-421: raises
  }
  call.result(Object(std::const_pointer_cast<NamedKernel>(made), "kernel"));
}

void dispatch_def(Call& call) {
  const std::string text = call.arguments().text("schema");
  if (call.has("library")) {
    define_in(call, library_argument(call), text);
    return give_in_library(call);
  }
  const SchemaOrName parsed = parse_schema_or_name(text);
  if (call.has("kernel")) {
    const Place place = place_argument(call);
    const auto space = parsed.name.getNamespace();
    if (!space) throw NotSupported("PyTorch's libraries have a namespace");
    NamedRegistration made;
    made.library.emplace(torch::Library::FRAGMENT, std::string(space->data(), space->size()),
                         c10::nullopt, place.file, place.line);
    define_in(call, *made.library, text);
    return give(call, std::move(made));
  }
  // As libraries parse it: since 2.x without type variables (DSP-303).
  c10::FunctionSchema schema = torch::schema(text.c_str(), alias_kind_argument(call));
  const std::string debug = "registered at " + call.arguments().text("at", "unknown place");
  give(call,
       c10::Dispatcher::singleton().registerDef(std::move(schema), debug, tags_argument(call)));
}

void dispatch_impl(Call& call) {
  const std::string text = operator_name_argument(call, "op");
  const KernelPtr kernel = kernel_argument(call);
  const std::string debug = debug_of(call, kernel);
  if (call.has("library")) {
    const auto held = call.held<NamedLibrary>("library", "library");
    const bool is_whole = text.find("::") != std::string::npos;
    const c10::OperatorName name =
        torch::jit::parseName(is_whole ? text : held->name_space + "::" + text);
    torch::CppFunction function = function_of({kernel, name}).debug(debug);
    library_argument(call).impl(text.c_str(), placed(call, std::move(function)));
    return give_in_library(call);
  }
  const c10::OperatorName name = torch::jit::parseName(text);
  if (call.has("device")) {
    const c10::DeviceType type = device_type_named(call.arguments().text("device"));
    const std::string space = text.substr(0, text.find("::"));
    NamedRegistration made;
    made.library.emplace(torch::Library::FRAGMENT, space, c10::nullopt, "a client", 0);
    made.library->impl(text.c_str(),
                       torch::dispatch(type, function_of({kernel, name}).debug(debug)));
    return give(call, std::move(made));
  }
  KernelParts parts = parts_of({kernel, name});
  give(call, c10::Dispatcher::singleton().registerImpl(
                 name, optional_of(place_or_none(call, "key")), std::move(parts.function),
                 optional_of(std::move(parts.signature)), std::move(parts.schema), debug));
}

void dispatch_fallback(Call& call) {
  const KernelPtr kernel = kernel_argument(call);
  const std::string debug = debug_of(call, kernel);
  if (call.has("library")) {
    torch::CppFunction function = function_of({kernel, std::nullopt}).debug(debug);
    library_argument(call).fallback(placed(call, std::move(function)));
    return give_in_library(call);
  }
  NamedRegistration made;
  made.library.emplace(torch::Library::IMPL, "_", optional_of(key_or_none(call, "key")), "a client",
                       0);
  made.library->fallback(function_of({kernel, std::nullopt}).debug(debug));
  give(call, std::move(made));
}

void dispatch_autograd_fallback(Call& call) {
  set_autograd_fallback(call.arguments().text("mode"));
}

/// The key of `torch::dispatch(device, …)` (DSP-201), determined by registering.
void dispatch_device_key(Call& call) {
  const c10::DeviceType type = device_type_named(call.arguments().text("device"));
  torch::Library library(torch::Library::FRAGMENT, "assay_device_key", c10::nullopt, "a client", 0);
  library.def("probe(Tensor x) -> Tensor");
  library.impl("probe", torch::dispatch(type, torch::CppFunction::makeFallthrough()));
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("assay_device_key::probe", "");
  for (const c10::DispatchKey key : keys_with_slots()) {
    if (op.hasKernelForDispatchKey(key)) return call.result(Value(name_of(key)));
  }
  throw NotSupported("no key with a slot in the table has this kernel");
}

void core_device_key(Call& call) {
  const auto type = device_type_named(call.arguments().text("type"));
  call.result(Value(name_of(c10::computeDispatchKey(at::kFloat, c10::kStrided, type))));
}

}  // namespace assay::libtorch
