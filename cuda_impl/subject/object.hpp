// Whatever a client can name: tensors, boxes, guards, optimizers, scalers.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "cuda_impl/core/tensor.hpp"
#include "harness/subject/names.hpp"

namespace assay::cuda {

/// Owns together with everybody else who does. Knows the type that it was made of, which is the
/// only one that it can be taken out as.
class Object {
 public:
  Object() = default;
  /// `kind` is for messages, and for results that have no name; a literal.
  template <typename T>
  Object(std::shared_ptr<T> held, std::string_view kind)
      : held_(std::move(held)), type_(&typeid(T)), kind_(kind) {}
  Object(const Tensor& tensor) : tensor_(tensor), type_(&typeid(TensorBody)), kind_("tensor") {}

  template <typename T>
  bool is() const {
    return type_ != nullptr && *type_ == typeid(T);
  }
  bool is_tensor() const { return is<TensorBody>(); }
  /// Null where it is something else.
  template <typename T>
  std::shared_ptr<T> as() const {
    return is<T>() ? std::static_pointer_cast<T>(held_) : nullptr;
  }
  /// The undefined tensor where it is something else, too.
  Tensor tensor() const { return tensor_; }

  std::string_view kind() const { return kind_; }
  const void* identity() const {
    return is_tensor() ? static_cast<const void*>(tensor_.body().get()) : held_.get();
  }
  /// This one among them. The undefined tensor has none (CORE-11).
  std::int64_t owners() const {
    return is_tensor() ? tensor_.body().use_count() : held_.use_count();
  }
  /// Of what is no tensor.
  std::weak_ptr<void> weak() const { return held_; }

 private:
  std::shared_ptr<void> held_;  ///< null for tensors
  Tensor tensor_;
  const std::type_info* type_ = nullptr;
  std::string_view kind_;
};

inline const void* identity_of(const Object& object) { return object.identity(); }

using Names = NameTable<Object>;

/// What `scope` enters and leaves: once, on the thread that made it.
class Guard {
 public:
  virtual ~Guard() = default;
  virtual void leave() = 0;
};

}  // namespace assay::cuda
