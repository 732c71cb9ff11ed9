// The way back: which operators made a tensor, each with what its derivative needs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

class GradientNode;

/// In the order in which they run; each gets what the one before has made of the gradient.
struct GradientHooks {
  std::vector<std::function<Tensor(const Tensor& gradient)>> all;

  Tensor applied(Tensor gradient) const;
};

/// Where the gradient of an operator's argument goes: into a leaf, or on to what made it, or
/// nowhere. It arrives with the argument's own shape, type and device.
struct GradientEdge {
  Tensor leaf;
  std::shared_ptr<GradientNode> node;
  Shape sizes;
  Dtype dtype = Dtype::kFloat32;
  Device device;

  bool goes_on() const { return leaf.defined() || node != nullptr; }
  /// `leaf`, `none`, or the node's.
  std::string_view kind() const;
};
/// Nowhere for a tensor that requires no gradient, whose shape and type the edge knows all the
/// same, and for the undefined one. To a node that raises `not_implemented` where nobody knows how
/// the tensor was made.
GradientEdge edge_to(const Tensor& argument);

/// A tensor that a derivative needs, as it was.
class SavedTensor {
 public:
  SavedTensor() = default;
  /// Raises `error` for an inference tensor (CORE-14).
  explicit SavedTensor(Tensor tensor);

  /// Raises `error` where it was written to since (CORE-13).
  const Tensor& get() const;
  const Tensor& as_it_is() const { return tensor_; }
  void release() { tensor_ = {}; }

 private:
  Tensor tensor_;
  std::uint64_t version_ = 0;
};

/// One operator that was called. It lives as long as what it made, or what was made of that.
class GradientNode {
 public:
  /// `kind`: the operator's name, or `cast`; a literal.
  GradientNode(std::string_view kind, std::vector<GradientEdge> edges);
  virtual ~GradientNode() = default;
  GradientNode(const GradientNode&) = delete;
  GradientNode& operator=(const GradientNode&) = delete;

  /// One for each edge, of any shape and type that can be summed and cast to the argument's;
  /// undefined where there is none. Raises `error` where what was saved has been given up.
  std::vector<Tensor> gradients(const Tensor& outcome);
  /// What was saved is given up.
  void release();

  std::string_view kind() const { return kind_; }
  const std::vector<GradientEdge>& edges() const { return edges_; }
  const std::vector<SavedTensor>& saved() const { return saved_; }
  /// Greater than that of whatever its arguments were made by.
  std::uint64_t order() const { return order_; }

  GradientHooks hooks;  ///< of the outcome's gradient

 protected:
  /// A place for the undefined tensor, too.
  void save(const std::vector<Tensor>& tensors);

 private:
  virtual std::vector<Tensor> compute(const Tensor& outcome) = 0;

  std::string_view kind_;
  std::vector<GradientEdge> edges_;
  std::vector<SavedTensor> saved_;
  std::uint64_t order_;
  bool is_released_ = false;
};

/// From now on `made` requires a gradient and was made by that node.
void set_history(const Tensor& made, std::shared_ptr<GradientNode> node);
/// Is what is made of the arguments recorded now, in grad mode?
bool is_recorded(const std::vector<Tensor>& arguments);
/// The gradient on its way into the tensor goes through the hook from now on. Raises `error` for a
/// tensor that requires none.
void add_hook(const Tensor& tensor, std::function<Tensor(const Tensor& gradient)> hook);

}  // namespace assay::cuda
