// One command being answered: its arguments as PyTorch has them, and the reply that grows.
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

  /// The one that this thread is answering now. Throws where it answers none.
  static Call& current();

  Names& names() { return names_; }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  Arguments& arguments() { return arguments_; }

  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  at::Tensor tensor(std::string_view name) { return tensor_from(arguments_.value(name)); }
  /// By value (made for this call alone), or by reference.
  at::Tensor tensor_from(const Value& value);
  at::ScalarType dtype(std::string_view name);
  std::optional<at::ScalarType> dtype_or_none(std::string_view name);
  Object object(std::string_view name) { return names_.get(arguments_.ref(name)); }
  /// The object behind a reference, which must be a T. `kind` is for the message.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    const Object found = object(name);
    if (!found.is<T>()) refuse_kind(name, kind, found);
    return found.as<T>();
  }

  /// A field of the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  /// A field that PyTorch does not show.
  void blind(std::string name) { blind_.push_back(std::move(name)); }
  /// The one `result`, which gets the client's name. An object that ends up without one is opaque.
  void result(Value value);
  void result(const at::Tensor& tensor) { result_ = Object::of(tensor); }
  void result(Object object) { result_ = std::move(object); }
  template <typename T, typename... A>
  void give_guard(A&&... arguments) {
    std::shared_ptr<Guard> guard = std::make_shared<Held<T>>(std::forward<A>(arguments)...);
    result(Object::of(std::move(guard), "guard"));
  }

  /// A reference if the tensor has a name, its value otherwise.
  Value give(const at::Tensor& tensor);
  /// A reference to the object for as long as this call runs, for the arguments of callbacks.
  Value lend(const Object& object);

  /// Arguments that nobody read are refused, the result gets its name.
  Reply finish();

 private:
  /// Null when this thread answers none.
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

/// What the client's callback returned. Its errors are thrown here, its warnings passed on.
Value call_back(Call& call, const std::string& callback, const std::vector<Value>& arguments,
                const Fields& named = {});

}  // namespace assay::libtorch
