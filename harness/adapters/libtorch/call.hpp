// One command in progress: its arguments as PyTorch objects, and its reply.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/adapters/libtorch/object.hpp"
#include "harness/subject/arguments.hpp"
#include "harness/subject/subject.hpp"

namespace assay::libtorch {

class Call {
 public:
  Call(Names& names, Host& host, const Command& command)
      : names_(names), host_(host), command_(command), arguments_(command), outer_(innermost()) {
    innermost() = this;
  }
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The command that this thread is answering. Throws if there is none.
  static Call& current();

  Names& names() { return names_; }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  Arguments& arguments() { return arguments_; }

  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  at::Tensor tensor(std::string_view name) { return tensor_from(arguments_.value(name)); }
  /// By value (created for this call), or by reference.
  at::Tensor tensor_from(const Value& value);
  at::ScalarType dtype(std::string_view name);
  std::optional<at::ScalarType> dtype_or_none(std::string_view name);
  Object object(std::string_view name) { return names_.get(arguments_.ref(name)); }
  /// The object behind a reference, which must be a T. `kind` is used in the error message.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    const Object found = object(name);
    if (!found.is<T>()) refuse_kind(name, kind, found);
    return found.as<T>();
  }

  /// Adds a field to the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  /// Marks a field that PyTorch does not expose.
  void blind(std::string name) { blind_.push_back(std::move(name)); }
  /// Sets the `result`, which gets the client's name. An object without a name is opaque.
  void result(Value value);
  void result(const at::Tensor& tensor) { result_ = Object::of(tensor); }
  void result(Object object) { result_ = std::move(object); }
  template <typename T, typename... A>
  void give_guard(A&&... arguments) {
    std::shared_ptr<Guard> guard = std::make_shared<HeldGuard<T>>(std::forward<A>(arguments)...);
    result(Object::of(std::move(guard), "guard"));
  }

  /// A reference if the tensor has a name, else its value.
  Value give(const at::Tensor& tensor);
  /// A reference that is valid during this call, for the arguments of callbacks.
  Value lend(const Object& object);

  /// Rejects arguments that were not read, and names the result.
  Reply finish();

 private:
  /// Null if this thread answers no command.
  static Call*& innermost();
  [[noreturn]] void refuse_kind(std::string_view name, std::string_view kind, const Object& got);

  Names& names_;
  Host& host_;
  const Command& command_;
  Arguments arguments_;
  Fields fields_;
  std::vector<std::string> blind_;
  std::optional<Object> result_;
  std::vector<std::string> lent_;
  Call* outer_;
};

/// The result of the client's callback. Throws its errors and forwards its warnings.
Value call_back(Call& call, const std::string& callback, const std::vector<Value>& arguments,
                const Fields& named = {});

}  // namespace assay::libtorch
