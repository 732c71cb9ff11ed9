// Reads arguments, collects result fields, and runs callbacks.
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

}  // namespace assay::cuda
