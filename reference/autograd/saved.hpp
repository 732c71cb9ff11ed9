// A tensor that a node saves for backward.
#pragma once

#include <memory>

#include "reference/autograd/node.hpp"

namespace assay::reference {

/// Detects later in-place writes. The node's own result is saved without its history, to avoid a
/// reference cycle.
class SavedTensor {
 public:
  SavedTensor() = default;
  static SavedTensor input(const Tensor& tensor);
  static SavedTensor result(const Tensor& tensor);

  /// Raises `error` if the tensor was modified in place or released. `owner` is the node that saved
  /// it.
  Tensor unpack(const std::shared_ptr<Node>& owner) const;
  /// Returns the tensor without the checks.
  const Tensor& tensor() const { return tensor_; }
  void release();

 private:
  Tensor tensor_;
  std::shared_ptr<void> hold_;  ///< MOVE-10: while it lives, the tensor cannot be swapped
  std::uint64_t version_ = 0;
  bool is_result_ = false;
  std::size_t number_ = 0;
  bool is_released_ = false;
};

}  // namespace assay::reference
