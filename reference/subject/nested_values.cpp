// Converts containers of tensors.
#include "reference/subject/nested_values.hpp"

namespace assay::reference {
namespace {

/// A sequence of listed values. Creates tensors
/// immediately, because it may outlive the call.
class GivenSequence final : public LazySequence {
 public:
  explicit GivenSequence(std::vector<Nested> items) : items_(std::move(items)) {}
  std::optional<Nested> next() override {
    if (at_ == items_.size()) return std::nullopt;
    return items_[at_++];
  }

 private:
  std::vector<Nested> items_;
  std::size_t at_ = 0;
};

std::vector<Nested> all_nested(Call& call, const std::vector<Value>& values) {
  std::vector<Nested> items;
  for (const Value& value : values) items.push_back(outputs_from(call, value));
  return items;
}

std::shared_ptr<LazySequence> sequence_of(std::vector<Nested> items) {
  return std::make_shared<GivenSequence>(std::move(items));
}

/// Iterates over the characters, as strings.
Nested text(const std::string& held) {
  const auto iterate = [held] {
    std::vector<Nested> characters;
    for (const char letter : held) characters.push_back(text(std::string(1, letter)));
    return sequence_of(std::move(characters));
  };
  return {NestedOther{Value(held), "str", iterate}};
}

/// Iterates over the keys.
Nested dict(Call& call, const Value& value, const Dict& held) {
  std::vector<Nested> keys;
  for (const auto& [key, mapped] : held.items) keys.push_back(outputs_from(call, key));
  return {NestedOther{value, "dict", [keys] { return sequence_of(keys); }}};
}

Nested referred(Call& call, const Value& value, const std::string& name) {
  const Object object = call.names().get(name);
  if (object.is<TensorImpl>()) return {Tensor(object.as<TensorImpl>())};
  if (object.is<LazySequence>()) return {object.as<LazySequence>()};
  return {NestedOther{value, std::string(object.kind()), {}}};
}

Value to_value(Call& call, const Nested& nested);

std::vector<Value> all_values(Call& call, const std::vector<Nested>& items) {
  std::vector<Value> values;
  for (const Nested& item : items) values.push_back(to_value(call, item));
  return values;
}

struct ToValue {
  Call& call;

  Value operator()(const Tensor& tensor) const { return call.give(tensor); }
  Value operator()(const NestedList& list) const { return List{all_values(call, list.items)}; }
  Value operator()(const NestedTuple& tuple) const { return Tuple{all_values(call, tuple.items)}; }
  Value operator()(const NestedNamed& named) const {
    NamedTuple made{named.type, {}};
    for (std::size_t i = 0; i < named.names.size(); ++i) {
      made.fields.emplace_back(named.names[i], to_value(call, named.items[i]));
    }
    return made;
  }
  Value operator()(const std::shared_ptr<LazySequence>&) const { return Opaque{"lazy"}; }
  Value operator()(const NestedOther& other) const {
    const auto* original = std::any_cast<Value>(&other.original);
    return original == nullptr ? Value(Opaque{other.kind}) : *original;
  }
};

Value to_value(Call& call, const Nested& nested) { return std::visit(ToValue{call}, nested.value); }

}  // namespace

Nested outputs_from(Call& call, const Value& value) {
  if (value.tensor() != nullptr || value.sparse() != nullptr) return {call.tensor_from(value)};
  if (const auto* ref = value.get_if<Ref>()) return referred(call, value, ref->name);
  if (const auto* list = value.get_if<List>()) return {NestedList{all_nested(call, list->items)}};
  if (const auto* tuple = value.get_if<Tuple>()) {
    return {NestedTuple{all_nested(call, tuple->items)}};
  }
  if (const auto* lazy = value.get_if<Lazy>()) {
    return {sequence_of(all_nested(call, lazy->items))};
  }
  if (const auto* held = value.get_if<std::string>()) return text(*held);
  if (const auto* held = value.get_if<Dict>()) return dict(call, value, *held);
  if (const auto* named = value.get_if<NamedTuple>()) {
    NestedNamed made{named->type, {}, {}};
    for (const auto& [name, field] : named->fields) {
      made.names.push_back(name);
      made.items.push_back(outputs_from(call, field));
    }
    return {std::move(made)};
  }
  return {NestedOther{value, std::string(kind_of(value)), {}}};
}

void set_outputs_result(Call& call, const Nested& nested) {
  if (const auto* tensor = std::get_if<Tensor>(&nested.value)) return call.result(*tensor);
  if (const auto* lazy = std::get_if<std::shared_ptr<LazySequence>>(&nested.value)) {
    return call.result(Object(*lazy, "lazy"));
  }
  call.result(to_value(call, nested));
}

}  // namespace assay::reference
