// A command that is being answered: its arguments as runtime objects, the reply under construction,
// and the table of the functions that answer.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/subject/values.hpp"
#include "harness/subject/call.hpp"
#include "harness/subject/command_table.hpp"
#include "harness/subject/names.hpp"
#include "harness/subject/object.hpp"

namespace assay::cuda {

/// An object that a client can name: tensor, boxed value, guard, optimizer, scaler, …
class Object : public SharedObject {
 public:
  using SharedObject::SharedObject;
  Object(const Tensor& tensor)
      : SharedObject(nullptr, typeid(TensorBody), "tensor", tensor.body().get()), tensor_(tensor) {}

  bool is_tensor() const { return is<TensorBody>(); }
  /// Undefined if the object is not a tensor.
  Tensor tensor() const { return tensor_; }
  /// Includes this one. The undefined tensor has none (CORE-11).
  std::int64_t owners() const {
    return is_tensor() ? tensor_.body().use_count() : held().use_count();
  }

 private:
  Tensor tensor_;
};

using Names = NameTable<Object>;

namespace dispatch {
class Dispatcher;
}

/// The client's dispatcher, created on demand, with the operators of the namespace `aten`
/// (aten/library.hpp).
class LazyDispatcher {
 public:
  std::shared_ptr<dispatch::Dispatcher> get(const Contract& contract);
  /// Discards the dispatcher, and resets the calling thread's key sets.
  void reset();

 private:
  std::mutex mutex_;
  std::shared_ptr<dispatch::Dispatcher> made_;
};

/// The state shared by all commands of a client.
struct SubjectState {
  Session session;
  LazyDispatcher dispatcher;  // outlives its registrations
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

class Call : public CallOf<Call, Object, Tensor> {
 public:
  Call(SubjectState& state, Host& host, const Command& command)
      : CallOf(state.names, host, command), state_(state) {}

  Session& session() { return state_.session; }
  const Contract& contract() const { return state_.session.contract(); }
  /// The first argument of the operators of loss scaling.
  const Contract& context() const { return contract(); }
  static Uncounted uncounted() { return {}; }
  Release release() const { return contract().release; }
  std::shared_ptr<dispatch::Dispatcher> dispatcher() { return state_.dispatcher.get(contract()); }
  void reset_dispatcher() { state_.dispatcher.reset(); }

  /// By value, and then created for this call, or by reference; in a capture by reference only.
  Tensor tensor_from(const Value& value);
  /// Raises `invalid` while the current stream captures: a tensor that lives for this call only
  /// would not exist at replay.
  void refuse_values_in_capture() const;

  Dtype dtype(std::string_view name) { return from_waist(arguments().dtype(name)); }
  std::optional<Dtype> dtype_or_none(std::string_view name);
  /// An existing device, with its index (CORE-20).
  Device device(std::string_view name) { return Session::resolve(device_as_given(name)); }
  std::optional<Device> device_or_none(std::string_view name);
  /// As sent by the client: the index may be missing or invalid.
  Device device_as_given(std::string_view name);
  /// Accepts any number.
  Scalar scalar(std::string_view name);

  static Value value_of(const Scalar& scalar) { return cuda::value_of(scalar); }
  Value value_of(Device device) const { return to_waist(device, release()); }

  /// In a capture there is no value yet: the field is omitted and reported as one that the reply is
  /// blind to.
  Value by_value(const Tensor& tensor);
  /// Waits for the tensor's stream; raises if that is not permitted.
  Value read(const Tensor& tensor);
  /// For callbacks that return a tensor: returns that tensor object, even if it has no name.
  /// Undefined for other results.
  Tensor call_back_for_tensor(const std::string& callback, const std::vector<Value>& positional);

  // What CallOf asks for.
  [[noreturn]] static void raise(assay::ErrorKind kind, const std::string& message);
  static void warn(const assay::Warning& warning);
  Value unnamed(const Object& object);

 private:
  SubjectState& state_;
};

/// A runtime guard that lasts until the client leaves it.
template <typename T>
class HeldGuard final : public Guard {
 public:
  template <typename... Args>
  explicit HeldGuard(Args&&... args) : held_(std::in_place, std::forward<Args>(args)...) {}
  void leave() override { held_.reset(); }

 private:
  std::optional<T> held_;
};

/// Sets the result to a guard that has been entered.
template <typename T, typename... Args>
void give_held(Call& call, Args&&... args) {
  std::shared_ptr<Guard> guard = std::make_shared<HeldGuard<T>>(std::forward<Args>(args)...);
  call.result(Object(std::move(guard), "guard"));
}

// Boxed values as protocol values.

/// A reference to a boxed value shares its content.
Boxed boxed_from(Call& call, const Value& value);
/// Tensors become references if they have a name, otherwise values.
Value value_of(Call& call, const Boxed& boxed);
/// For callback arguments: tensors become references, lent ones if they have no name.
Value lent_value(Call& call, const Boxed& boxed);

/// The argument `device`: a device type in text form.
DeviceKind autocast_device(Call& call);

using CommandTable = CommandTableOf<Call>;

/// The table of all commands; created once.
const CommandTable& command_table();

/// The commands that belong to no area.
void add_session_commands(CommandTable& table);

// For each other command of the waist a function that answers it: core_to for core.to.
#include <waist/handlers.inc>

}  // namespace assay::cuda
