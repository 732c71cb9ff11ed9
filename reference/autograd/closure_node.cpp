// Implements autograd nodes with a callable derivative.
#include "reference/autograd/closure_node.hpp"

#include "reference/core/runtime.hpp"

namespace assay::reference {
namespace {

class ClosureNode final : public Node {
 public:
  ClosureNode(std::string kind, std::vector<Edge> next, Derivative derivative)
      : Node(std::move(kind), std::move(next)), derivative_(std::move(derivative)) {}

  Gradients backward(Runtime& runtime, const Gradients& grads) override {
    return derivative_(runtime, grads.front());
  }

 private:
  Derivative derivative_;
};

}  // namespace

std::vector<Edge> edges_of(Runtime& runtime, const std::vector<Tensor>& inputs) {
  std::vector<Edge> edges;
  for (const Tensor& input : inputs) edges.push_back(edge_of(runtime, input));
  return edges;
}

void record(Runtime& runtime, std::string kind, const std::vector<Tensor>& inputs,
            const Tensor& result, Derivative derivative) {
  if (is_inference_mode(runtime) || !records_history(runtime, inputs)) return;
  record_always(runtime, std::move(kind), inputs, result, std::move(derivative));
}

void record_always(Runtime& runtime, std::string kind, const std::vector<Tensor>& inputs,
                   const Tensor& result, Derivative derivative) {
  set_history(runtime, result,
              std::make_shared<ClosureNode>(std::move(kind), edges_of(runtime, inputs),
                                            std::move(derivative)));
}

}  // namespace assay::reference
