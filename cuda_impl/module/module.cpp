// Parameters, buffers and children by name.
#include "cuda_impl/module/module.hpp"

#include <algorithm>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/module/contents.hpp"

namespace assay::cuda {
namespace {

template <typename List>
auto entry_of(List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(),
                      [&](const auto& entry) { return entry.first == name; });
}

template <typename T>
void put(NamedList<T>& list, const std::string& name, T value) {
  const auto found = entry_of(list, name);
  if (found == list.end()) {
    list.emplace_back(name, std::move(value));
  } else {
    found->second = std::move(value);
  }
}

template <typename T>
const T& got(const NamedList<T>& list, const std::string& name, const char* what) {
  const auto found = entry_of(list, name);
  require(found != list.end(), ErrorKind::kAttribute,
          [&] { return "the module has no " + std::string(what) + " '" + name + "'"; });
  return found->second;
}

}  // namespace

std::string_view name_of(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::kLinear:
      return "Linear";
    case ModuleKind::kRelu:
      return "ReLU";
    case ModuleKind::kMseLoss:
      return "MSELoss";
    case ModuleKind::kSequential:
      return "Sequential";
    case ModuleKind::kPlain:
      break;
  }
  return "Module";
}

void Module::require_free(const std::string& name, Sort sort) const {
  const auto has = [&](const auto& list) { return entry_of(list, name) != list.end(); };
  const bool is_taken = (sort != Sort::kParameter && has(parameters_)) ||
                        (sort != Sort::kBuffer && has(buffers_)) ||
                        (sort != Sort::kChild && has(children_)) || has(attributes_);
  require(!is_taken, ErrorKind::kKey, [&] { return "attribute '" + name + "' already exists"; });
}

void Module::set_parameter(const std::string& name, const Tensor& tensor) {
  require_free(name, Sort::kParameter);
  put(parameters_, name, tensor);
}

void Module::put_parameter(const std::string& name, const Tensor& tensor) {
  put(parameters_, name, tensor);
}

void Module::set_buffer(const std::string& name, const Tensor& tensor) {
  require_free(name, Sort::kBuffer);
  put(buffers_, name, tensor);
}

void Module::set_child(const std::string& name, std::shared_ptr<Module> child) {
  require_free(name, Sort::kChild);
  put(children_, name, std::move(child));
}

void Module::set_attribute(const std::string& name, PlainAttribute value) {
  put(attributes_, name, std::move(value));
}

std::vector<std::shared_ptr<Module>> Module::children() const {
  std::vector<std::shared_ptr<Module>> once;
  for (const auto& [name, child] : children_) {
    const bool is_new = std::find(once.begin(), once.end(), child) == once.end();
    if (child != nullptr && is_new) once.push_back(child);
  }
  return once;
}

std::pair<const Module*, std::string> Module::last_of(const std::string& path) const {
  const Module* holder = this;
  std::string_view rest = path;
  while (rest.find('.') != std::string_view::npos) {
    const std::string name(rest.substr(0, rest.find('.')));
    const std::shared_ptr<Module>& child = got(holder->children_, name, "child");
    require(child != nullptr, ErrorKind::kAttribute,
            [&] { return "the child '" + name + "' is an empty slot"; });
    holder = child.get();
    rest.remove_prefix(name.size() + 1);
  }
  return {holder, std::string(rest)};
}

const Tensor& Module::parameter(const std::string& path) const {
  const auto [module, name] = last_of(path);
  return got(module->parameters_, name, "parameter");
}

const Tensor& Module::buffer(const std::string& path) const {
  const auto [module, name] = last_of(path);
  return got(module->buffers_, name, "buffer");
}

const PlainAttribute& Module::attribute(const std::string& path) const {
  const auto [module, name] = last_of(path);
  return got(module->attributes_, name, "attribute");
}

void Module::set_training(bool value) {
  const ModuleDepth deeper;
  is_training_ = value;
  for (const auto& [name, child] : children_) {
    if (child != nullptr) child->set_training(value);
  }
}

thread_local unsigned ModuleDepth::now_ = 0;

void ModuleDepth::enter() {
  require(now_ < 1000, ErrorKind::kError,
          [] { return "the modules lie too deep in each other, or in themselves"; });
  ++now_;
}

Tensor make_parameter(const Tensor& tensor, bool requires_grad) {
  require_gradient_type(tensor.dtype(), requires_grad);
  Tensor parameter = detach(tensor);
  parameter->is_parameter = true;
  parameter->requires_grad = requires_grad;
  return parameter;
}

}  // namespace assay::cuda
