// Reads and returns the arguments of the loss-scaling operators.
#include "cuda_impl/subject/amp_arguments.hpp"

#include <limits>
#include <string>

namespace assay::cuda {
namespace {

Tensor tensor_of_int(std::int64_t value, Device device) {
  using Limits = std::numeric_limits<std::int32_t>;
  require(value >= Limits::min() && value <= Limits::max(), [&] {
    return "value " + std::to_string(value) + " cannot be converted to int without overflow";
  });
  return full({}, static_cast<double>(value), Dtype::kInt32, device);
}

/// Undefined if such an argument is not converted to a tensor.
Tensor tensor_of_number(const Bindable& given, Dtype dtype, Device device) {
  const auto* integer = std::get_if<std::int64_t>(&given);
  const auto* real = std::get_if<double>(&given);
  if (dtype == Dtype::kInt32 && integer != nullptr) return tensor_of_int(*integer, device);
  if (dtype == Dtype::kInt32 || (integer == nullptr && real == nullptr)) return {};
  const double number = real != nullptr ? *real : static_cast<double>(*integer);
  const auto rounded = static_cast<float>(number);
  const Tensor made = empty({}, dtype, device);
  write_elements(made, reinterpret_cast<const std::byte*>(&rounded));
  return made;
}

}  // namespace

Device device_of(Call& call) { return call.device_or_none("device").value_or(home()); }

Bindable bindable(Call& call, const Value* value) {
  if (value == nullptr) return Missing{};
  if (const auto* truth = value->get_if<bool>()) return *truth;
  if (const auto* integer = value->get_if<std::int64_t>()) return *integer;
  if (const auto* real = value->get_if<double>()) return *real;
  if (value->tensor() != nullptr || value->sparse() != nullptr) return call.tensor_from(*value);
  if (const auto* ref = value->get_if<Ref>()) {
    const Object object = call.names().get(ref->name);
    if (object.is_tensor()) return object.tensor();
    return UnsupportedArgument{std::string(object.kind())};
  }
  return UnsupportedArgument{std::string(kind_of(*value))};
}

ScalarOperand scalar_operand(Call& call, std::string_view name, const Parameter& parameter,
                             Dtype dtype) {
  const Bindable given = bindable(call, call.arguments().optional(name));
  const bool is_number =
      std::holds_alternative<std::int64_t>(given) || std::holds_alternative<double>(given);
  if (is_number) call.refuse_values_in_capture();
  const Uncounted uncounted;
  if (const Tensor made = tensor_of_number(given, dtype, device_of(call)); made.defined())
    return {made, true};
  return {bind_tensor(given, parameter), false};
}

Value give_back(Call& call, const ScalarOperand& operand, const Tensor& tensor) {
  if (!operand.was_number) return call.give(tensor);
  const Uncounted uncounted;
  const double number = read_number(tensor);
  if (tensor.dtype() == Dtype::kInt32) return static_cast<std::int64_t>(number);
  return number;
}

std::vector<Tensor> gradients(Call& call) {
  const Value* value = call.arguments().optional("grads");
  const Parameter parameter = {kUnscaleOp, "self", 1};
  const std::vector<Value>* items = nullptr;
  if (value != nullptr) {
    if (const auto* list = value->get_if<List>()) items = &list->items;
    if (const auto* tuple = value->get_if<Tuple>()) items = &tuple->items;
  }
  if (items == nullptr) {
    refuse_argument(parameter, "tuple of Tensors", value == nullptr ? "nothing" : kind_of(*value));
  }
  std::vector<Tensor> grads;
  for (const Value& item : *items) grads.push_back(bind_tensor(bindable(call, &item), parameter));
  return grads;
}

Value by_value(Call& call, const std::vector<Tensor>& tensors) {
  List list;
  for (const Tensor& tensor : tensors) list.items.push_back(call.by_value(tensor));
  return list;
}

Variant variant_of(Call& call) {
  const std::string name = call.arguments().text("variant", "in_place");
  if (name == "in_place") return Variant::kInPlace;
  if (name == "functional") return Variant::kFunctional;
  if (name == "out") return Variant::kOut;
  throw NotSupported("no variant '" + name + "'");
}

bool goes_to_kernel(Call& call, Variant variant) {
  const std::string route = call.arguments().text("route", "dispatch");
  if (route == "dispatch") return false;
  if (route != "kernel") throw NotSupported("no route '" + route + "'");
  if (variant != Variant::kInPlace) throw NotSupported("kernels exist in place only");
  return true;
}

}  // namespace assay::cuda
