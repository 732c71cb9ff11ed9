// Reads arguments and builds the reply.
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

}  // namespace assay::reference
