// A command being answered: its arguments as objects of the reference, the growing reply, and the
// table of the functions that answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/subject/call.hpp"
#include "harness/subject/command_table.hpp"
#include "harness/subject/names.hpp"
#include "harness/subject/object.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/subject/values.hpp"

namespace assay::reference {

/// An object that a client can name: tensor, boxed value, guard, optimizer, …
class Object : public SharedObject {
 public:
  using SharedObject::SharedObject;
  Object(const Tensor& tensor) : SharedObject(tensor.impl(), "tensor") {}

  bool is_tensor() const { return is<TensorImpl>(); }
  /// Undefined if the object is not a tensor.
  Tensor tensor() const { return Tensor(as<TensorImpl>()); }
};

/// The names that the client has given.
using Names = NameTable<Object>;

/// Excludes a scope from the counters: converting arguments is not the runtime's work.
class Uncounted {
 public:
  explicit Uncounted(Runtime& runtime) : runtime_(runtime), before_(runtime.counters()) {}
  ~Uncounted() { runtime_.counters() = before_; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Runtime& runtime_;
  Counters before_;
};

/// Returns None if the question raises.
template <typename Question>
Value answer_or_none(const Question& question) {
  try {
    return question();
  } catch (const Error&) {
    return {};
  }
}

class Call : public CallOf<Call, Object, Tensor> {
 public:
  Call(Runtime& runtime, Names& names, Host& host, const Command& command)
      : CallOf(names, host, command), runtime_(runtime) {}

  Runtime& runtime() { return runtime_; }
  /// The first argument of most functions of the reference.
  Runtime& context() { return runtime_; }
  Uncounted uncounted() { return Uncounted(runtime_); }
  const Contract& contract() const { return runtime_.contract(); }

  /// By value (created for this call only) or by reference. By value is rejected during a capture
  /// of the current stream, because the tensor would not exist at replay.
  Tensor tensor_from(const Value& value);
  ScalarType dtype(std::string_view name) { return to_reference(arguments().dtype(name)); }
  std::optional<ScalarType> dtype_or_none(std::string_view name);
  Device device(std::string_view name);
  std::optional<Device> device_or_none(std::string_view name);
  /// Accepts any number.
  Scalar scalar(std::string_view name);

  Value value_of(const Scalar& scalar) const { return to_protocol(scalar); }
  Value value_of(Device device) const { return to_protocol(runtime_, device); }

  void refuse_values_in_capture();
  /// First waits for the tensor's stream. While that captures there is no value; the field is
  /// omitted and listed as one that the reply is blind to.
  Value by_value(const Tensor& tensor);
  /// Always waits, and raises the errors of waiting.
  Value read(const Tensor& tensor);

  // What CallOf asks for.
  [[noreturn]] static void raise(assay::ErrorKind kind, const std::string& message);
  void warn(const assay::Warning& warning) { runtime_.warn(warning.category, warning.text); }
  Value unnamed(const Object& object);

 private:
  Runtime& runtime_;
};

// Boxed values.

/// A reference denotes a tensor or a box, which is shared. A dtype is boxed as its number.
IValue ivalue_from(Call& call, const Value& value);
/// Named tensors are converted to references.
Value value_of(Call& call, const IValue& ivalue);
/// For callback arguments: converts every tensor to a reference that is valid during this call.
Value lent_value(Call& call, const IValue& ivalue);

using CommandTable = CommandTableOf<Call>;

/// The table of all commands; created once.
const CommandTable& command_table();

/// The commands that belong to no area.
void add_session_commands(CommandTable& table);

// For each other command of the waist a function that answers it: core_to for core.to.
#include <waist/handlers.inc>

}  // namespace assay::reference
