// The objects that a client can name, whatever their type, for subjects written in C++.
#pragma once

#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace assay {

/// Shared ownership of an object of any type. It can be read only as the type that it was made
/// from. Each subject derives its own type of objects, which adds its tensors.
class SharedObject {
 public:
  SharedObject() = default;
  /// `kind` is for messages and opaque results, and must be a literal.
  template <typename T>
  SharedObject(std::shared_ptr<T> held, std::string_view kind)
      : held_(std::move(held)), type_(&typeid(T)), kind_(kind), identity_(held_.get()) {}

  template <typename T>
  bool is() const {
    return type_ != nullptr && *type_ == typeid(T);
  }
  /// Null for another type.
  template <typename T>
  std::shared_ptr<T> as() const {
    return is<T>() ? std::static_pointer_cast<T>(held_) : nullptr;
  }
  std::string_view kind() const { return kind_; }
  const void* identity() const { return identity_; }
  const std::shared_ptr<void>& held() const { return held_; }

 protected:
  /// An object that is held elsewhere, or known by another address than its own.
  SharedObject(std::shared_ptr<void> held, const std::type_info& type, std::string_view kind,
               const void* identity)
      : held_(std::move(held)), type_(&type), kind_(kind), identity_(identity) {}

 private:
  std::shared_ptr<void> held_;
  const std::type_info* type_ = nullptr;
  std::string_view kind_;
  const void* identity_ = nullptr;
};

inline const void* identity_of(const SharedObject& object) { return object.identity(); }

/// A scope that the client enters and leaves: once, on the thread that made it.
class Guard {
 public:
  virtual ~Guard() = default;
  virtual void leave() = 0;
};

}  // namespace assay
