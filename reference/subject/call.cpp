// Reads arguments, builds the reply, and converts boxed values to and from protocol values.
#include "reference/subject/call.hpp"

#include "reference/autograd/steps.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/runtime/streams/cuda.hpp"

namespace assay::reference {

Tensor Call::tensor_from(const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    return Tensor(expect<TensorImpl>(names().get(ref->name), ref->name, "tensor").as<TensorImpl>());
  }
  refuse_values_in_capture();
  const Uncounted uncounted(runtime());
  if (const TensorValue* dense = value.tensor()) return to_reference(runtime(), *dense);
  if (const SparseValue* sparse = value.sparse()) return to_reference(runtime(), *sparse);
  throw InvalidArgument(command().verb + ": a tensor or a reference to one was expected, not " +
                        std::string(kind_of(value)));
}

std::optional<ScalarType> Call::dtype_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return dtype(name);
}

Device Call::device(std::string_view name) {
  return to_reference(runtime(), arguments().device(name));
}

std::optional<Device> Call::device_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return device(name);
}

Scalar Call::scalar(std::string_view name) {
  const Value& value = arguments().value(name);
  if (const auto number = scalar_from(value)) return *number;
  throw InvalidArgument(command().verb + ": '" + std::string(name) + "' must be a number, not " +
                        std::string(kind_of(value)));
}

void Call::refuse_values_in_capture() {
  if (!is_capturing(runtime())) return;
  throw InvalidArgument(command().verb +
                        ": while the current stream captures, tensors are given by name");
}

Value Call::by_value(const Tensor& tensor) {
  if (tensor.defined() && has_no_data(tensor)) return Opaque{"tensor without data"};
  const bool is_on_device = tensor.defined() && tensor.is_cuda();
  // Any wait for a stream would invalidate this thread's capture (FLT-016).
  const bool is_captured =
      is_on_device && (is_capturing(runtime()) || is_capturing(runtime(), tensor.device().index));
  return is_captured ? not_computed() : read(tensor);
}

Value Call::read(const Tensor& tensor) {
  if (tensor.defined()) {
    wait_for_stream(runtime(), tensor.is_sparse() ? tensor.values().device() : tensor.device());
  }
  return to_protocol(runtime(), tensor, command().digest);
}

void Call::raise(assay::ErrorKind kind, const std::string& message) {
  throw Error(static_cast<ErrorKind>(kind), message);
}

Value Call::unnamed(const Object& object) {
  if (object.is<TensorImpl>()) return by_value(Tensor(object.as<TensorImpl>()));
  return Opaque{std::string(object.kind())};
}

// Boxed values.

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
