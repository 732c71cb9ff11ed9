// The contents of modules, and lookup by path.
#include "reference/module/module.hpp"

#include <algorithm>

#include "reference/module/contents.hpp"

namespace assay::reference {
namespace {

void set_slot(std::vector<Slot>& slots, const std::string& name, const Tensor& tensor) {
  const auto found = std::ranges::find(slots, name, &Slot::name);
  if (found != slots.end()) {
    found->tensor = tensor;
  } else {
    slots.push_back({name, tensor});
  }
}

template <typename Value>
void set_named(std::vector<std::pair<std::string, Value>>& items, const std::string& name,
               Value value) {
  const auto found = std::ranges::find(items, name, &std::pair<std::string, Value>::first);
  if (found != items.end()) {
    found->second = std::move(value);
  } else {
    items.emplace_back(name, std::move(value));
  }
}

[[noreturn]] void refuse(ModuleKind kind, const std::string& what, const std::string& name) {
  throw Error(ErrorKind::kAttribute,
              "a " + std::string(name_of(kind)) + " has no " + what + " '" + name + "'");
}

const Tensor& slot_of(const Module& module, const std::vector<Slot>& slots, const std::string& what,
                      const std::string& name) {
  const auto found = std::ranges::find(slots, name, &Slot::name);
  if (found == slots.end()) refuse(module.kind(), what, name);
  return found->tensor;
}

void add_paths(Module& module, ModuleTensors held, const std::string& prefix,
               std::vector<std::string>& paths) {
  const Descent descent;
  const auto& slots = held == ModuleTensors::kParameters ? module.parameters() : module.buffers();
  for (const Slot& slot : slots) {
    if (slot.tensor.defined()) paths.push_back(prefix + slot.name);
  }
  for (const auto& [name, child] : module.named_children()) {
    if (child != nullptr) add_paths(*child, held, prefix + name + ".", paths);
  }
}

}  // namespace

std::string_view name_of(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::kPlain:
      break;
    case ModuleKind::kLinear:
      return "Linear";
    case ModuleKind::kRelu:
      return "ReLU";
    case ModuleKind::kMseLoss:
      return "MSELoss";
    case ModuleKind::kSequential:
      return "Sequential";
  }
  return "Module";
}

void Module::check_free(const std::string& name, const void* own) const {
  const auto is_named = [&](const auto& item) { return std::get<0>(item) == name; };
  const bool taken =
      (own != &parameters_ && std::ranges::count(parameters_, name, &Slot::name) > 0) ||
      (own != &buffers_ && std::ranges::count(buffers_, name, &Slot::name) > 0) ||
      (own != &children_ && std::ranges::any_of(children_, is_named)) ||
      std::ranges::any_of(attributes_, is_named);
  check(!taken, ErrorKind::kKey, [&] { return "attribute '" + name + "' already exists"; });
}

void Module::set_parameter(const std::string& name, const Tensor& tensor) {
  check_free(name, &parameters_);
  put_parameter(name, tensor);
}

void Module::put_parameter(const std::string& name, const Tensor& tensor) {
  set_slot(parameters_, name, tensor);
}

void Module::set_buffer(const std::string& name, const Tensor& tensor) {
  check_free(name, &buffers_);
  set_slot(buffers_, name, tensor);
}

void Module::set_child(const std::string& name, ModulePtr child) {
  check_free(name, &children_);
  set_named(children_, name, std::move(child));
}

void Module::set_attribute(const std::string& name, PlainAttribute value) {
  set_named(attributes_, name, std::move(value));
}

std::vector<ModulePtr> Module::children() const {
  std::vector<ModulePtr> found;
  for (const auto& [name, child] : children_) {
    const bool is_known = std::ranges::find(found, child) != found.end();
    if (child != nullptr && !is_known) {
      found.push_back(child);
    }
  }
  return found;
}

std::pair<const Module*, std::string> Module::walk(const std::string& path) const {
  const Module* here = this;
  std::size_t begin = 0;
  for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    const std::string name = path.substr(begin, dot - begin);
    const auto found =
        std::ranges::find(here->children_, name, &std::pair<std::string, ModulePtr>::first);
    if (found == here->children_.end() || found->second == nullptr)
      refuse(here->kind_, "child", name);
    here = found->second.get();
    begin = dot + 1;
  }
  return {here, path.substr(begin)};
}

const Tensor& Module::parameter(const std::string& path) const {
  const auto [module, name] = walk(path);
  return slot_of(*module, module->parameters_, "parameter", name);
}

const Tensor& Module::buffer(const std::string& path) const {
  const auto [module, name] = walk(path);
  return slot_of(*module, module->buffers_, "buffer", name);
}

const PlainAttribute& Module::attribute(const std::string& path) const {
  const auto [module, name] = walk(path);
  const auto found =
      std::ranges::find(module->attributes_, name, &std::pair<std::string, PlainAttribute>::first);
  if (found == module->attributes_.end()) refuse(module->kind_, "attribute", name);
  return found->second;
}

void Module::set_training(bool value) {
  const Descent descent;
  training_ = value;
  for (const ModulePtr& child : children()) child->set_training(value);
}

namespace {

thread_local int depth = 0;

}  // namespace

Descent::Descent() {
  constexpr int kDeepest = 1000;
  check(depth < kDeepest, ErrorKind::kError, [] { return "maximum recursion depth exceeded"; });
  ++depth;
}

Descent::~Descent() { --depth; }

Tensor make_parameter(const Tensor& tensor, bool requires_grad) {
  Tensor made = shallow_copy(tensor);
  made.set_requires_grad(requires_grad);
  made.impl()->is_parameter = true;
  return made;
}

std::vector<std::string> paths_of(Module& module, ModuleTensors held) {
  std::vector<std::string> paths;
  add_paths(module, held, "", paths);
  return paths;
}

}  // namespace assay::reference
