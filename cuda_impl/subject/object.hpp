// An object that a client can name: tensor, boxed value, guard, optimizer, scaler, …
#pragma once

#include <cstdint>

#include "cuda_impl/core/tensor.hpp"
#include "harness/subject/names.hpp"
#include "harness/subject/object.hpp"

namespace assay::cuda {

class Object : public SharedObject {
 public:
  using SharedObject::SharedObject;
  Object(const Tensor& tensor)
      : SharedObject(nullptr, typeid(TensorBody), "tensor", tensor.body().get()), tensor_(tensor) {}

  bool is_tensor() const { return is<TensorBody>(); }
  /// Undefined if the object is not a tensor.
  Tensor tensor() const { return tensor_; }
  /// Includes this one. The undefined tensor has none (CORE-11).
  std::int64_t owners() const {
    return is_tensor() ? tensor_.body().use_count() : held().use_count();
  }

 private:
  Tensor tensor_;
};

using Names = NameTable<Object>;

}  // namespace assay::cuda
