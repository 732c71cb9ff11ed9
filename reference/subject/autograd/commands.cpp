// Area autograd: modes, backward, and inspection of the graph.
#include "reference/autocast/state.hpp"
#include "reference/autograd/engine.hpp"
#include "reference/autograd/leaf.hpp"
#include "reference/core/math/elementwise.hpp"
#include "reference/core/types/grad_mode.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

class GradModeScope final : public Guard {
 public:
  GradModeScope(Runtime& runtime, bool value) : runtime_(runtime), before_(modes()) {
    modes().grad = value;
  }
  void leave() override { modes() = before_; }

 private:
  GradModes& modes() { return runtime_.local<GradModes>(); }

  Runtime& runtime_;
  GradModes before_;
};

/// Enters inference mode or suspends it (DSP-216).
class InferenceScope final : public Guard {
 public:
  InferenceScope(Runtime& runtime, bool value)
      : runtime_(runtime), before_(runtime.local<GradModes>()), keys_before_(thread_keys(runtime)) {
    const KeyLayout& layout = KeyLayout::of(runtime.contract().release);
    const KeySet in_place = set_of(layout, Functionality::kADInplaceOrView);
    ThreadKeys keys = keys_before_;
    keys.included = value ? minus(layout, keys.included, in_place) : keys.included | in_place;
    keys.excluded = value ? keys.excluded | autograd_keys_below(layout)
                          : minus(layout, keys.excluded, autograd_keys_below(layout));
    set_thread_keys(runtime, keys);
    runtime.local<GradModes>() = {.grad = !value, .inference = value};
  }
  void leave() override {
    runtime_.local<GradModes>() = before_;
    set_thread_keys(runtime_, keys_before_);
  }

 private:
  Runtime& runtime_;
  GradModes before_;
  ThreadKeys keys_before_;
};

template <typename Scope>
void enter_mode(Call& call) {
  std::shared_ptr<Guard> guard =
      std::make_shared<Scope>(call.runtime(), call.arguments().boolean("value"));
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace

void autograd_is_grad_enabled(Call& call) { call.result(is_grad_enabled(call.runtime())); }
void autograd_is_inference_mode(Call& call) { call.result(is_inference_mode(call.runtime())); }
void autograd_is_inference(Call& call) { call.result(call.tensor("tensor").is_inference()); }

void autograd_backward(Call& call) {
  BackwardOptions options;
  options.retain_graph = call.arguments().boolean("retain_graph", false);
  backward(call.runtime(), call.tensor("tensor"), call.tensor_or_none("gradient"), options);
}

void autograd_grad(Call& call) {
  BackwardOptions options;
  options.create_graph = call.arguments().boolean("create_graph", false);
  options.retain_graph = options.create_graph;
  const auto grads = gradients_of(call.runtime(), call.tensor("output"), call.tensors("inputs"),
                                  call.tensor_or_none("gradient"), options);
  assay::List list;
  for (std::size_t i = 0; i < grads.size(); ++i) {
    list.items.push_back(grads[i].defined() ? call.give_as(std::to_string(i), grads[i]) : Value());
  }
  call.set("result", std::move(list));
}

void autograd_node(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  assay::List next;
  assay::List saved;
  if (const std::shared_ptr<Node>& node = tensor.node()) {
    for (const Edge& edge : node->next()) {
      next.items.emplace_back(edge.node == nullptr ? "none" : edge.node->kind());
    }
    for (const Tensor& kept : node->saved()) saved.items.emplace_back(to_protocol(kept.dtype()));
    call.set("kind", node->kind());
  } else {
    call.set("kind", tensor.requires_grad() ? "leaf" : "none");
  }
  call.set("next", std::move(next));
  call.set("saved", std::move(saved));
}

void autograd_same_node(Call& call) {
  const Tensor a = call.tensor("a");
  const Tensor b = call.tensor("b");
  call.result(a.node() != nullptr && a.node() == b.node());
}

void autograd_hook(Call& call) {
  Runtime& runtime = call.runtime();
  const double factor = call.arguments().real("factor");
  add_hook(call.tensor("tensor"),
           [&runtime, factor](const Tensor& grad) { return mul(runtime, grad, Scalar(factor)); });
}

void autograd_grad_mode(Call& call) { enter_mode<GradModeScope>(call); }
void autograd_inference_mode(Call& call) { enter_mode<InferenceScope>(call); }

}  // namespace assay::reference
