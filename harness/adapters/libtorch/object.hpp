// Objects that clients can name: tensors, boxed values, kernels, registrations, guards.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "harness/subject/names.hpp"

namespace assay::libtorch {

struct Object {
  std::shared_ptr<void> pointer;
  const std::type_info* type = nullptr;
  std::string_view kind;           ///< for messages and opaque results; must be a literal
  const void* identity = nullptr;  ///< of a tensor, its TensorImpl

  template <typename T>
  static Object of(std::shared_ptr<T> held, std::string_view kind) {
    const void* identity = held.get();
    return {std::move(held), &typeid(T), kind, identity};
  }
  static Object of(const at::Tensor& tensor) {
    const void* identity = tensor.unsafeGetTensorImpl();
    return {std::make_shared<at::Tensor>(tensor), &typeid(at::Tensor), "tensor", identity};
  }

  template <typename T>
  bool is() const {
    return type != nullptr && *type == typeid(T);
  }
  /// Requires `is<T>()`.
  template <typename T>
  std::shared_ptr<T> as() const {
    return std::static_pointer_cast<T>(pointer);
  }
};

inline const void* identity_of(const Object& object) { return object.identity; }

/// The client's names.
using Names = NameTable<Object>;

/// A guard, entered and left by `scope`. It is left once, on the thread that made it.
class Guard {
 public:
  virtual ~Guard() = default;
  virtual void leave() = 0;
};

/// A PyTorch guard that lives until the client leaves it.
template <typename T>
class HeldGuard final : public Guard {
 public:
  template <typename... A>
  explicit HeldGuard(A&&... arguments) : held_(std::in_place, std::forward<A>(arguments)...) {}
  void leave() override { held_.reset(); }

 private:
  std::optional<T> held_;
};

}  // namespace assay::libtorch
