// The autograd graph: nodes for recorded operators, with the data that their derivatives need.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

class GradientNode;

/// Called in this order; each receives the previous one's result.
struct GradientHooks {
  std::vector<std::function<Tensor(const Tensor& gradient)>> all;

  Tensor applied(Tensor gradient) const;
};

/// The destination of an argument's gradient: a leaf, the node that computed it, or none. The
/// gradient is converted to the argument's shape, dtype and device.
struct GradientEdge {
  Tensor leaf;
  std::shared_ptr<GradientNode> node;
  /// Of a leaf: its hooks, which a swap of its contents exchanges (MOVE-10).
  std::shared_ptr<GradientHooks> leaf_hooks;
  /// Of a leaf on a CUDA device: the current stream of its first use, shared by all edges to it.
  std::shared_ptr<const DeviceStream> leaf_stream;
  Shape sizes;
  Dtype dtype = Dtype::kFloat32;
  Device device;

  bool goes_on() const { return leaf.defined() || node != nullptr; }
  /// Whether the contents of its leaf have been swapped since the edge was made.
  bool is_stale() const { return leaf.defined() && leaf->hooks != leaf_hooks; }
  /// Returns `leaf`, `none`, or the kind of the node.
  std::string_view kind() const;
  /// The stream of the node that receives the gradient through this edge; none on a CPU.
  std::optional<DeviceStream> stream() const;
};
/// Returns an empty edge for the undefined tensor, and one with shape and dtype but no destination
/// for a tensor that requires no gradient.
GradientEdge edge_to(const Tensor& argument);

/// A tensor that cannot be swapped while this lives (MOVE-10).
class HeldTensor {
 public:
  HeldTensor() = default;
  explicit HeldTensor(Tensor tensor) : tensor_(std::move(tensor)) {
    if (tensor_.defined()) ++tensor_->watchers;
  }
  HeldTensor(const HeldTensor& other) : HeldTensor(other.tensor_) {}
  HeldTensor(HeldTensor&& other) noexcept : tensor_(std::move(other.tensor_)) {}
  HeldTensor& operator=(HeldTensor other) noexcept {
    std::swap(tensor_, other.tensor_);
    return *this;
  }
  ~HeldTensor() {
    if (tensor_.defined()) --tensor_->watchers;
  }

  const Tensor& operator*() const { return tensor_; }

 private:
  Tensor tensor_;
};

/// A tensor saved for a derivative; detects later modifications.
class SavedTensor {
 public:
  SavedTensor() = default;
  /// Raises `error` for an inference tensor (CORE-14).
  explicit SavedTensor(Tensor tensor);

  /// Raises `error` if the tensor was modified in place since (CORE-13).
  const Tensor& get() const;
  const Tensor& as_it_is() const { return *tensor_; }
  void release() { tensor_ = {}; }

 private:
  HeldTensor tensor_;
  std::uint64_t version_ = 0;
};

/// A recorded operator. It lives as long as its result or anything computed from that.
class GradientNode {
 public:
  /// `kind`: the operator's name or `cast`; must be a literal.
  GradientNode(std::string_view kind, std::vector<GradientEdge> edges);
  virtual ~GradientNode() = default;
  GradientNode(const GradientNode&) = delete;
  GradientNode& operator=(const GradientNode&) = delete;

  /// Returns a gradient for each edge, which must be summable and castable to the argument's shape
  /// and dtype; undefined if there is none, as for an undefined `outcome`. Raises `error` if the
  /// saved tensors were released.
  std::vector<Tensor> gradients(const Tensor& outcome);
  /// Releases the saved tensors.
  void release();

  std::string_view kind() const { return kind_; }
  const std::vector<GradientEdge>& edges() const { return edges_; }
  const std::vector<SavedTensor>& saved() const { return saved_; }
  /// Greater than the order of the nodes that computed its arguments.
  std::uint64_t order() const { return order_; }

  GradientHooks hooks;  ///< for the gradient of the result
  /// That was current on the result's device when it was made; none on a CPU.
  std::optional<DeviceStream> stream;

 protected:
  /// Also accepts the undefined tensor.
  void save(const std::vector<Tensor>& tensors);
  /// Of an operand that is a number: it is released with the tensors (CORE-22).
  void save_number() { saves_number_ = true; }

 private:
  virtual std::vector<Tensor> compute(const Tensor& outcome) = 0;
  /// What `compute` gets where no gradient arrives; undefined if it does not run then.
  virtual Tensor instead_of_none() const { return {}; }

  std::string_view kind_;
  std::vector<GradientEdge> edges_;
  std::vector<SavedTensor> saved_;
  std::uint64_t order_;
  bool saves_number_ = false;
  bool is_released_ = false;
};

/// Makes `made` a result of the node that requires a gradient.
void set_history(const Tensor& made, std::shared_ptr<GradientNode> node);
/// Returns whether an operator with these arguments is recorded; considers grad mode.
bool is_recorded(const std::vector<Tensor>& arguments);
/// The same for copies, which write into a new tensor that autograd knows: inference tensors count.
bool is_recorded_by_copy(const std::vector<Tensor>& arguments);
/// Adds a hook for the gradient that arrives at the tensor. Raises `error` if the tensor requires
/// no gradient.
void add_hook(const Tensor& tensor, std::function<Tensor(const Tensor& gradient)> hook);

}  // namespace assay::cuda
