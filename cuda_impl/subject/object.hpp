// An object that a client can name: tensor, boxed value, guard, optimizer, scaler, …
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "cuda_impl/core/tensor.hpp"
#include "harness/subject/names.hpp"

namespace assay::cuda {

/// Shared ownership of an object of any type; can be accessed only as the type that it was made
/// from.
class Object {
 public:
  Object() = default;
  /// `kind` is used in messages and for opaque results; must be a literal.
  template <typename T>
  Object(std::shared_ptr<T> held, std::string_view kind)
      : held_(std::move(held)), type_(&typeid(T)), kind_(kind) {}
  Object(const Tensor& tensor) : tensor_(tensor), type_(&typeid(TensorBody)), kind_("tensor") {}

  template <typename T>
  bool is() const {
    return type_ != nullptr && *type_ == typeid(T);
  }
  bool is_tensor() const { return is<TensorBody>(); }
  /// Null for another type.
  template <typename T>
  std::shared_ptr<T> as() const {
    return is<T>() ? std::static_pointer_cast<T>(held_) : nullptr;
  }
  /// Undefined if the object is not a tensor.
  Tensor tensor() const { return tensor_; }

  std::string_view kind() const { return kind_; }
  const void* identity() const {
    return is_tensor() ? static_cast<const void*>(tensor_.body().get()) : held_.get();
  }
  /// Includes this one. The undefined tensor has none (CORE-11).
  std::int64_t owners() const {
    return is_tensor() ? tensor_.body().use_count() : held_.use_count();
  }
  /// For objects other than tensors.
  std::weak_ptr<void> weak() const { return held_; }

 private:
  std::shared_ptr<void> held_;  ///< null for tensors
  Tensor tensor_;
  const std::type_info* type_ = nullptr;
  std::string_view kind_;
};

inline const void* identity_of(const Object& object) { return object.identity(); }

using Names = NameTable<Object>;

/// A scope that the command `scope` enters and leaves: once, on the thread that made it.
class Guard {
 public:
  virtual ~Guard() = default;
  virtual void leave() = 0;
};

}  // namespace assay::cuda
