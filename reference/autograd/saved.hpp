// A tensor that an operator keeps for backward.
#pragma once

#include <memory>

#include "reference/autograd/node.hpp"

namespace assay::reference {

/// Knows whether the tensor was changed in place since; a result of the operator itself is kept
/// without its history, which would be a cycle.
class SavedTensor {
 public:
  SavedTensor() = default;
  static SavedTensor input(const Tensor& tensor);
  static SavedTensor result(const Tensor& tensor);

  /// Raises `error` when the tensor has been written to, or was let go. `owner` is the node that
  /// keeps it.
  Tensor unpack(const std::shared_ptr<Node>& owner) const;
  /// As it is, for whoever only looks.
  const Tensor& tensor() const { return tensor_; }
  void release();

 private:
  Tensor tensor_;
  std::uint64_t version_ = 0;
  bool is_result_ = false;
  std::size_t number_ = 0;
  bool is_released_ = false;
};

}  // namespace assay::reference
