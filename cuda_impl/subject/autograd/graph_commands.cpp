// Area autograd: modes, backward, and queries about the graph.
#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/dispatch/keys/thread_keys.hpp"
#include "cuda_impl/subject/autograd/dispatched_derivatives.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/guards.hpp"

namespace assay::cuda {

void autograd_grad_mode(Call& call) {
  give_held<GradModeGuard>(call, call.arguments().boolean("value"));
}

void autograd_inference_mode(Call& call) {
  give_held<dispatch::InferenceModeGuard>(call, call.contract(), call.arguments().boolean("value"));
}

void autograd_is_grad_enabled(Call& call) { call.result(Value(grad_mode())); }
void autograd_is_inference_mode(Call& call) { call.result(Value(inference_mode())); }

void autograd_is_inference(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  call.result(Value(tensor.defined() && tensor->is_inference));
}

void autograd_backward(Call& call) {
  const DispatchedDerivativesScope scope(call);
  BackwardOptions options;
  options.retain_graph = call.arguments().boolean("retain_graph", false);
  backward(call.tensor("tensor"), call.tensor_or_none("gradient"), options);
}

void autograd_grad(Call& call) {
  const DispatchedDerivativesScope scope(call);
  BackwardOptions options;
  options.create_graph = call.arguments().boolean("create_graph", false);
  const std::vector<Tensor> gradients =
      gradients_of(call.tensor("output"), call.tensors("inputs"), call.tensor_or_none("gradient"),
                   options, call.release());
  List list;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const bool is_there = gradients[i].defined();
    list.items.push_back(is_there ? call.give_as(std::to_string(i), gradients[i]) : Value());
  }
  call.set("result", Value(std::move(list)));
}

void autograd_node(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const GradientEdge edge = edge_to(tensor);
  List next;
  List saved;
  if (edge.node != nullptr) {
    for (const GradientEdge& behind : edge.node->edges()) {
      next.items.emplace_back(std::string(behind.kind()));
    }
    for (const SavedTensor& kept : edge.node->saved()) {
      if (kept.as_it_is().defined()) saved.items.emplace_back(to_waist(kept.as_it_is().dtype()));
    }
  }
  call.set("kind", std::string(edge.kind()));
  call.set("next", Value(std::move(next)));
  call.set("saved", Value(std::move(saved)));
}

void autograd_same_node(Call& call) {
  const Tensor a = call.tensor("a");
  const Tensor b = call.tensor("b");
  call.result(Value(a.defined() && b.defined() && a->history && a->history == b->history));
}

void autograd_hook(Call& call) {
  const double factor = call.arguments().real("factor");
  add_hook(call.tensor("tensor"),
           [factor](const Tensor& gradient) { return autograd::mul(gradient, Scalar(factor)); });
}

}  // namespace assay::cuda
