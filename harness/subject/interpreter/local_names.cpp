// Renames names inside blocks.
#include <algorithm>
#include <string_view>

#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {
namespace {

constexpr std::string_view kCallback = "callback";

void collect(std::vector<std::string>& names, const Block& block) {
  for (const Command& command : block) {
    if (!command.as.empty()) names.push_back(command.as);
    if (command.verb == kCallback) continue;
    collect(names, command.enter);
    collect(names, command.body);
  }
}

/// Null if the name is unchanged. `x.scale` is renamed with `x`.
const Value* replacement_of(const std::string& name, const Substitution& substitution,
                            std::string& rest) {
  if (const auto found = substitution.find(name); found != substitution.end()) {
    return &found->second;
  }
  const auto dot = name.find('.');
  if (dot == std::string::npos) return nullptr;
  const auto found = substitution.find(name.substr(0, dot));
  if (found == substitution.end() || !found->second.is<Ref>()) return nullptr;
  rest = name.substr(dot);
  return &found->second;
}

std::string renamed(const std::string& name, const Substitution& substitution) {
  std::string rest;
  const Value* found = replacement_of(name, substitution, rest);
  const Ref* ref = found == nullptr ? nullptr : found->get_if<Ref>();
  return ref == nullptr ? name : ref->name + rest;
}

/// Rebuilds a value; one overload for each kind that contains names.
class Rebuild {
 public:
  explicit Rebuild(const Substitution& substitution) : substitution_(substitution) {}

  Value operator()(const Ref& held) const {
    std::string rest;
    const Value* found = replacement_of(held.name, substitution_, rest);
    if (found == nullptr) return held;
    return rest.empty() ? *found : Value(Ref{found->get_if<Ref>()->name + rest});
  }
  Value operator()(const Callable& held) const {
    const auto found = substitution_.find(held.name);
    if (found == substitution_.end()) return held;
    const Ref* ref = found->second.get_if<Ref>();
    return ref == nullptr ? found->second : Value(Callable{ref->name});
  }
  Value operator()(const List& held) const { return List{items(held.items)}; }
  Value operator()(const Tuple& held) const { return Tuple{items(held.items)}; }
  Value operator()(const Lazy& held) const { return Lazy{items(held.items)}; }
  Value operator()(const Dict& held) const {
    Dict made;
    for (const auto& [name, value] : held.items) {
      made.items.emplace_back(substituted(name, substitution_), substituted(value, substitution_));
    }
    return made;
  }
  Value operator()(const NamedTuple& held) const {
    NamedTuple made{held.type, {}};
    for (const auto& [name, value] : held.fields) {
      made.fields.emplace_back(name, substituted(value, substitution_));
    }
    return made;
  }
  Value operator()(const Value::TensorPtr&) const { return unchanged_; }
  template <typename Leaf>
  Value operator()(const Leaf&) const {
    return unchanged_;
  }

  Value of(const Value& value) {
    unchanged_ = value;
    return std::visit(*this, value.storage());
  }

 private:
  std::vector<Value> items(const std::vector<Value>& held) const {
    std::vector<Value> made;
    made.reserve(held.size());
    for (const Value& item : held) made.push_back(substituted(item, substitution_));
    return made;
  }

  const Substitution& substitution_;
  Value unchanged_;
};

bool holds_names(const Value& value) {
  return value.is<Ref>() || value.is<Callable>() || value.is<List>() || value.is<Tuple>() ||
         value.is<Lazy>() || value.is<Dict>() || value.is<NamedTuple>();
}

Substitution without_bound(Substitution substitution, const std::vector<std::string>& bound) {
  for (const std::string& name : bound) substitution.erase(name);
  return substitution;
}

Substitution inside_callback(const Substitution& outer, const Block& body) {
  Substitution inner = without_bound(outer, names_bound_in(body));
  std::erase_if(inner, [](const auto& entry) { return entry.first.starts_with('$'); });
  return inner;
}

Substitution inside_round(const Substitution& outer, const Command& together) {
  Substitution inner = without_bound(outer, names_bound_in(together.observe));
  for (const auto& [thread, block] : together.threads) {
    inner = without_bound(std::move(inner), names_bound_in(block));
  }
  return inner;
}

Command substituted(const Command& command, const Substitution& substitution) {
  Command made;
  made.id = command.id;
  made.verb = command.verb;
  made.with = substituted(command.with, substitution);
  made.as = renamed(command.as, substitution);
  made.count = command.count;
  made.digest = command.digest;
  made.enter = substituted(command.enter, substitution);
  const bool is_callback = command.verb == kCallback;
  made.body = substituted(command.body,
                          is_callback ? inside_callback(substitution, command.body) : substitution);
  if (command.threads.empty() && command.observe.empty()) return made;
  const Substitution inner = inside_round(substitution, command);
  for (const auto& [thread, block] : command.threads) {
    made.threads.emplace_back(thread, substituted(block, inner));
  }
  made.observe = substituted(command.observe, inner);
  return made;
}

void note_references(LocalNames& names, const std::string& prefix, const Value& value) {
  if (const auto* ref = value.get_if<Ref>(); ref != nullptr && ref->name.starts_with(prefix)) {
    names.add(ref->name);
  } else if (const auto* list = value.get_if<List>()) {
    for (const Value& item : list->items) note_references(names, prefix, item);
  } else if (const auto* dict = value.get_if<Dict>()) {
    for (const auto& [name, item] : dict->items) note_references(names, prefix, item);
  }
}

}  // namespace

std::vector<std::string> names_bound_in(const Block& block) {
  std::vector<std::string> names;
  collect(names, block);
  return names;
}

Value substituted(const Value& value, const Substitution& substitution) {
  return holds_names(value) ? Rebuild(substitution).of(value) : value;
}

Fields substituted(const Fields& fields, const Substitution& substitution) {
  Fields made;
  for (const auto& [name, value] : fields) made.set(name, substituted(value, substitution));
  return made;
}

Block substituted(const Block& block, const Substitution& substitution) {
  if (substitution.empty()) return block;
  Block made;
  made.reserve(block.size());
  for (const Command& command : block) made.push_back(substituted(command, substitution));
  return made;
}

void add_fresh_names(Substitution& substitution, const Block& block,
                     std::atomic<std::uint64_t>& counter) {
  for (const std::string& name : names_bound_in(block)) {
    const std::string fresh = name + kLocalMark + std::to_string(++counter);
    substitution.emplace(name, Ref{fresh});
  }
}

void LocalNames::add(std::string name) {
  const std::scoped_lock lock(mutex_);
  names_.push_back(std::move(name));
}

bool LocalNames::empty() {
  const std::scoped_lock lock(mutex_);
  return names_.empty();
}

std::vector<std::string> LocalNames::take() {
  const std::scoped_lock lock(mutex_);
  std::reverse(names_.begin(), names_.end());
  return std::exchange(names_, {});
}

void note_bound(LocalNames& names, const Command& command, const Reply& reply) {
  if (!reply.succeeded() || command.as.find(kLocalMark) == std::string::npos) return;
  names.add(command.as);
  const std::string prefix = command.as + '.';
  for (const auto& [name, value] : reply.ok) note_references(names, prefix, value);
}

}  // namespace assay
