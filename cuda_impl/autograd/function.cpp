// Nodes that run a user-defined backward.
#include "cuda_impl/autograd/function.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cuda_impl/autograd/node.hpp"

namespace assay::cuda::autograd {
namespace {

std::vector<GradientEdge> edges_to(const std::vector<Tensor>& inputs) {
  std::vector<GradientEdge> edges;
  edges.reserve(inputs.size());
  for (const Tensor& input : inputs) edges.push_back(edge_to(input));
  return edges;
}

class FunctionNode final : public GradientNode {
 public:
  FunctionNode(std::string_view kind, const std::vector<Tensor>& inputs,
               const std::vector<Tensor>& kept, Backward backward)
      : GradientNode(kind, edges_to(inputs)), backward_(std::move(backward)) {
    save(kept);
  }

  /// SCL-718: backward gets zeros like the result where no gradient arrives.
  void fill_in_like(const Tensor& result) { result_ = edge_to(detach(result)); }

 private:
  std::vector<Tensor> compute(const Tensor& gradient) override {
    std::vector<Tensor> unpacked;
    for (const SavedTensor& kept : saved()) unpacked.push_back(kept.get());
    return backward_(gradient, unpacked);
  }

  Tensor instead_of_none() const override {
    if (!result_) return {};
    return full(result_->sizes, 0, result_->dtype, result_->device);
  }

  Backward backward_;
  std::optional<GradientEdge> result_;
};

}  // namespace

Tensor run_function(const std::vector<Tensor>& inputs, const Forward& forward, Backward backward) {
  // Inference mode excludes the keys of operators, which a function does not ask for.
  const bool records = grad_mode() && std::ranges::any_of(inputs, [](const Tensor& input) {
                         return input.defined() && input->requires_grad;
                       });
  ForwardResult outcome;
  {
    const GradModeGuard off(false);  // CAST-707
    outcome = forward();
  }
  if (!records || !outcome.result.defined()) return outcome.result;
  const bool is_input = std::ranges::any_of(
      inputs, [&](const Tensor& input) { return input.is_same(outcome.result); });
  const Tensor made = is_input ? detach(outcome.result) : outcome.result;
  auto node =
      std::make_shared<FunctionNode>("function", inputs, outcome.saved, std::move(backward));
  node->fill_in_like(made);
  set_history(made, std::move(node));
  return made;
}

Tensor recorded_always(const Tensor& made, const std::vector<Tensor>& inputs,
                       std::function<std::vector<Tensor>(const Tensor& gradient)> backward) {
  const auto once = [run = std::move(backward)](const Tensor& gradient,
                                                const std::vector<Tensor>&) {
    return run(gradient);
  };
  set_history(made,
              std::make_shared<FunctionNode>("checkpoint", inputs, std::vector<Tensor>{}, once));
  return made;
}

}  // namespace assay::cuda::autograd
