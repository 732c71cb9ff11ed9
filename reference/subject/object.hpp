// Type-erased shared pointers to the objects that a client can name: tensors, boxed values, guards,
// optimizers, …
#pragma once

#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "harness/subject/names.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct Object {
  std::shared_ptr<void> pointer;
  const std::type_info* type = nullptr;
  std::string_view kind;  ///< for messages and opaque results; must be a string literal

  template <typename T>
  static Object of(std::shared_ptr<T> held, std::string_view kind) {
    return {std::move(held), &typeid(T), kind};
  }
  static Object of(const Tensor& tensor) { return of(tensor.impl(), "tensor"); }

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

inline const void* identity_of(const Object& object) { return object.pointer.get(); }

/// The names that the client has given.
using Names = NameTable<Object>;

/// A scope that the client enters and leaves. It is left once, on the thread that made it.
class Guard {
 public:
  virtual ~Guard() = default;
  virtual void leave() = 0;
};

}  // namespace assay::reference
