// Client-defined autograd functions.
#include "reference/autograd/function.hpp"

#include <algorithm>

#include "reference/autograd/closure_node.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"

namespace assay::reference {
namespace {

class FunctionNode final : public Node {
 public:
  FunctionNode(std::vector<Edge> next, const std::vector<Tensor>& saved, BackwardFunction backward)
      : Node("function", std::move(next)), backward_(std::move(backward)) {
    for (const Tensor& tensor : saved) saved_.push_back(SavedTensor::input(tensor));
  }

  bool runs_without_gradient() const override { return true; }
  Gradients backward(Runtime& runtime, const Gradients& grads) override {
    std::vector<Tensor> unpacked;
    for (const SavedTensor& saved : saved_) unpacked.push_back(saved.unpack(shared_from_this()));
    const Tensor grad = grads.front().defined() ? grads.front() : zeros(runtime);
    return backward_(grad, unpacked);
  }
  std::vector<Tensor> saved() const override {
    std::vector<Tensor> all;
    for (const SavedTensor& saved : saved_) all.push_back(saved.tensor());
    return all;
  }
  void release() override {
    for (SavedTensor& saved : saved_) saved.release();
  }

 private:
  Tensor zeros(Runtime& runtime) const {
    const ResultLike& like = results.front();
    return full(runtime, like.sizes, 0, like.dtype, like.device);
  }

  std::vector<SavedTensor> saved_;
  BackwardFunction backward_;
};

}  // namespace

Tensor run_function(Runtime& runtime, const std::vector<Tensor>& inputs,
                    const ForwardFunction& forward, BackwardFunction backward) {
  const bool is_recorded = records_history(runtime, inputs);
  const std::vector<Edge> edges = edges_of(runtime, inputs);
  ForwardResult outcome;
  {
    const GradModeGuard off(runtime, false);
    outcome = forward();
  }
  // What came in comes out as another object, so that it has its own place in the graph.
  const auto is_result = [&](const Tensor& input) { return input.is_same(outcome.result); };
  if (outcome.result.defined() && std::ranges::any_of(inputs, is_result)) {
    outcome.result = detach(outcome.result);
  }
  if (!is_recorded || !outcome.result.defined()) return outcome.result;
  set_history(runtime, outcome.result,
              std::make_shared<FunctionNode>(edges, outcome.saved, std::move(backward)));
  return outcome.result;
}

}  // namespace assay::reference
