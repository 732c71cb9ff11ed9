// A command being answered: its arguments as objects of the reference, and the growing reply.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/subject/arguments.hpp"
#include "harness/subject/subject.hpp"
#include "reference/subject/object.hpp"
#include "reference/subject/values.hpp"

namespace assay::reference {

/// The state of a session: the runtime, and the names of the client's objects.
struct ClientState {
  Runtime runtime;
  Names names;
};

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

class Call {
 public:
  Call(ClientState& client_state, Host& host, const Command& command)
      : client_state_(client_state),
        host_(host),
        command_(command),
        arguments_(command),
        outer_(innermost()) {
    innermost() = this;
  }
  ~Call() { innermost() = outer_; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The call that this thread is answering. Raises `internal` if there is none.
  static Call& current();
  /// During a callback: the result of the thread's last command, by value or name.
  static Object& latest_result();
  /// The number of nested callbacks on the thread whose results are kept this way.
  static int& kept_results();

  Runtime& runtime() { return client_state_.runtime; }
  const Contract& contract() const { return client_state_.runtime.contract(); }
  Names& names() { return client_state_.names; }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  /// Arguments without conversion: integers, floats, strings.
  Arguments& arguments() { return arguments_; }

  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  /// By value (created for this call only) or by reference. By value is rejected during a capture
  /// of the current stream, because the tensor would not exist at replay.
  Tensor tensor(std::string_view name);
  /// Undefined if the argument is absent or None.
  Tensor tensor_or_none(std::string_view name);
  std::vector<Tensor> tensors(std::string_view name);
  Tensor tensor_from(const Value& value);
  ScalarType dtype(std::string_view name) { return to_reference(arguments_.dtype(name)); }
  std::optional<ScalarType> dtype_or_none(std::string_view name);
  void refuse_values_in_capture();
  Device device(std::string_view name);
  std::optional<Device> device_or_none(std::string_view name);
  /// Accepts any number.
  Scalar scalar(std::string_view name);
  /// Resolves a reference.
  Object object(std::string_view name) { return names().get(arguments_.ref(name)); }
  /// Resolves a reference to a T. `kind` is used in the error message.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    const Object found = object(name);
    if (!found.is<T>()) refuse_kind(name, kind, found);
    return found.as<T>();
  }

  /// Adds a field to the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  void set(std::string name, const Tensor& tensor) { set(std::move(name), give(tensor)); }
  /// Sets the field `result`, which gets the client's name. An object that stays unnamed is
  /// returned as opaque.
  void result(Value value);
  void result(const Tensor& tensor);
  void result(Object object);

  /// Returns a reference if the tensor has a name, otherwise its value.
  Value give(const Tensor& tensor);
  /// First waits for the tensor's stream. While that captures there is no value; the field is
  /// omitted and listed as one that the reply is blind to.
  Value by_value(const Tensor& tensor);
  /// Always waits, and raises the errors of waiting.
  Value read(const Tensor& tensor);
  /// If the client gave the name NAME in `as`, binds NAME.suffix and returns a reference; without
  /// `as`, returns the tensor as `give` does.
  Value give_as(std::string_view suffix, const Tensor& tensor);
  /// Returns a reference that is valid during this call, for callback arguments.
  Value lend(const Object& object);

  /// Rejects unread arguments and names the result.
  Reply finish();
  /// Releases the lent references. Called exactly once, also after errors.
  void take_back();

 private:
  /// Null if this thread is not answering a command.
  static Call*& innermost();
  [[noreturn]] void refuse_kind(std::string_view name, std::string_view kind, const Object& got);
  Value bound(const Object& object, Value otherwise);
  Reply made_reply();

  ClientState& client_state_;
  Host& host_;
  const Command& command_;
  Arguments arguments_;
  Fields fields_;
  std::optional<Object> result_;
  std::vector<std::string> lent_;
  bool has_captured_ = false;  ///< a field is omitted because of a capture
  Call* outer_;
};

}  // namespace assay::reference
