// Area module: creating, inspecting and moving modules.
#include "reference/module/forward.hpp"
#include "reference/module/move.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

ModulePtr module_argument(Call& call, std::string_view name = "module") {
  return call.held<Module>(name, "module");
}

void give(Call& call, ModulePtr module) { call.result(Object(std::move(module), "module")); }

bool can_require_grad(const Tensor& tensor) {
  return is_floating(tensor.dtype()) || is_complex(tensor.dtype());
}

bool is_parameter(const Tensor& tensor) { return !tensor.defined() || tensor.impl()->is_parameter; }

/// A named parameter is shared; any other tensor is made into a parameter.
Tensor parameter_from(Call& call, const Value& value) {
  if (value.is_none()) return {};
  const Tensor tensor = call.tensor_from(value);
  if (call.arguments().boolean("raw", false) || is_parameter(tensor)) return tensor;
  const bool requires_grad = call.arguments().boolean("requires_grad", can_require_grad(tensor));
  return make_parameter(tensor, requires_grad);
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
    const Object found = ref == nullptr ? Object{} : call.names().get(ref->name);
    if (!found.is<Module>()) throw InvalidArgument("module.new: 'modules' must name modules");
    module.set_child(std::to_string(module.named_children().size()), found.as<Module>());
  }
}

void give_tensor(Call& call, const Tensor& tensor) {
  if (!tensor.defined()) return call.result(Value(None{}));
  call.result(tensor);
}

Value to_value(const std::vector<std::string>& paths) {
  List list;
  for (const std::string& path : paths) list.items.emplace_back(path);
  return list;
}

MoveOptions move_options(Call& call) {
  MoveOptions options = {.dtype = call.dtype_or_none("dtype"),
                         .device = call.device_or_none("device"),
                         .copy = call.arguments().boolean("copy", false),
                         .non_blocking = call.arguments().boolean("non_blocking", false)};
  if (call.has("memory_format")) {
    const std::string word = call.arguments().text("memory_format");
    options.format = memory_format_named(word);
    if (!options.format) throw NotSupported("no memory format '" + word + "'");
  }
  if (call.has("like")) {
    const Tensor like = call.tensor("like");
    options.dtype = like.dtype();
    options.device = like.device();
  }
  return options;
}

void move_to_device(Call& call, Device device) {
  const auto module = module_argument(call);
  move_to(call.runtime(), *module, {.device = device});
  give(call, module);
}

template <ScalarType kDtype>
void cast_to(Call& call) {
  const auto module = module_argument(call);
  cast_floating(call.runtime(), *module, kDtype);
  give(call, module);
}

bool recurse_argument(Call& call) {
  if (!call.has("recurse")) return true;
  if (call.contract().before(Release::k2_4)) throw NotSupported("1.13 has no 'recurse'");
  return call.arguments().boolean("recurse");
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
  if (call.arguments().boolean("raw", false) && !is_parameter(parameter)) {
    module->put_parameter(name, parameter);
  } else {
    module->set_parameter(name, parameter);
  }
  give_tensor(call, parameter);
}

void module_set_buffer(Call& call) {
  const auto module = module_argument(call);
  const Tensor buffer = call.tensor_or_none("tensor");
  call.arguments().boolean("persistent", true);  // concerns saving, never moves (MOVE-01)
  module->set_buffer(call.arguments().text("name"), buffer);
  give_tensor(call, buffer);
}

void module_set_child(Call& call) {
  const bool is_empty = call.arguments().value("child").is_none();
  const ModulePtr child = is_empty ? nullptr : module_argument(call, "child");
  module_argument(call)->set_child(call.arguments().text("name"), child);
}

void module_set_attribute(Call& call) {
  const Value& value = call.arguments().value("value");
  PlainAttribute attribute = Tensor();
  if (value.get_if<List>() != nullptr) {
    attribute = call.tensors("value");
  } else {
    attribute = call.tensor_from(value);
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
  const PlainAttribute& found = module_argument(call)->attribute(call.arguments().text("path"));
  if (const auto* tensor = std::get_if<Tensor>(&found)) return call.result(*tensor);
  List list;
  for (const Tensor& tensor : std::get<std::vector<Tensor>>(found)) {
    list.items.push_back(call.give_as(std::to_string(list.items.size()), tensor));
  }
  call.set("result", Value(std::move(list)));
}

void module_list(Call& call) {
  const auto module = module_argument(call);
  call.set("parameters", to_value(paths_of(*module, ModuleTensors::kParameters)));
  call.set("buffers", to_value(paths_of(*module, ModuleTensors::kBuffers)));
}

void module_train(Call& call) {
  module_argument(call)->set_training(call.arguments().boolean("value"));
}

void module_is_training(Call& call) { call.result(Value(module_argument(call)->is_training())); }

void module_to(Call& call) {
  const auto module = module_argument(call);
  move_to(call.runtime(), *module, move_options(call));
  give(call, module);
}

void module_cuda(Call& call) {
  move_to_device(call, call.device_or_none("device").value_or(cuda_device(-1)));
}

void module_cpu(Call& call) { move_to_device(call, kCpuDevice); }

void module_type(Call& call) {
  const auto module = module_argument(call);
  cast_all(call.runtime(), *module, call.dtype("dtype"));
  give(call, module);
}

void module_to_empty(Call& call) {
  const auto module = module_argument(call);
  to_empty(call.runtime(), *module, call.device("device"), recurse_argument(call));
  give(call, module);
}

void module_apply_tensors(Call& call) {
  const auto module = module_argument(call);
  const auto* function = call.arguments().value("function").get_if<Callable>();
  if (function == nullptr) throw InvalidArgument("'function' must be something callable");
  const auto applied = [&](const Tensor& tensor) {
    const Value argument = call.lend(Object(tensor));
    return call.tensor_from(call.call_back(function->name, {argument}));
  };
  apply_tensors(call.runtime(), *module, applied, recurse_argument(call));
  give(call, module);
}

void module_forward(Call& call) {
  const auto module = module_argument(call);
  call.result(forward(call.runtime(), *module, call.tensors("args")));
}

void module_flags(Call& call) {
  auto& flags = call.runtime().shared<ConversionFlags>();
  flags.overwrite = call.arguments().boolean("overwrite", flags.overwrite);
  if (!call.has("swap")) return;
  if (call.contract().before(Release::k2_4)) throw NotSupported("1.13 has no flag 'swap'");
  flags.swap = call.arguments().boolean("swap");
}

void module_half(Call& call) { cast_to<ScalarType::kHalf>(call); }
void module_float(Call& call) { cast_to<ScalarType::kFloat>(call); }
void module_double(Call& call) { cast_to<ScalarType::kDouble>(call); }
void module_bfloat16(Call& call) { cast_to<ScalarType::kBFloat16>(call); }

}  // namespace assay::reference
