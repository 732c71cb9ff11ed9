// One command that is being answered: what it was given, as the runtime has it, and what the reply
// will say.
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

/// The client's dispatcher, made when it is first asked for.
class DispatcherOfClient {
 public:
  std::shared_ptr<dispatch::Dispatcher> get(const Contract& contract);
  /// The same, with the operators of the namespace `aten` (aten/library.hpp).
  std::shared_ptr<dispatch::Dispatcher> with_operators(const Contract& contract);
  bool has_operators();
  /// Whether this thread does so at the moment, and so holds the lock.
  static bool is_adding_operators();
  /// The next one is as new, and so are the calling thread's sets of keys.
  void reset();

 private:
  std::mutex mutex_;
  std::shared_ptr<dispatch::Dispatcher> made_;
  bool has_operators_ = false;
};

/// What the commands of a client share.
struct World {
  Session session;
  DispatcherOfClient dispatcher;  // outlives what is registered with it
  Names names;
};

/// What is done while it lives is not counted: making arguments, and reading results, is the
/// subject's own doing.
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
  Call(World& world, Host& host, const Command& command);
  /// Takes back what was lent.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The innermost one that this thread is answering. Raises `internal` where there is none.
  static Call& current();

  Session& session() { return world_.session; }
  const Contract& contract() const { return world_.session.contract(); }
  Release release() const { return contract().release; }
  Names& names() { return world_.names; }
  std::shared_ptr<dispatch::Dispatcher> dispatcher() { return world_.dispatcher.get(contract()); }
  std::shared_ptr<dispatch::Dispatcher> dispatcher_with_operators() {
    return world_.dispatcher.with_operators(contract());
  }
  bool has_operators() { return world_.dispatcher.has_operators(); }
  void reset_dispatcher() { world_.dispatcher.reset(); }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  /// Arguments that are what they are at the waist: ints, floats, bools, texts, lists.
  Arguments& arguments() { return arguments_; }

  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  /// Absent, or None.
  bool is_none(std::string_view name);
  /// Given by value, and then made for this call; or by reference. In a capture by reference only.
  Tensor tensor(std::string_view name);
  /// The undefined tensor for None, and where there is no such argument.
  Tensor tensor_or_none(std::string_view name);
  std::vector<Tensor> tensors(std::string_view name);
  Tensor tensor_from(const Value& value);
  /// Raises `invalid` while the current stream captures: what is made for this call alone would be
  /// gone when the graph runs.
  void refuse_values_in_capture() const;

  Dtype dtype(std::string_view name) { return from_waist(arguments_.dtype(name)); }
  std::optional<Dtype> dtype_or_none(std::string_view name);
  /// One that is there, with its index (CORE-20).
  Device device(std::string_view name) { return Session::resolve(device_as_given(name)); }
  std::optional<Device> device_or_none(std::string_view name);
  /// As the client has put it: the index may be missing, or be that of no device.
  Device device_as_given(std::string_view name);
  /// A number of any kind.
  Scalar scalar(std::string_view name);

  /// What a reference stands for.
  Object object(std::string_view name) { return names().get(arguments_.ref(name)); }
  /// The same, which must have been made of a `T`; `kind` is what the message calls it.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    const Object found = object(name);
    if (!found.is<T>()) refuse(name, kind, found);
    return found.as<T>();
  }

  /// A field of the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  void set(std::string name, const Tensor& tensor) { set(std::move(name), give(tensor)); }
  /// The field `result`, which gets the client's name. A tensor without a name is given by value,
  /// another object without one is opaque.
  void result(Value value);
  void result(Object object) { result_ = std::move(object); }
  void result(const Tensor& tensor) { result_ = Object(tensor); }

  /// A reference where the tensor has a name, its value otherwise.
  Value give(const Tensor& tensor);
  /// In a capture there is none yet: the field that gets it is left out, and named as one that this
  /// reply is blind to.
  Value by_value(const Tensor& tensor);
  /// Waits for the tensor's stream, and raises where that is not permitted.
  Value read(const Tensor& tensor);
  /// With NAME for the client's `as`, the tensor is named NAME.suffix unless that name is taken.
  Value give_as(std::string_view suffix, const Tensor& tensor);
  /// A reference to the object, by a name of its own if need be, for as long as this call lives:
  /// for arguments of callbacks.
  Value lend(const Object& object);

  /// Runs a callback of the client on this thread, and passes its warnings on. Raises what it
  /// raised; None where it has no result.
  Value call_back(const std::string& callback, const std::vector<Value>& positional,
                  const Fields& named = {});

  /// The same for a callback whose result is a tensor: the very one, also where it has no name.
  /// Undefined where the result is something else.
  Tensor call_back_for_tensor(const std::string& callback, const std::vector<Value>& positional);

  /// Refuses arguments that nobody has read, and names the result.
  Reply finish();

 private:
  [[noreturn]] void refuse(std::string_view name, std::string_view kind, const Object& got) const;
  Value named_result(const Object& object);
  Reply shown_reply();

  World& world_;
  Host& host_;
  const Command& command_;
  Arguments arguments_;
  Fields fields_;
  std::optional<Object> result_;
  Object inner_result_;  ///< of the last command that a callback ran, where that was an object
  std::vector<std::string> lent_;
  bool is_partly_blind_ = false;
  Call* outer_;
};

}  // namespace assay::cuda
