// Edges, saved tensors and the rules that all nodes share.
#include "cuda_impl/autograd/node.hpp"

#include <atomic>
#include <string>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

std::uint64_t next_order() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// What made a tensor whose operator leaves no way back.
class UnknownNode final : public GradientNode {
 public:
  UnknownNode() : GradientNode({}) {}

 private:
  std::vector<Tensor> compute(const Tensor& outcome) override {
    throw Error(ErrorKind::kNotImplemented,
                "no derivative is known for what made this " + describe(outcome));
  }
  void release_saved() override {}
};

}  // namespace

GradientEdge edge_to(const Tensor& argument) {
  GradientEdge edge;
  if (!argument.defined() || !argument->requires_grad) return edge;
  if (argument->is_leaf) {
    edge.leaf = argument;
  } else {
    edge.node = argument->history ? argument->history : std::make_shared<UnknownNode>();
  }
  edge.sizes = argument.sizes();
  edge.dtype = argument.dtype();
  edge.device = argument.device();
  return edge;
}

const Tensor& SavedTensor::get() const {
  require(tensor_.version() == version_, [&] {
    return "one of the variables needed for gradient computation has been modified by an inplace "
           "operation: " +
           describe(tensor_) + " is at version " + std::to_string(tensor_.version()) +
           "; expected version " + std::to_string(version_);
  });
  return tensor_;
}

GradientNode::GradientNode(std::vector<GradientEdge> edges)
    : edges_(std::move(edges)), order_(next_order()) {}

std::vector<Tensor> GradientNode::gradients(const Tensor& outcome) {
  require(!is_released_, [] {
    return "trying to backward through the graph a second time, after its saved tensors have been "
           "freed";
  });
  return compute(outcome);
}

void GradientNode::release() {
  release_saved();
  is_released_ = true;
}

void set_history(const Tensor& made, std::shared_ptr<GradientNode> node) {
  made->requires_grad = true;
  made->is_leaf = false;
  made->history = std::move(node);
}

}  // namespace assay::cuda
