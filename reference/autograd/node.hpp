// The autograd graph: nodes for operators and edges for gradients.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

/// The destination of a gradient: a result of an operator, or a leaf. Null discards the gradient.
struct Edge {
  std::shared_ptr<Node> node;
  std::size_t result = 0;
};

/// The properties of a result, to which its gradient is converted.
struct ResultLike {
  Shape sizes;
  ScalarType dtype = ScalarType::kFloat;
  Device device;
  std::optional<Stream> stream;  ///< that was current when the result was made; none on a CPU
};

ResultLike result_like(Runtime& runtime, const Tensor& result);

using Gradients = std::vector<Tensor>;

/// An operator in the history of a tensor. Gradients that did not arrive are undefined.
class Node : public std::enable_shared_from_this<Node> {
 public:
  /// `kind` is the operator's name, `cast`, or `leaf`.
  Node(std::string kind, std::vector<Edge> next);
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Maps the results' gradients to the inputs': one for each of `next`.
  virtual Gradients backward(Runtime& runtime, const Gradients& grads) = 0;
  /// Whether `backward` runs although no gradient arrives (SCL-718).
  virtual bool runs_without_gradient() const { return false; }
  /// The saved tensors, in the operator's order.
  virtual std::vector<Tensor> saved() const { return {}; }
  /// Whether hooks for saved tensors see one of them: a number saved as a tensor they do not.
  virtual bool saves_tensors() const { return !saved().empty(); }
  /// Releases the saved tensors; a later backward that needs them raises.
  virtual void release() {}

  const std::string& kind() const { return kind_; }
  const std::vector<Edge>& next() const { return next_; }
  /// STR-035: the stream of the first result that has one; there the node's backward runs.
  std::optional<Stream> stream() const;
  /// Increases with each operator; leaves have the largest numbers.
  std::uint64_t sequence() const { return sequence_; }

  std::vector<ResultLike> results;
  /// Hooks that receive a result's gradient before `backward` does.
  std::vector<std::pair<std::size_t, GradHook>> hooks;

 protected:
  std::uint64_t sequence_;

 private:
  std::string kind_;
  std::vector<Edge> next_;
};

/// Returns an edge to the tensor's node, or to the
/// accumulator of a leaf that requires a gradient.
Edge edge_of(Runtime& runtime, const Tensor& tensor);

/// Returns whether an operator with these inputs is recorded now.
bool records_history(const Runtime& runtime, const std::vector<Tensor>& inputs);

/// Makes `result` the next result of the node. Only floating tensors have history.
void set_history(Runtime& runtime, const Tensor& result, const std::shared_ptr<Node>& node);

/// For clients: raises `error` for an inference tensor outside inference mode.
void require_grad(const Runtime& runtime, const Tensor& tensor, bool value);

/// The hook receives, and may replace, each gradient of the tensor. Raises `error` if the tensor
/// does not require gradients.
void add_hook(const Tensor& tensor, GradHook hook);

}  // namespace assay::reference
