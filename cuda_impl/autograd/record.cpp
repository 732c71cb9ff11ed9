// Nodes for operators with a derivative.
#include "cuda_impl/autograd/record.hpp"

#include <memory>
#include <string>
#include <utility>

#include "cuda_impl/autograd/no_derivative.hpp"

namespace assay::cuda::autograd {
namespace {

class OperatorNode final : public GradientNode {
 public:
  OperatorNode(std::vector<GradientEdge> edges, const Recipe& recipe)
      : GradientNode(recipe.kind, std::move(edges)),
        derivative_(recipe.derivative),
        numbers_(recipe.numbers) {
    save(recipe.kept);
    if (recipe.saves_number) save_number();
  }

 private:
  std::vector<Tensor> compute(const Tensor& gradient) override {
    return derivative_({gradient, saved(), edges(), numbers_});
  }

  Derivative derivative_;
  Numbers numbers_;
};

/// The saved result has this node as history, so that gradients of gradients pass through it.
class NodeOfResult final : public GradientNode, public std::enable_shared_from_this<NodeOfResult> {
 public:
  NodeOfResult(std::vector<GradientEdge> edges, const Recipe& recipe, const Tensor& made)
      : GradientNode(recipe.kind, std::move(edges)),
        derivative_(recipe.derivative),
        numbers_(recipe.numbers) {
    save({detach(made)});
  }

 private:
  std::vector<Tensor> compute(const Tensor& gradient) override {
    if (!grad_mode()) return derivative_({gradient, saved(), edges(), numbers_});
    const Tensor result = detach(saved().front().get());
    set_history(result, shared_from_this());
    return derivative_({gradient, {SavedTensor(result)}, edges(), numbers_});
  }

  Derivative derivative_;
  Numbers numbers_;
};

/// Of an operator without a derivative.
class MissingNode final : public GradientNode {
 public:
  using GradientNode::GradientNode;

 private:
  std::vector<Tensor> compute(const Tensor&) override {
    throw NoDerivative("no derivative of " + std::string(kind()) + " is known");
  }
};

std::vector<GradientEdge> edges_to(const std::vector<Tensor>& arguments) {
  std::vector<GradientEdge> edges;
  edges.reserve(arguments.size());
  for (const Tensor& argument : arguments) edges.push_back(edge_to(argument));
  return edges;
}

bool can_have_gradients(const Tensor& made) {
  const DtypeFacts& type = facts(made.dtype());
  return type.is_floating || type.is_complex;
}

}  // namespace

Tensor with_history(const Tensor& made, const std::vector<Tensor>& arguments,
                    const Recipe& recipe) {
  if (!is_recorded(arguments) || !can_have_gradients(made)) return made;
  set_history(made, std::make_shared<OperatorNode>(edges_to(arguments), recipe));
  return made;
}

Tensor with_history_of_result(const Tensor& made, const Tensor& argument, const Recipe& recipe) {
  if (!is_recorded({argument}) || !can_have_gradients(made)) return made;
  set_history(made, std::make_shared<NodeOfResult>(edges_to({argument}), recipe, made));
  return made;
}

Tensor without_way_back(const Tensor& made, const std::vector<Tensor>& arguments,
                        std::string_view kind) {
  if (!is_recorded(arguments) || !can_have_gradients(made) || made->requires_grad) return made;
  set_history(made, std::make_shared<MissingNode>(kind, edges_to(arguments)));
  return made;
}

Tensor without_second(const Tensor& gradient, std::string_view kind) {
  if (grad_mode() && gradient.defined()) {
    set_history(gradient, std::make_shared<MissingNode>(kind, std::vector<GradientEdge>{}));
  }
  return gradient;
}

Tensor kept_for(const Tensor& wanting, const Tensor& other) {
  return wanting.defined() && wanting->requires_grad ? other : Tensor();
}

}  // namespace assay::cuda::autograd
