// A command being answered: its arguments as objects of the reference, and the growing reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/subject/call.hpp"
#include "reference/subject/object.hpp"
#include "reference/subject/values.hpp"

namespace assay::reference {

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

}  // namespace assay::reference
