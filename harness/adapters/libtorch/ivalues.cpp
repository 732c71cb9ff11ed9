// Converts values, kind by kind.
#include "harness/adapters/libtorch/ivalues.hpp"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include <functional>

#include "harness/adapters/libtorch/generators.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

c10::TypePtr without_optional(const c10::TypePtr& type) {
  if (type == nullptr) return nullptr;
  const auto optional = type->cast<c10::OptionalType>();
  return optional == nullptr ? type : optional->getElementType();
}

/// The list type that a C++ program would use.
c10::TypePtr type_of_element(const c10::IValue& item) {
  if (item.isTensor()) return c10::TensorType::get();
  if (item.isInt()) return c10::IntType::get();
  if (item.isDouble()) return c10::FloatType::get();
  if (item.isBool()) return c10::BoolType::get();
  if (item.isString()) return c10::StringType::get();
  return c10::AnyType::get();
}

c10::TypePtr common_type(const Stack& items) {
  c10::TypePtr common;
  bool has_none = false;
  for (const c10::IValue& item : items) {
    has_none = has_none || item.isNone();
    if (item.isNone()) continue;
    const c10::TypePtr type = type_of_element(item);
    if (common != nullptr && *common != *type) return c10::AnyType::get();
    common = type;
  }
  if (common == nullptr) return c10::AnyType::get();
  return has_none ? c10::TypePtr(c10::OptionalType::create(common)) : common;
}

Stack items_from(Call& call, const std::vector<Value>& values, const c10::TypePtr& type) {
  Stack items;
  for (const Value& value : values) items.push_back(ivalue_from(call, value, type));
  return items;
}

c10::IValue list_from(Call& call, const std::vector<Value>& values, const c10::TypePtr& type) {
  const auto wanted = type == nullptr ? nullptr : type->cast<c10::ListType>();
  const c10::TypePtr element = wanted == nullptr ? nullptr : wanted->getElementType();
  const Stack items = items_from(call, values, element);
  c10::impl::GenericList list(element == nullptr ? common_type(items) : element);
  for (const c10::IValue& item : items) list.push_back(item);
  return list;
}

c10::IValue dict_from(Call& call, const Dict& dict) {
  Stack keys;
  Stack values;
  for (const auto& [key, value] : dict.items) {
    keys.push_back(ivalue_from(call, key));
    values.push_back(ivalue_from(call, value));
  }
  const bool is_empty = keys.empty();
  c10::impl::GenericDict made(
      is_empty ? c10::TypePtr(c10::StringType::get()) : common_type(keys),
      is_empty ? c10::TypePtr(c10::TensorType::get()) : common_type(values));
  for (std::size_t i = 0; i < keys.size(); ++i) made.insert(keys[i], values[i]);
  return made;
}

/// A reference to a tensor, or to a boxed value, which is then shared.
c10::IValue referred(Call& call, const Ref& ref) {
  const Object found = call.names().get(ref.name);
  if (found.is<c10::IValue>()) return *found.as<c10::IValue>();
  if (found.is<Value>()) return ivalue_from(call, *found.as<Value>());
  return call.tensor_from(ref);
}

using ShowTensor = std::function<Value(const at::Tensor&)>;

Value shown(const c10::IValue& ivalue, const ShowTensor& tensor);

template <typename Items>
std::vector<Value> all_shown(const Items& items, const ShowTensor& tensor) {
  std::vector<Value> values;
  for (const c10::IValue& item : items) values.push_back(shown(item, tensor));
  return values;
}

Value shown_dict(const c10::IValue& ivalue, const ShowTensor& tensor) {
  Dict dict;
  for (const auto& entry : ivalue.toGenericDict()) {
    dict.items.emplace_back(shown(entry.key(), tensor), shown(entry.value(), tensor));
  }
  return dict;
}

Value shown_generator(const at::Generator& generator) {
  return Generator{to_waist(generator.device()), generator.current_seed()};
}

Value shown(const c10::IValue& ivalue, const ShowTensor& tensor) {
  if (ivalue.isNone()) return {};
  if (ivalue.isTensor()) return tensor(ivalue.toTensor());
  if (ivalue.isBool()) return ivalue.toBool();
  if (ivalue.isInt()) return ivalue.toInt();
  if (ivalue.isDouble()) return ivalue.toDouble();
  if (ivalue.isComplexDouble()) return to_waist(ivalue.toScalar());
  if (ivalue.isString()) return ivalue.toStringRef();
  if (ivalue.isDevice()) return to_waist(ivalue.toDevice());
  if (ivalue.isList()) return List{all_shown(ivalue.toListRef(), tensor)};
  if (ivalue.isTuple()) return Tuple{all_shown(ivalue.toTupleRef().elements(), tensor)};
  if (ivalue.isGenericDict()) return shown_dict(ivalue, tensor);
  if (ivalue.isGenerator()) return shown_generator(ivalue.toGenerator());
  return Opaque{ivalue.tagKind()};
}

}  // namespace

c10::IValue ivalue_from(Call& call, const Value& value, const c10::TypePtr& type) {
  if (value.is_none()) return {};
  const c10::TypePtr plain = without_optional(type);
  if (const auto number = scalar_from(value)) return c10::IValue(*number);
  if (const auto* text = value.get_if<std::string>()) return c10::IValue(*text);
  if (const auto* ref = value.get_if<Ref>()) return referred(call, *ref);
  if (const auto* list = value.get_if<List>()) return list_from(call, list->items, plain);
  if (const auto* tuple = value.get_if<Tuple>()) {
    return c10::ivalue::Tuple::create(items_from(call, tuple->items, nullptr));
  }
  if (const auto* dict = value.get_if<Dict>()) return dict_from(call, *dict);
  if (const auto* dtype = value.get_if<Dtype>()) return c10::IValue(to_torch(*dtype));
  if (const auto* device = value.get_if<Device>()) return c10::IValue(to_torch(*device));
  if (const auto* generator = value.get_if<Generator>()) return generator_of(*generator);
  return call.tensor_from(value);
}

Value value_of(Call& call, const c10::IValue& ivalue) {
  return shown(ivalue, [&](const at::Tensor& tensor) { return call.give(tensor); });
}

Value lent_value(Call& call, const c10::IValue& ivalue) {
  return shown(ivalue, [&](const at::Tensor& tensor) { return call.lend(Object(tensor)); });
}

Value shown_in_ran(const c10::IValue& ivalue) {
  if (ivalue.isTuple()) return "Tuple";
  if (ivalue.isGenericDict()) return "Dict";
  if (ivalue.isGenerator()) return "Generator";
  return shown(ivalue, [](const at::Tensor& tensor) -> Value {
    return to_waist(tensor.defined() ? tensor.scalar_type() : at::ScalarType::Undefined);
  });
}

std::string kind_name(const c10::IValue& ivalue) {
  if (ivalue.isGenericDict()) return "Dict";
  if (ivalue.isList()) return "List";
  return ivalue.tagKind();
}

}  // namespace assay::libtorch
