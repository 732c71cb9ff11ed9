// Area core: boxed values.
#include "reference/core/ivalue.hpp"
#include "reference/subject/core_commands.hpp"

namespace assay::reference {
namespace {

IValue ivalue_from(Call& call, const Value& value);

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

/// A reference may be to a tensor or to a box, which is then shared.
IValue referred(Call& call, const Ref& ref) {
  const Object found = call.names().get(ref.name);
  if (found.is<IValue>()) return *found.as<IValue>();
  return IValue(call.tensor_from(ref));
}

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

Value value_of(Call& call, const IValue& ivalue);

std::vector<Value> values_of(Call& call, const IValue::List& items) {
  std::vector<Value> values;
  for (const IValue& item : items) values.push_back(value_of(call, item));
  return values;
}

struct ToValue {
  Call& call;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(const Tensor& held) const { return call.give(held); }
  Value operator()(double held) const { return held; }
  Value operator()(std::int64_t held) const { return held; }
  Value operator()(bool held) const { return held; }
  Value operator()(std::complex<double> held) const { return to_protocol(Scalar(held)); }
  Value operator()(const std::string& held) const { return held; }
  Value operator()(const IValue::ListPtr& held) const { return List{values_of(call, *held)}; }
  Value operator()(const IValue::TuplePtr& held) const {
    return Tuple{values_of(call, held->items)};
  }
  Value operator()(const IValue::DictPtr& held) const {
    Dict dict;
    for (const auto& [key, value] : *held) {
      dict.items.emplace_back(value_of(call, key), value_of(call, value));
    }
    return dict;
  }
  Value operator()(Device held) const { return to_protocol(call.runtime(), held); }
  Value operator()(const IValue::GeneratorPtr& held) const {
    return Generator{to_protocol(call.runtime(), held->device), held->seed};
  }
};

Value value_of(Call& call, const IValue& ivalue) {
  return std::visit(ToValue{call}, ivalue.payload());
}

std::shared_ptr<IValue> box(Call& call) { return call.held<IValue>("ivalue", "ivalue"); }

void give_box(Call& call, IValue ivalue) {
  call.result(Object::of(std::make_shared<IValue>(std::move(ivalue)), "ivalue"));
}

void make_box(Call& call) {
  IValue made = ivalue_from(call, call.arguments().value("value"));
  call.set("kind", made.kind());
  give_box(call, std::move(made));
}

void read_box(Call& call) {
  const std::shared_ptr<IValue> held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(to_protocol(held->to_scalar()));
  if (kind == "Double") return call.result(held->to_double());
  if (kind == "Int") return call.result(held->to_int());
  if (kind == "Tensor") return call.result(held->to_tensor());
  held->expect_kind(kind);
  call.result(value_of(call, *held));
}

void copy_box(Call& call) { give_box(call, *box(call)); }

void move_box(Call& call) {
  const std::shared_ptr<IValue> from = box(call);
  IValue moved = std::move(*from);
  call.set("moved_from", from->kind());
  give_box(call, std::move(moved));
}

void push_to_box(Call& call) {
  const std::shared_ptr<IValue> list = box(call);
  list->push(ivalue_from(call, call.arguments().value("value")));
  call.result(Object::of(list, "ivalue"));
}

}  // namespace

void add_core_ivalue_commands(CommandTable& table) {
  table.add("core.ivalue", make_box);
  table.add("core.ivalue_to", read_box);
  table.add("core.ivalue_copy", copy_box);
  table.add("core.ivalue_move", move_box);
  table.add("core.ivalue_push", push_to_box);
}

}  // namespace assay::reference
