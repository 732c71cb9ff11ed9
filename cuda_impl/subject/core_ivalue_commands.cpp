// Area core: boxed values.
#include "cuda_impl/subject/boxed.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

Boxed boxed_from(Call& call, const Value& value);

std::vector<Boxed> all_boxed(Call& call, const std::vector<Value>& values) {
  std::vector<Boxed> items;
  for (const Value& value : values) items.push_back(boxed_from(call, value));
  return items;
}

Boxed dict_from(Call& call, const Dict& dict) {
  auto boxed = std::make_shared<BoxedDict>();
  for (const auto& [key, value] : dict.items) {
    boxed->items.emplace_back(boxed_from(call, key), boxed_from(call, value));
  }
  return Boxed(std::move(boxed));
}

/// What has a name is a tensor, or in a box already.
Boxed named(Call& call, const Ref& ref) {
  const Object found = call.names().get(ref.name);
  if (const auto box = found.as<Boxed>()) return *box;
  return Boxed(call.tensor_from(ref));
}

Boxed generator_from(Call& call, const Generator& generator) {
  const Device device = from_waist(generator.device, call.release());
  return Boxed(std::make_shared<BoxedGenerator>(BoxedGenerator{device, generator.seed}));
}

Boxed boxed_from(Call& call, const Value& value) {
  if (value.is_none()) return {};
  if (const auto number = scalar_from(value)) return Boxed(*number);
  if (const auto* text = value.get_if<std::string>()) return Boxed(*text);
  if (const auto* ref = value.get_if<Ref>()) return named(call, *ref);
  if (const auto* list = value.get_if<List>()) {
    return Boxed(std::make_shared<BoxedItems>(BoxedItems{all_boxed(call, list->items)}));
  }
  if (const auto* tuple = value.get_if<Tuple>()) {
    return Boxed(std::make_shared<BoxedTuple>(BoxedTuple{all_boxed(call, tuple->items)}));
  }
  if (const auto* dict = value.get_if<Dict>()) return dict_from(call, *dict);
  if (const auto* dtype = value.get_if<assay::Dtype>()) {
    return Boxed(Scalar(number_of(from_waist(*dtype), call.release())));  // CORE-15
  }
  if (const auto* device = value.get_if<assay::Device>()) {
    return Boxed(from_waist(*device, call.release()));
  }
  if (const auto* generator = value.get_if<Generator>()) return generator_from(call, *generator);
  return Boxed(call.tensor_from(value));
}

Value shown(Call& call, const Boxed& boxed);

std::vector<Value> all_shown(Call& call, const std::vector<Boxed>& items) {
  std::vector<Value> values;
  for (const Boxed& item : items) values.push_back(shown(call, item));
  return values;
}

struct Show {
  Call& call;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(const Tensor& held) const { return call.give(held); }
  Value operator()(double held) const { return held; }
  Value operator()(std::complex<double> held) const { return value_of(Scalar(held)); }
  Value operator()(std::int64_t held) const { return held; }
  Value operator()(bool held) const { return held; }
  Value operator()(const std::string& held) const { return held; }
  Value operator()(const std::shared_ptr<BoxedItems>& held) const {
    return List{all_shown(call, held->items)};
  }
  Value operator()(const std::shared_ptr<BoxedTuple>& held) const {
    return Tuple{all_shown(call, held->items)};
  }
  Value operator()(const std::shared_ptr<BoxedDict>& held) const {
    Dict dict;
    for (const auto& [key, value] : held->items) {
      dict.items.emplace_back(shown(call, key), shown(call, value));
    }
    return dict;
  }
  Value operator()(Device held) const { return to_waist(held, call.release()); }
  Value operator()(const std::shared_ptr<BoxedGenerator>& held) const {
    return Generator{to_waist(held->device, call.release()), held->seed};
  }
};

Value shown(Call& call, const Boxed& boxed) { return std::visit(Show{call}, boxed.payload()); }

std::shared_ptr<Boxed> box(Call& call) { return call.held<Boxed>("ivalue", "boxed value"); }

void give_box(Call& call, Boxed boxed) {
  call.result(Object(std::make_shared<Boxed>(std::move(boxed)), "ivalue"));
}

void make(Call& call) {
  Boxed made = boxed_from(call, call.arguments().value("value"));
  call.set("kind", made.kind());
  give_box(call, std::move(made));
}

void take_out(Call& call) {
  const auto held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(value_of(held->to_scalar()));
  held->expect(kind);
  if (const auto* tensor = std::get_if<Tensor>(&held->payload())) return call.result(*tensor);
  call.result(shown(call, *held));
}

void copy(Call& call) { give_box(call, *box(call)); }

void move(Call& call) {
  const auto from = box(call);
  Boxed moved = std::move(*from);
  call.set("moved_from", from->kind());
  give_box(call, std::move(moved));
}

void push(Call& call) {
  const auto list = box(call);
  list->push(boxed_from(call, call.arguments().value("value")));
  call.result(Object(list, "ivalue"));
}

}  // namespace

void add_core_ivalue_commands(CommandTable& table) {
  table.add("core.ivalue", make);
  table.add("core.ivalue_to", take_out);
  table.add("core.ivalue_copy", copy);
  table.add("core.ivalue_move", move);
  table.add("core.ivalue_push", push);
}

}  // namespace assay::cuda
