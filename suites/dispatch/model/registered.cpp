// Tracks a program's registrations by name.
#include "suites/dispatch/model/registered.hpp"

#include <algorithm>

namespace assay::suites {
namespace {

std::string text_of(const Command& command, std::string_view name) {
  const Value* value = command.with.find(name);
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::string ref_of(const Command& command, std::string_view name) {
  const Value* value = command.with.find(name);
  const Ref* ref = value == nullptr ? nullptr : value->get_if<Ref>();
  return ref == nullptr ? std::string() : ref->name;
}

/// 2 for `ns::f(Tensor a, *, Dict(str, int) b) -> Tensor`.
std::size_t count_arguments(const std::string& schema) {
  const std::size_t begin = schema.find('(') + 1;
  std::size_t depth = 0;
  std::size_t count = 0;
  bool inside = false;
  for (std::size_t i = begin; i < schema.size(); ++i) {
    const char letter = schema[i];
    if (letter == ')' && depth == 0) return inside ? count + 1 : count;
    if (letter == '(' || letter == '[') ++depth;
    if (letter == ')' || letter == ']') --depth;
    if (letter == ',' && depth == 0) {
      count += inside ? 1 : 0;
      inside = false;
    } else if (letter != ' ' && letter != '*') {
      inside = true;
    }
  }
  return count;
}

}  // namespace

TableEntry ProgramKernel::entry() const {
  const bool falls = behaviour == "fallthrough";
  return {falls ? TableEntry::Kind::kFallthrough : TableEntry::Kind::kKernel, falls ? "" : label};
}

std::optional<ProgramSchema> Registered::schema(const std::string& op) const {
  const auto found = schemas_.find(op);
  if (found == schemas_.end() || found->second.empty() || unclear_.contains(op)) {
    return std::nullopt;
  }
  return found->second.back();
}

const ProgramKernel* Registered::kernel(const std::string& label) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const auto& named) { return named.second.label == label; });
  return found == kernels_.end() ? nullptr : &found->second;
}

bool Registered::has_calling_kernel() const {
  return std::any_of(kernels_.begin(), kernels_.end(),
                     [](const auto& named) { return named.second.behaviour == "call"; });
}

const ProgramKernel* Registered::kernel_of(const Command& command) const {
  const auto found = kernels_.find(ref_of(command, "kernel"));
  return found == kernels_.end() ? nullptr : &found->second;
}

Registered::Library* Registered::library_of(const Command& command) {
  const auto found = libraries_.find(ref_of(command, "library"));
  return found == libraries_.end() ? nullptr : found->second.get();
}

std::string Registered::full_name(const std::string& name, const Library* library) const {
  if (library == nullptr || name.find("::") != std::string::npos) return name;
  return library->name_space + "::" + name;
}

/// Failed registrations leave traces in PyTorch (DSP-404, DSP-207).
void Registered::refused(const std::string& op) {
  if (!model_.is_strict()) unclear_.insert(op);
}

void Registered::add_kernel(Registration& to, const std::string& op, const std::string& key,
                            const ProgramKernel* kernel) {
  if (kernel == nullptr) {
    unclear_.insert(op);
  } else {
    to.numbers.push_back(model_.add(op, key, kernel->entry()));
  }
}

void Registered::keep(const Command& command, Library* library, const Shared& made) {
  if (!command.as.empty()) registrations_[command.as] = made;
  if (library != nullptr) library->registrations.push_back(made);
}

void Registered::define(const Command& command, bool ok) {
  const std::string schema = text_of(command, "schema");
  Library* library = library_of(command);
  const std::string op = full_name(schema.substr(0, schema.find('(')), library);
  if (!ok) return refused(op);
  const auto made = std::make_shared<Registration>();
  made->defines = op;
  schemas_[op].push_back({count_arguments(schema), schema.find("Tensor[2]") != std::string::npos});
  if (command.with.has("kernel")) {
    add_kernel(*made, op, text_of(command, "key"), kernel_of(command));
  }
  keep(command, library, made);
}

