// The engine: nodes in the reverse order of their making, so that each has its whole gradient.
#include "cuda_impl/autograd/engine.hpp"

#include <map>

#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/operators/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/fill.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

/// Summed over what the argument was broadcast along.
Tensor summed_to(const Tensor& gradient, const Shape& sizes) {
  if (gradient.sizes() == sizes) return gradient;
  const std::int64_t extra = gradient.dim() - static_cast<std::int64_t>(sizes.size());
  Reduced reduced;
  for (std::int64_t dim = 0; dim < gradient.dim(); ++dim) {
    const auto own = static_cast<std::size_t>(dim - extra);
    const auto size = gradient.sizes()[static_cast<std::size_t>(dim)];
    if (dim < extra || (sizes[own] == 1 && size != 1)) reduced.dims.push_back(dim);
  }
  const Tensor summed = reduced.dims.empty() ? gradient : sum(gradient, reduced);
  return summed.sizes() == sizes ? summed : reshape(summed, sizes);
}

/// With the shape, type and device of what it is the gradient of.
Tensor fitted(const Tensor& gradient, const GradientEdge& edge) {
  ToOptions options;
  options.dtype = edge.dtype;
  options.device = edge.device;
  return to(summed_to(gradient, edge.sizes), options);
}

/// What is there keeps its memory; a first gradient gets memory of its own.
void add_to_leaf(const Tensor& leaf, const Tensor& gradient) {
  const Tensor held = leaf.grad();
  if (!held.defined()) return leaf.set_grad(clone(gradient));
  add_(held, gradient);
}

Tensor first_gradient(const Tensor& outcome, const Tensor& gradient) {
  require(outcome.defined() && outcome->requires_grad,
          [] { return "element 0 of tensors does not require grad and does not have a grad_fn"; });
  if (gradient.defined()) {
    require(gradient.sizes() == outcome.sizes(), [&] {
      return "mismatch in shape: the gradient is " + describe(gradient) + ", the outcome " +
             describe(outcome);
    });
    return gradient;
  }
  require(outcome.numel() == 1,
          [] { return "grad can be implicitly created only for scalar outputs"; });
  const Tensor ones = empty_like(outcome);
  fill_(ones, Scalar(1));
  return ones;
}

class Pass {
 public:
  void add(const GradientEdge& edge, const Tensor& gradient) {
    const Tensor arrived = fitted(gradient, edge);
    if (edge.leaf.defined()) return add_to_leaf(edge.leaf, arrived);
    Waiting& waiting = waiting_[edge.node->order()];
    waiting.node = edge.node;
    waiting.gradient =
        waiting.gradient.defined() ? assay::cuda::add(waiting.gradient, arrived) : arrived;
  }

  void run() {
    while (!waiting_.empty()) {
      const Waiting last = std::prev(waiting_.end())->second;
      waiting_.erase(std::prev(waiting_.end()));
      visit(*last.node, last.gradient);
    }
  }

 private:
  struct Waiting {
    std::shared_ptr<GradientNode> node;
    Tensor gradient;
  };

  void visit(GradientNode& node, const Tensor& gradient) {
    const std::vector<Tensor> gradients = node.gradients(gradient);
    node.release();
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i].defined()) add(node.edges()[i], gradients[i]);
    }
  }

  std::map<std::uint64_t, Waiting> waiting_;  ///< by the order of making
};

}  // namespace

void backward(const Tensor& outcome, const Tensor& gradient) {
  Pass pass;
  pass.add(edge_to(outcome), first_gradient(outcome, gradient));
  pass.run();
}

}  // namespace assay::cuda
