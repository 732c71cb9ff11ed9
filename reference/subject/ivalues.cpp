// Converts boxed values to and from protocol values.
#include "reference/subject/ivalues.hpp"

namespace assay::reference {
namespace {

IValue::List items_from(Call& call, const std::vector<Value>& values) {
  IValue::List items;
  for (const Value& value : values) items.push_back(ivalue_from(call, value));
  return items;
}

IValue dict_from(Call& call, const Dict& dict) {
  auto made = std::make_shared<IValue::Dict>();
  for (const auto& [key, value] : dict.items) {
    made->emplace_back(ivalue_from(call, key), ivalue_from(call, value));
  }
  return IValue(std::move(made));
}

IValue generator_from(Call& call, const Generator& generator) {
  const Device device = to_reference(call.runtime(), generator.device);
  return IValue(std::make_shared<GeneratorState>(GeneratorState{device, generator.seed}));
}

/// A reference to a tensor or to a box; boxes are shared.
IValue referred(Call& call, const Ref& ref) {
  const Object found = call.names().get(ref.name);
  if (found.is<IValue>()) return *found.as<IValue>();
  return IValue(call.tensor_from(ref));
}

/// How to show a tensor without a name: by value, or as a lent reference.
using ShowTensor = Value (*)(Call&, const Tensor&);

Value show(Call& call, const Tensor& tensor) { return call.give(tensor); }
Value lend(Call& call, const Tensor& tensor) { return call.lend(Object(tensor)); }

Value shown(Call& call, const IValue& ivalue, ShowTensor tensor);

std::vector<Value> all_shown(Call& call, const IValue::List& items, ShowTensor tensor) {
  std::vector<Value> values;
  for (const IValue& item : items) values.push_back(shown(call, item, tensor));
  return values;
}

struct ToValue {
  Call& call;
  ShowTensor tensor;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(const Tensor& held) const { return tensor(call, held); }
  Value operator()(double held) const { return held; }
  Value operator()(std::int64_t held) const { return held; }
  Value operator()(bool held) const { return held; }
  Value operator()(std::complex<double> held) const { return to_protocol(Scalar(held)); }
  Value operator()(const std::string& held) const { return held; }
  Value operator()(const IValue::ListPtr& held) const {
    return List{all_shown(call, *held, tensor)};
  }
  Value operator()(const IValue::TuplePtr& held) const {
    return Tuple{all_shown(call, held->items, tensor)};
  }
  Value operator()(const IValue::DictPtr& held) const {
    Dict dict;
    for (const auto& [key, value] : *held) {
      dict.items.emplace_back(shown(call, key, tensor), shown(call, value, tensor));
    }
    return dict;
  }
  Value operator()(Device held) const { return to_protocol(call.runtime(), held); }
  Value operator()(const IValue::GeneratorPtr& held) const {
    return Generator{to_protocol(call.runtime(), held->device), held->seed};
  }
};

Value shown(Call& call, const IValue& ivalue, ShowTensor tensor) {
  return std::visit(ToValue{call, tensor}, ivalue.payload());
}

}  // namespace

IValue ivalue_from(Call& call, const Value& value) {
  if (value.is_none()) return {};
  if (const auto number = scalar_from(value)) return IValue(*number);
  if (const auto* text = value.get_if<std::string>()) return IValue(*text);
  if (const auto* ref = value.get_if<Ref>()) return referred(call, *ref);
  if (const auto* list = value.get_if<List>()) {
    return IValue(std::make_shared<IValue::List>(items_from(call, list->items)));
  }
  if (const auto* tuple = value.get_if<Tuple>()) {
    return IValue(std::make_shared<IValue::Tuple>(IValue::Tuple{items_from(call, tuple->items)}));
  }
  if (const auto* dict = value.get_if<Dict>()) return dict_from(call, *dict);
  if (const auto* dtype = value.get_if<assay::Dtype>()) {
    return {to_reference(*dtype), call.contract().release};
  }
  if (const auto* device = value.get_if<assay::Device>()) {
    return IValue(to_reference(call.runtime(), *device));
  }
  if (const auto* generator = value.get_if<Generator>()) return generator_from(call, *generator);
  return IValue(call.tensor_from(value));
}

Value value_of(Call& call, const IValue& ivalue) { return shown(call, ivalue, show); }
Value lent_value(Call& call, const IValue& ivalue) { return shown(call, ivalue, lend); }

}  // namespace assay::reference
