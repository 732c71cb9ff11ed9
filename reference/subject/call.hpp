// One command being answered: its arguments as the reference has them, and the reply that grows.
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

/// What a session has: the runtime, and the client's names for its objects.
struct World {
  Runtime runtime;
  Names names;
};

/// What happens while it lives is not counted: making arguments is not the runtime's doing.
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

/// None where the question itself is an error.
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
  Call(World& world, Host& host, const Command& command)
      : world_(world), host_(host), command_(command), arguments_(command), outer_(innermost()) {
    innermost() = this;
  }
  ~Call() { innermost() = outer_; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The one that this thread is answering now. Raises `internal` when it answers none.
  static Call& current();
  /// While a callback runs: what the thread's last command made, by value or by name.
  static Object& latest_result();
  /// How many callbacks the thread is in whose results are kept so.
  static int& kept_results();

  Runtime& runtime() { return world_.runtime; }
  const Contract& contract() const { return world_.runtime.contract(); }
  Names& names() { return world_.names; }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  /// Plain arguments: integers, floats, texts.
  Arguments& arguments() { return arguments_; }

  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  /// By value (made for this call alone), or by reference. By value is refused while the current
  /// stream captures: a replay would find nothing.
  Tensor tensor(std::string_view name);
  /// The undefined tensor for an argument that is absent or None.
  Tensor tensor_or_none(std::string_view name);
  std::vector<Tensor> tensors(std::string_view name);
  Tensor tensor_from(const Value& value);
  ScalarType dtype(std::string_view name) { return to_reference(arguments_.dtype(name)); }
  std::optional<ScalarType> dtype_or_none(std::string_view name);
  void refuse_values_in_capture();
  Device device(std::string_view name);
  std::optional<Device> device_or_none(std::string_view name);
  /// A number of any kind.
  Scalar scalar(std::string_view name);
  /// The object behind a reference.
  Object object(std::string_view name) { return names().get(arguments_.ref(name)); }
  /// The same, which must be a T. `kind` is for the message.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    const Object found = object(name);
    if (!found.is<T>()) refuse_kind(name, kind, found);
    return found.as<T>();
  }

  /// A field of the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  void set(std::string name, const Tensor& tensor) { set(std::move(name), give(tensor)); }
  /// The one `result`, which gets the client's name. An object that ends up without a name is
  /// opaque.
  void result(Value value);
  void result(const Tensor& tensor);
  void result(Object object);

  /// A reference if the tensor has a name, its value otherwise.
  Value give(const Tensor& tensor);
  /// The host waits for what the tensor's stream does first. While that captures there is no value:
  /// the field that gets it is left out, and the reply is blind to it.
  Value by_value(const Tensor& tensor);
  /// Waits whatever the stream does, and raises what that raises.
  Value read(const Tensor& tensor);
  /// Binds NAME.suffix where NAME is what the client gave as `as`; returns a reference, or what
  /// `otherwise` is when there is no `as`.
  Value give_as(std::string_view suffix, const Tensor& tensor);
  /// A reference to the object for as long as this call runs, for the arguments of callbacks.
  Value lend(const Object& object);

  /// Arguments that nobody read are refused, the result gets its name.
  Reply finish();
  /// Takes back what was lent. Called once, whatever happened.
  void take_back();

 private:
  /// Null when this thread answers none.
  static Call*& innermost();
  [[noreturn]] void refuse_kind(std::string_view name, std::string_view kind, const Object& got);
  Value bound(const Object& object, Value otherwise);
  Reply made_reply();

  World& world_;
  Host& host_;
  const Command& command_;
  Arguments arguments_;
  Fields fields_;
  std::optional<Object> result_;
  std::vector<std::string> lent_;
  bool has_captured_ = false;  ///< a field holds what is not there yet
  Call* outer_;
};

}  // namespace assay::reference
