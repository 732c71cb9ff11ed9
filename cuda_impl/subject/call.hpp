// A command that is being answered: its arguments as runtime objects, and the reply under
// construction.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/subject/object.hpp"
#include "cuda_impl/subject/values.hpp"
#include "harness/subject/arguments.hpp"
#include "harness/subject/subject.hpp"

namespace assay::cuda {

namespace dispatch {
class Dispatcher;
}

/// The client's dispatcher, created on demand.
class DispatcherOfClient {
 public:
  std::shared_ptr<dispatch::Dispatcher> get(const Contract& contract);
  /// Also contains the operators of the namespace `aten` (aten/library.hpp).
  std::shared_ptr<dispatch::Dispatcher> with_operators(const Contract& contract);
  bool has_operators();
  /// Discards the dispatcher, and resets the calling thread's key sets.
  void reset();

 private:
  std::mutex mutex_;
  std::shared_ptr<dispatch::Dispatcher> made_;
  bool has_operators_ = false;
};

/// The state shared by all commands of a client.
struct ClientState {
  Session session;
  DispatcherOfClient dispatcher;  // outlives its registrations
  Names names;
};

/// Excludes the scope from the counters: converting arguments and results is not the runtime's
/// work.
class Uncounted {
 public:
  Uncounted() : before_(counters()) {}
  ~Uncounted() { counters() = before_; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Counters before_;
};

class Call {
 public:
  Call(ClientState& client_state, Host& host, const Command& command);
  /// Releases lent references.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The innermost call that this thread is answering. Raises `internal` if there is none.
  static Call& current();

  Session& session() { return client_state_.session; }
  const Contract& contract() const { return client_state_.session.contract(); }
  Release release() const { return contract().release; }
  Names& names() { return client_state_.names; }
  std::shared_ptr<dispatch::Dispatcher> dispatcher() {
    return client_state_.dispatcher.get(contract());
  }
  std::shared_ptr<dispatch::Dispatcher> dispatcher_with_operators() {
    return client_state_.dispatcher.with_operators(contract());
  }
  bool has_operators() { return client_state_.dispatcher.has_operators(); }
  void reset_dispatcher() { client_state_.dispatcher.reset(); }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  /// Arguments that need no conversion: ints, floats, bools, strings, lists.
  Arguments& arguments() { return arguments_; }

  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  /// Returns whether it is absent or None.
  bool is_none(std::string_view name);
  /// By value, and then created for this call, or by reference; in a capture by reference only.
  Tensor tensor(std::string_view name);
  /// Undefined if the argument is None or absent.
  Tensor tensor_or_none(std::string_view name);
  std::vector<Tensor> tensors(std::string_view name);
  Tensor tensor_from(const Value& value);
  /// Raises `invalid` while the current stream captures: a tensor that lives for this call only
  /// would not exist at replay.
  void refuse_values_in_capture() const;

  Dtype dtype(std::string_view name) { return from_waist(arguments_.dtype(name)); }
  std::optional<Dtype> dtype_or_none(std::string_view name);
  /// An existing device, with its index (CORE-20).
  Device device(std::string_view name) { return Session::resolve(device_as_given(name)); }
  std::optional<Device> device_or_none(std::string_view name);
  /// As sent by the client: the index may be missing or invalid.
  Device device_as_given(std::string_view name);
  /// Accepts any number.
  Scalar scalar(std::string_view name);

  /// The object that a reference denotes.
  Object object(std::string_view name) { return names().get(arguments_.ref(name)); }
  /// The same, if it was made from a `T`; `kind` is its name in messages.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    const Object found = object(name);
    if (!found.is<T>()) refuse(name, kind, found);
    return found.as<T>();
  }

  /// Sets a field of the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  void set(std::string name, const Tensor& tensor) { set(std::move(name), give(tensor)); }
  /// Sets the field `result`, which receives the client's name. Without a name, a tensor is
  /// returned by value and another object as opaque.
  void result(Value value);
  void result(Object object) { result_ = std::move(object); }
  void result(const Tensor& tensor) { result_ = Object(tensor); }

  /// A reference if the tensor has a name, otherwise its value.
  Value give(const Tensor& tensor);
  /// In a capture there is no value yet: the field is omitted and reported as one that the reply is
  /// blind to.
  Value by_value(const Tensor& tensor);
  /// Waits for the tensor's stream; raises if that is not permitted.
  Value read(const Tensor& tensor);
  /// If the client gave `as: NAME`, names the tensor NAME.suffix unless that name is in use.
  Value give_as(std::string_view suffix, const Tensor& tensor);
  /// A reference that is valid during this call, with a temporary name if necessary: for callback
  /// arguments.
  Value lend(const Object& object);

  /// Runs a client callback on this thread and forwards its warnings. Raises its error; returns
  /// None if it has no result.
  Value call_back(const std::string& callback, const std::vector<Value>& positional,
                  const Fields& named = {});

  /// For callbacks that return a tensor: returns that tensor object, even if it has no name.
  /// Undefined for other results.
  Tensor call_back_for_tensor(const std::string& callback, const std::vector<Value>& positional);

  /// Rejects arguments that were not read, and names the result.
  Reply finish();

 private:
  [[noreturn]] void refuse(std::string_view name, std::string_view kind, const Object& got) const;
  Value named_result(const Object& object);
  Reply shown_reply();

  ClientState& client_state_;
  Host& host_;
  const Command& command_;
  Arguments arguments_;
  Fields fields_;
  std::optional<Object> result_;
  Object inner_result_;  ///< result of the last command in a callback, if it was an object
  std::vector<std::string> loans_;
  bool is_partly_blind_ = false;
  Call* outer_;
};

}  // namespace assay::cuda
