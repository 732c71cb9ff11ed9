// One command in progress: its arguments as PyTorch objects, and its reply.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/adapters/libtorch/object.hpp"
#include "harness/subject/call.hpp"

namespace assay::libtorch {

class Call : public CallOf<Call, Object, at::Tensor> {
 public:
  using CallOf::CallOf;

  /// By value (created for this call), or by reference.
  at::Tensor tensor_from(const Value& value);
  at::ScalarType dtype(std::string_view name);
  std::optional<at::ScalarType> dtype_or_none(std::string_view name);
  template <typename T, typename... A>
  void give_guard(A&&... arguments) {
    std::shared_ptr<Guard> guard = std::make_shared<HeldGuard<T>>(std::forward<A>(arguments)...);
    result(Object(std::move(guard), "guard"));
  }

  // What CallOf asks for.
  [[noreturn]] static void raise(ErrorKind kind, const std::string& message);
  static void warn(const Warning& warning);
  Value unnamed(const Object& object);
};

}  // namespace assay::libtorch
