// Converts containers, and iterates over each kind of them.
#include "cuda_impl/subject/outputs.hpp"

namespace assay::cuda {
namespace {

std::vector<Outputs> all_from(Call& call, const std::vector<Value>& values) {
  std::vector<Outputs> items;
  items.reserve(values.size());
  for (const Value& value : values) items.push_back(outputs_from(call, value));
  return items;
}

/// Iterates over the items once.
Pull pull_over(std::vector<Outputs> items) {
  return [items = std::move(items), at = std::size_t{0}]() mutable -> std::optional<Outputs> {
    if (at == items.size()) return std::nullopt;
    return items[at++];
  };
}

/// A re-iterable object, which is returned unchanged if nothing in it is scaled.
Outputs iterable(const Value& origin, std::function<Pull()> iterate) {
  Outputs made;
  made.kind = Outputs::Kind::kIterable;
  made.iterate = std::move(iterate);
  made.origin = origin;
  return made;
}

/// Its items are its characters, as strings.
Outputs from_text(const std::string& text) {
  return iterable(Value(text), [text] {
    std::vector<Outputs> characters;
    for (const char letter : text) characters.push_back(from_text(std::string(1, letter)));
    return pull_over(std::move(characters));
  });
}

Outputs from_dict(Call& call, const Value& value, const Dict& dict) {
  std::vector<Value> keys;
  for (const auto& [key, held] : dict.items) keys.push_back(key);
  return iterable(value, [items = all_from(call, keys)] { return pull_over(items); });
}

Outputs from_named_tuple(Call& call, const NamedTuple& named) {
  Outputs made;
  made.kind = Outputs::Kind::kNamedTuple;
  made.type_name = named.type;
  for (const auto& [name, value] : named.fields) {
    made.field_names.push_back(name);
    made.items.push_back(outputs_from(call, value));
  }
  made.iterate = [items = made.items] { return pull_over(items); };
  return made;
}

Outputs other(const Value& value) {
  Outputs made;
  made.origin = value;
  return made;
}

Outputs from_reference(Call& call, const Value& value, const std::string& name) {
  const Object object = call.names().get(name);
  if (object.is_tensor() && object.tensor().defined()) return Outputs::of(object.tensor());
  if (const auto lazy = object.as<LazyOutputs>()) {
    return iterable(value, [lazy] { return [lazy] { return lazy->next(); }; });
  }
  return other(value);
}

Value value_from(Call& call, const Outputs& outputs);

std::vector<Value> values_from(Call& call, const std::vector<Outputs>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const Outputs& item : items) values.push_back(value_from(call, item));
  return values;
}

Value named_tuple_from(Call& call, const Outputs& outputs) {
  NamedTuple named{outputs.type_name, {}};
  for (std::size_t i = 0; i < outputs.items.size(); ++i) {
    named.fields.emplace_back(outputs.field_names[i], value_from(call, outputs.items[i]));
  }
  return named;
}

/// Null for a value that was created by iteration.
const Value* origin_of(const Outputs& outputs) { return std::any_cast<Value>(&outputs.origin); }

Value value_from(Call& call, const Outputs& outputs) {
  switch (outputs.kind) {
    case Outputs::Kind::kTensor:
      return call.give(outputs.tensor);
    case Outputs::Kind::kList:
      return List{values_from(call, outputs.items)};
    case Outputs::Kind::kTuple:
      return Tuple{values_from(call, outputs.items)};
    case Outputs::Kind::kNamedTuple:
      return named_tuple_from(call, outputs);
    case Outputs::Kind::kIterable:
    case Outputs::Kind::kOther:
      break;
  }
  const Value* origin = origin_of(outputs);
  return origin == nullptr ? Value(Opaque{"lazy"}) : *origin;
}

}  // namespace

Outputs outputs_from(Call& call, const Value& value) {
  if (value.tensor() != nullptr || value.sparse() != nullptr) {
    return Outputs::of(call.tensor_from(value));
  }
  if (const auto* ref = value.get_if<Ref>()) return from_reference(call, value, ref->name);
  if (const auto* list = value.get_if<List>()) {
    return Outputs::of(Outputs::Kind::kList, all_from(call, list->items));
  }
  if (const auto* tuple = value.get_if<Tuple>()) {
    return Outputs::of(Outputs::Kind::kTuple, all_from(call, tuple->items));
  }
  if (const auto* lazy = value.get_if<Lazy>()) {
    return Outputs::lazily(pull_over(all_from(call, lazy->items)));
  }
  if (const auto* text = value.get_if<std::string>()) return from_text(*text);
  if (const auto* dict = value.get_if<Dict>()) return from_dict(call, value, *dict);
  if (const auto* named = value.get_if<NamedTuple>()) return from_named_tuple(call, *named);
  return other(value);
}

void set_outputs_result(Call& call, const Outputs& outputs) {
  if (outputs.kind == Outputs::Kind::kTensor) return call.result(outputs.tensor);
  const Value* origin = origin_of(outputs);
  if (outputs.kind == Outputs::Kind::kIterable && origin == nullptr) {
    const auto lazy = std::make_shared<LazyOutputs>(LazyOutputs{outputs.iterate()});
    return call.result(Object(lazy, "lazy"));
  }
  const Ref* ref = origin == nullptr ? nullptr : origin->get_if<Ref>();
  if (ref != nullptr) return call.result(call.names().get(ref->name));
  call.result(value_from(call, outputs));
}

}  // namespace assay::cuda
