// Area module: creating and inspecting modules.
#include "cuda_impl/subject/module/module_commands.hpp"

#include "cuda_impl/module/forward.hpp"

namespace assay::cuda {
namespace {

void give(Call& call, std::shared_ptr<Module> module) {
  call.result(Object(std::move(module), "module"));
}

void give_tensor(Call& call, const Tensor& tensor) {
  if (!tensor.defined()) return call.result(Value());
  call.result(tensor);
}

bool can_require_grad(const Tensor& tensor) {
  return facts(tensor.dtype()).is_floating || facts(tensor.dtype()).is_complex;
}

/// Shares a named parameter; makes a new parameter of any other tensor.
Tensor parameter_from(Call& call, const Value& value) {
  if (value.is_none()) return {};
  const Tensor tensor = call.tensor_from(value);
  const bool is_raw = call.arguments().boolean("raw", false);
  if (is_raw || !tensor.defined() || tensor->is_parameter) return tensor;
  return make_parameter(tensor,
                        call.arguments().boolean("requires_grad", can_require_grad(tensor)));
}

Tensor optional_parameter(Call& call, std::string_view name) {
  const Value* value = call.arguments().optional(name);
  return value == nullptr ? Tensor() : parameter_from(call, *value);
}

ModuleKind kind_argument(Call& call) {
  const std::string word = call.arguments().text("kind", "plain");
  if (word == "plain") return ModuleKind::kPlain;
  if (word == "linear") return ModuleKind::kLinear;
  if (word == "relu") return ModuleKind::kRelu;
  if (word == "mse_loss") return ModuleKind::kMseLoss;
  if (word == "sequential") return ModuleKind::kSequential;
  throw NotSupported("no kind of module '" + word + "'");
}

void add_modules(Call& call, Module& module) {
  for (const Value& item : call.arguments().items("modules")) {
    const auto* ref = item.get_if<Ref>();
    const auto child = ref == nullptr ? nullptr : call.names().get(ref->name).as<Module>();
    if (child == nullptr) throw InvalidArgument("module.new: 'modules' must name modules");
    module.set_child(std::to_string(module.named_children().size()), child);
  }
}

using Entries = const NamedList<Tensor>& (Module::*)() const;

/// The module's own entries come first; skips empty slots.
void add_paths(const Module& module, Entries entries, const std::string& prefix, List& paths) {
  const ModuleDepth deeper;
  for (const auto& [name, tensor] : (module.*entries)()) {
    if (tensor.defined()) paths.items.emplace_back(prefix + name);
  }
  for (const auto& [name, child] : module.named_children()) {
    if (child != nullptr) add_paths(*child, entries, prefix + name + ".", paths);
  }
}

Value paths_of(const Module& module, Entries entries) {
  List paths;
  add_paths(module, entries, "", paths);
  return paths;
}

}  // namespace

void module_new(Call& call) {
  const auto module = std::make_shared<Module>(kind_argument(call));
  if (module->kind() == ModuleKind::kLinear) {
    module->set_parameter("weight", optional_parameter(call, "weight"));
    module->set_parameter("bias", optional_parameter(call, "bias"));
  }
  if (module->kind() == ModuleKind::kSequential) add_modules(call, *module);
  give(call, module);
}

void module_set_parameter(Call& call) {
  const auto module = module_argument(call);
  const Tensor parameter = parameter_from(call, call.arguments().value("tensor"));
  const std::string name = call.arguments().text("name");
  const bool is_raw = call.arguments().boolean("raw", false);
  if (is_raw && parameter.defined() && !parameter->is_parameter) {
    module->put_parameter(name, parameter);
  } else {
    module->set_parameter(name, parameter);
  }
  give_tensor(call, parameter);
}

void module_set_buffer(Call& call) {
  const auto module = module_argument(call);
  const Tensor buffer = call.tensor_or_none("tensor");
  call.arguments().boolean("persistent", true);  // affects saving only, not moves (MOVE-01)
  module->set_buffer(call.arguments().text("name"), buffer);
  give_tensor(call, buffer);
}

void module_set_child(Call& call) {
  const bool is_empty = call.is_none("child");
  const auto child = is_empty ? nullptr : module_argument(call, "child");
  call.arguments().optional("child");
  module_argument(call)->set_child(call.arguments().text("name"), child);
}

void module_set_attribute(Call& call) {
  PlainAttribute attribute = Tensor();
  if (call.arguments().value("value").is<List>()) {
    attribute = call.tensors("value");
  } else {
    attribute = call.tensor("value");
  }
  module_argument(call)->set_attribute(call.arguments().text("name"), std::move(attribute));
}

void module_parameter(Call& call) {
  give_tensor(call, module_argument(call)->parameter(call.arguments().text("path")));
}

void module_buffer(Call& call) {
  give_tensor(call, module_argument(call)->buffer(call.arguments().text("path")));
}

void module_attribute(Call& call) {
  const auto module = module_argument(call);
  const PlainAttribute& found = module->attribute(call.arguments().text("path"));
  if (const auto* tensor = std::get_if<Tensor>(&found)) return call.result(*tensor);
  List list;
  for (const Tensor& tensor : std::get<std::vector<Tensor>>(found)) {
    list.items.push_back(call.give_as(std::to_string(list.items.size()), tensor));
  }
  call.set("result", Value(std::move(list)));
}

void module_list(Call& call) {
  const auto module = module_argument(call);
  call.set("parameters", paths_of(*module, &Module::parameters));
  call.set("buffers", paths_of(*module, &Module::buffers));
}

void module_train(Call& call) {
  module_argument(call)->set_training(call.arguments().boolean("value"));
}
void module_is_training(Call& call) { call.result(Value(module_argument(call)->is_training())); }

void module_forward(Call& call) {
  const auto module = module_argument(call);
  const auto dispatcher = call.dispatcher_with_operators();
  call.result(forward(*dispatcher, *module, call.tensors("args")));
}

std::shared_ptr<Module> module_argument(Call& call, std::string_view name) {
  return call.held<Module>(name, "module");
}

}  // namespace assay::cuda