void Registered::implement(const Command& command, bool ok) {
  Library* library = library_of(command);
  const std::string op = full_name(text_of(command, "op"), library);
  if (!ok) return refused(op);
  if (command.with.has("device")) unclear_.insert(op);
  const auto made = std::make_shared<Registration>();
  std::string key = text_of(command, "key");
  if (key.empty() && library != nullptr) key = library->key;
  add_kernel(*made, op, key, kernel_of(command));
  keep(command, library, made);
}

void Registered::fall_back(const Command& command, bool ok) {
  if (!ok) return;
  Library* library = library_of(command);
  std::string key = text_of(command, "key");
  if (key.empty() && library != nullptr) key = library->key;
  const ProgramKernel* kernel = kernel_of(command);
  lost_ = lost_ || kernel == nullptr || !model_.layout().is_runtime(key) || key == "Undefined" ||
          model_.has_fallback(key);
  if (lost_) return;
  const auto made = std::make_shared<Registration>();
  made->numbers.push_back(model_.add_fallback(key, kernel->entry()));
  keep(command, library, made);
}

void Registered::open_library(const Command& command) {
  auto library = std::make_shared<Library>();
  library->name_space = text_of(command, "namespace");
  library->key = text_of(command, "key");
  libraries_[command.as] = library;
}

void Registered::move_library(const Command& command) {
  const auto from = libraries_.find(ref_of(command, "library"));
  if (from == libraries_.end()) return;
  libraries_[command.as] = from->second;
  from->second = std::make_shared<Library>();
}

/// DSP-417; in PyTorch, some of the previous registrations remain forever.
void Registered::assign(const Command& command) {
  const auto to = registrations_.find(ref_of(command, "to"));
  const auto from = registrations_.find(ref_of(command, "from"));
  lost_ =
      lost_ || !model_.is_strict() || to == registrations_.end() || from == registrations_.end();
  if (lost_) return;
  end(*to->second);
  to->second = from->second;
  from->second = std::make_shared<Registration>();
}

void Registered::end(Registration& registration) {
  for (const int number : registration.numbers) model_.remove(number);
  registration.numbers.clear();
  if (registration.defines.empty()) return;
  schemas_[std::exchange(registration.defines, "")].pop_back();
}

void Registered::drop(const std::string& name) {
  if (const auto found = registrations_.find(name); found != registrations_.end()) {
    end(*found->second);
    registrations_.erase(found);
  }
  if (const auto found = libraries_.find(name); found != libraries_.end()) {
    for (const Shared& held : found->second->registrations) end(*held);
    libraries_.erase(found);
  }
}

bool Registered::follow(const Command& command, bool ok) {
  const std::string& verb = command.verb;
  if (verb == "dispatch.def") {
    define(command, ok);
  } else if (verb == "dispatch.impl") {
    implement(command, ok);
  } else if (verb == "dispatch.fallback") {
    fall_back(command, ok);
  } else if (!ok) {
    return false;
  } else if (verb == "dispatch.kernel") {
    const std::string label = text_of(command, "label");
    kernels_[command.as] = {label.empty() ? command.as : label, text_of(command, "behaviour"),
                            command.with.has("signature"),
                            !command.with.has("keys") && !command.with.has("takes_keys")};
  } else if (verb == "dispatch.library") {
    open_library(command);
  } else if (verb == "dispatch.move_library") {
    move_library(command);
  } else if (verb == "dispatch.assign") {
    assign(command);
  } else if (verb == "drop") {
    drop(ref_of(command, "object"));
  } else if (verb == "dispatch.reset_library") {
    if (Library* library = library_of(command)) {
      for (const Shared& held : std::exchange(library->registrations, {})) end(*held);
    }
  } else if (verb == "dispatch.autograd_fallback" || verb == "dispatch.entry") {
    lost_ = lost_ || verb == "dispatch.autograd_fallback";
  } else if (verb == "callback") {
    for (const Command& inner : command.body) {
      if (inner.verb == "dispatch.impl") refused(text_of(inner, "op"));
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace assay::suites
