// The objects that a client can name: tensors, boxed values, guards, optimizers, …
#pragma once

#include "harness/subject/names.hpp"
#include "harness/subject/object.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

class Object : public SharedObject {
 public:
  using SharedObject::SharedObject;
  Object(const Tensor& tensor) : SharedObject(tensor.impl(), "tensor") {}

  bool is_tensor() const { return is<TensorImpl>(); }
  /// Undefined if the object is not a tensor.
  Tensor tensor() const { return Tensor(as<TensorImpl>()); }
};

/// The names that the client has given.
using Names = NameTable<Object>;

}  // namespace assay::reference
