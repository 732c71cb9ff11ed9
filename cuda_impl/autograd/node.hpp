// The way back: which operators made a tensor, each with what its derivative needs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

class GradientNode;

/// Where the gradient of an operator's argument goes: into a leaf, or on to what made it, or
/// nowhere. It arrives with the argument's own shape, type and device.
struct GradientEdge {
  Tensor leaf;
  std::shared_ptr<GradientNode> node;
  Shape sizes;
  Dtype dtype = Dtype::kFloat32;
  Device device;

  bool goes_on() const { return leaf.defined() || node != nullptr; }
};
/// Nowhere for a tensor that requires no gradient, and for the undefined one. To a node that raises
/// `not_implemented` where nobody knows how the tensor was made.
GradientEdge edge_to(const Tensor& argument);

/// A tensor that a derivative needs, as it was.
class SavedTensor {
 public:
  SavedTensor() = default;
  explicit SavedTensor(Tensor tensor) : tensor_(std::move(tensor)), version_(tensor_.version()) {}

  /// Raises `error` where it was written to since.
  const Tensor& get() const;
  void release() { tensor_ = {}; }

 private:
  Tensor tensor_;
  std::uint64_t version_ = 0;
};

/// One operator that was called. It lives as long as what it made, or what was made of that.
class GradientNode {
 public:
  explicit GradientNode(std::vector<GradientEdge> edges);
  virtual ~GradientNode() = default;
  GradientNode(const GradientNode&) = delete;
  GradientNode& operator=(const GradientNode&) = delete;

  /// One for each edge, of any shape and type that can be summed and cast to the argument's;
  /// undefined where the edge goes nowhere. Called once: raises `error` after `release`.
  std::vector<Tensor> gradients(const Tensor& outcome);
  /// What was saved is given up.
  void release();

  const std::vector<GradientEdge>& edges() const { return edges_; }
  /// Greater than that of whatever its arguments were made by.
  std::uint64_t order() const { return order_; }

 protected:
  bool needs(std::size_t edge) const { return edges_[edge].goes_on(); }

 private:
  virtual std::vector<Tensor> compute(const Tensor& outcome) = 0;
  virtual void release_saved() = 0;

  std::vector<GradientEdge> edges_;
  std::uint64_t order_;
  bool is_released_ = false;
};

/// From now on `made` requires a gradient and was made by that node.
void set_history(const Tensor& made, std::shared_ptr<GradientNode> node);

}  // namespace assay::cuda
