// Reads arguments, collects result fields, runs callbacks, and converts boxed values.
#include "cuda_impl/subject/call.hpp"

#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {

Tensor Call::tensor_from(const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    return expect<TensorBody>(names().get(ref->name), ref->name, "tensor").tensor();
  }
  refuse_values_in_capture();
  const Uncounted uncounted;
  if (const TensorValue* dense = value.tensor()) return cuda::tensor_from(*dense, release());
  if (const SparseValue* sparse = value.sparse()) return sparse_from(*sparse, release());
  throw InvalidArgument(command().verb + ": expected a tensor or a reference to one, not " +
                        std::string(kind_of(value)));
}

std::optional<Dtype> Call::dtype_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return dtype(name);
}

std::optional<Device> Call::device_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return device(name);
}

Device Call::device_as_given(std::string_view name) {
  return from_waist(arguments().device(name), release());
}

Scalar Call::scalar(std::string_view name) {
  const Value& value = arguments().value(name);
  if (const auto number = scalar_from(value)) return *number;
  throw InvalidArgument(command().verb + ": '" + std::string(name) + "' must be a number, not " +
                        std::string(kind_of(value)));
}

void Call::refuse_values_in_capture() const {
  if (memory_of_capture() == nullptr) return;
  throw InvalidArgument(command().verb + ": tensors that are captured must be given by name");
}

Value Call::by_value(const Tensor& tensor) {
  if (!tensor.is_cuda() || memory_of_capture() == nullptr) return read(tensor);
  return not_computed();
}

Value Call::read(const Tensor& tensor) {
  const Uncounted uncounted;
  return cuda::value_of(tensor, {release(), command().digest});
}

Tensor Call::call_back_for_tensor(const std::string& callback,
                                  const std::vector<Value>& arguments) {
  const Value returned = call_back_for_object(callback, arguments);
  if (const auto* ref = returned.get_if<Ref>()) return names().get(ref->name).tensor();
  const bool is_tensor = returned.tensor() != nullptr || returned.sparse() != nullptr;
  return is_tensor ? tensor_from(returned) : Tensor();
}

void Call::raise(assay::ErrorKind kind, const std::string& message) {
  throw Error(from_waist(kind), message);
}

void Call::warn(const assay::Warning& warning) { cuda::warn(warning.category, warning.text); }

Value Call::unnamed(const Object& object) {
  if (object.is_tensor()) return by_value(object.tensor());
  return Opaque{std::string(object.kind())};
}

// Boxed values.

namespace {

std::vector<Boxed> all_boxed(Call& call, const std::vector<Value>& values) {
  std::vector<Boxed> items;
  items.reserve(values.size());
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

/// The named object: a tensor, or a boxed value.
Boxed named(Call& call, const Ref& ref) {
  const Object found = call.names().get(ref.name);
  if (const auto box = found.as<Boxed>()) return *box;
  return Boxed(call.tensor_from(ref));
}

Boxed generator_from(Call& call, const Generator& generator) {
  const Device device = from_waist(generator.device, call.release());
  return Boxed(std::make_shared<BoxedGenerator>(BoxedGenerator{device, generator.seed}));
}

using ShowTensor = Value (*)(Call& call, const Tensor& tensor);

Value shown(Call& call, const Boxed& boxed, ShowTensor show);

std::vector<Value> all_shown(Call& call, const std::vector<Boxed>& items, ShowTensor show) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const Boxed& item : items) values.push_back(shown(call, item, show));
  return values;
}

Value dict_shown(Call& call, const Boxed& boxed, ShowTensor show) {
  Dict dict;
  for (const auto& [key, value] : boxed.dict()) {
    dict.items.emplace_back(shown(call, key, show), shown(call, value, show));
  }
  return dict;
}

Value shown(Call& call, const Boxed& boxed, ShowTensor show) {
  switch (boxed.kind()) {
    case BoxedKind::kNone:
      return {};
    case BoxedKind::kTensor:
      return show(call, boxed.tensor());
    case BoxedKind::kString:
      return boxed.text();
    case BoxedKind::kList:
      return List{all_shown(call, boxed.list(), show)};
    case BoxedKind::kTuple:
      return Tuple{all_shown(call, boxed.tuple(), show)};
    case BoxedKind::kDict:
      return dict_shown(call, boxed, show);
    case BoxedKind::kDevice:
      return to_waist(boxed.device(), call.release());
    case BoxedKind::kGenerator:
      return Generator{to_waist(boxed.generator().device, call.release()), boxed.generator().seed};
    default:
      return value_of(boxed.to_scalar());
  }
}

}  // namespace

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
    return Boxed(number_of(from_waist(*dtype), call.release()));  // CORE-15
  }
  if (const auto* device = value.get_if<assay::Device>()) {
    return Boxed(from_waist(*device, call.release()));
  }
  if (const auto* generator = value.get_if<Generator>()) return generator_from(call, *generator);
  return Boxed(call.tensor_from(value));
}

Value value_of(Call& call, const Boxed& boxed) {
  return shown(call, boxed, [](Call& to, const Tensor& tensor) { return to.give(tensor); });
}

Value lent_value(Call& call, const Boxed& boxed) {
  return shown(call, boxed, [](Call& to, const Tensor& tensor) { return to.lend(Object(tensor)); });
}

}  // namespace assay::cuda
