// What results remember of the operators that made them: the graph that gradients flow through.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Where a gradient goes: to a result of an operator, or to a leaf. No node: nobody takes it.
struct Edge {
  std::shared_ptr<Node> node;
  std::size_t result = 0;
};

/// What a result is like; its gradient is brought to the same dtype, shape and device.
struct ResultLike {
  Shape sizes;
  ScalarType dtype = ScalarType::kFloat;
  Device device;
};

using Gradients = std::vector<Tensor>;

/// One operator in the history of a tensor. Gradients may be undefined where none arrived.
class Node : public std::enable_shared_from_this<Node> {
 public:
  /// `kind` is the operator's name, `cast`, or `leaf`.
  Node(std::string kind, std::vector<Edge> next);
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// From the gradients of its results, those of its inputs: one for each of `next`.
  virtual Gradients backward(Runtime& runtime, const Gradients& grads) = 0;
  /// The tensors that it keeps, in the operator's order.
  virtual std::vector<Tensor> saved() const { return {}; }
  /// Lets go of what it keeps; a later backward that needs it is an error.
  virtual void release() {}

  const std::string& kind() const { return kind_; }
  const std::vector<Edge>& next() const { return next_; }
  /// Later operators have larger numbers, leaves the largest.
  std::uint64_t sequence() const { return sequence_; }

  std::vector<ResultLike> results;
  /// Functions that see the gradient of a result before `backward` does.
  std::vector<std::pair<std::size_t, GradHook>> hooks;

 protected:
  std::uint64_t sequence_;

 private:
  std::string kind_;
  std::vector<Edge> next_;
};

/// Where gradients of `tensor` go: to its node, or to the accumulator of a leaf that requires a
/// gradient.
Edge edge_of(const Tensor& tensor);

/// Is history written down for an operator with these inputs, here and now?
bool records_history(const Runtime& runtime, const std::vector<Tensor>& inputs);

/// Makes `result` result number `node.results.size()` of the node. Only floating tensors take part.
void set_history(const Tensor& result, const std::shared_ptr<Node>& node);

/// What a client may do: raises `error` for an inference tensor outside inference mode.
void require_grad(const Runtime& runtime, const Tensor& tensor, bool value);

/// From now on `hook` sees, and may change, each gradient of the tensor. Raises `error` unless it
/// requires one.
void add_hook(const Tensor& tensor, GradHook hook);

}  // namespace assay::reference
