// Nodes for operators with a derivative.
#include "cuda_impl/autograd/record.hpp"

#include <memory>
#include <utility>

namespace assay::cuda::autograd {
namespace {

class OperatorNode final : public GradientNode {
 public:
  OperatorNode(std::vector<GradientEdge> edges, const Recipe& recipe)
      : GradientNode(recipe.kind, std::move(edges)),
        derivative_(recipe.derivative),
        numbers_(recipe.numbers) {
    save(recipe.kept);
  }

 private:
  std::vector<Tensor> compute(const Tensor& gradient) override {
    return derivative_({gradient, saved(), edges(), numbers_});
  }

  Derivative derivative_;
  Numbers numbers_;
};

bool can_have_gradients(const Tensor& made) {
  const DtypeFacts& type = facts(made.dtype());
  return type.is_floating || type.is_complex;
}

}  // namespace

Tensor with_history(const Tensor& made, const std::vector<Tensor>& arguments,
                    const Recipe& recipe) {
  if (!is_recorded(arguments) || !can_have_gradients(made)) return made;
  return always_recorded(made, arguments, recipe);
}

Tensor always_recorded(const Tensor& made, const std::vector<Tensor>& arguments,
                       const Recipe& recipe) {
  std::vector<GradientEdge> edges;
  edges.reserve(arguments.size());
  for (const Tensor& argument : arguments) edges.push_back(edge_to(argument));
  set_history(made, std::make_shared<OperatorNode>(std::move(edges), recipe));
  return made;
}

Tensor without_way_back(const Tensor& made, const std::vector<Tensor>& arguments) {
  if (is_recorded(arguments) && can_have_gradients(made)) set_history(made, nullptr);
  return made;
}

Tensor kept_for(const Tensor& wanting, const Tensor& other) {
  return wanting.defined() && wanting->requires_grad ? other : Tensor();
}

}  // namespace assay::cuda::autograd
