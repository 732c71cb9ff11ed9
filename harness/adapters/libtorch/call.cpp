// Reads arguments and writes fields of the reply.
#include "harness/adapters/libtorch/call.hpp"

#include "harness/adapters/libtorch/errors.hpp"
#include "harness/adapters/libtorch/tensors.hpp"
#include "harness/adapters/libtorch/warnings.hpp"

namespace assay::libtorch {

at::Tensor Call::tensor_from(const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) {
    return *expect<at::Tensor>(names().get(ref->name), ref->name, "tensor").as<at::Tensor>();
  }
  if (const TensorValue* dense = value.tensor()) return tensor_of(*dense);
  if (value.sparse() != nullptr) throw NotSupported("sparse tensors by value");
  throw InvalidArgument(command().verb + ": a tensor or a reference to one was expected, not " +
                        std::string(kind_of(value)));
}

at::ScalarType Call::dtype(std::string_view name) { return to_torch(arguments().dtype(name)); }

std::optional<at::ScalarType> Call::dtype_or_none(std::string_view name) {
  if (is_none(name)) return std::nullopt;
  return dtype(name);
}

void Call::raise(ErrorKind kind, const std::string& message) { throw ClientError(kind, message); }

void Call::warn(const Warning& warning) { add_warning(warning); }

Value Call::unnamed(const Object& object) {
  if (object.is<at::Tensor>()) return by_value(*object.as<at::Tensor>(), command().digest);
  return Opaque{std::string(object.kind())};
}

}  // namespace assay::libtorch
