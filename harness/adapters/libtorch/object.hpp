// Objects that clients can name: tensors, boxed values, kernels, registrations, guards.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <utility>

#include "harness/subject/names.hpp"
#include "harness/subject/object.hpp"

namespace assay::libtorch {

class Object : public SharedObject {
 public:
  using SharedObject::SharedObject;
  Object(const at::Tensor& tensor)
      : SharedObject(std::make_shared<at::Tensor>(tensor), typeid(at::Tensor), "tensor",
                     tensor.unsafeGetTensorImpl()) {}
};

/// The client's names.
using Names = NameTable<Object>;

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
