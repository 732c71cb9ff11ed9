// Walks the graph once: each node runs when all gradients of its results have arrived.
#include "reference/autograd/engine.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "reference/autograd/leaf.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/autograd/streams.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

bool is_expandable(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.rbegin(), from.rend(), to.rbegin(),
                    [](std::int64_t f, std::int64_t t) { return f == t || f == 1; });
}

/// Converts a gradient to the shape and dtype of its tensor; a single number also moves to its
/// device (SCL-719).
Tensor fitted(Runtime& runtime, const Tensor& grad, const ResultLike& like, const Node& from) {
  if (!grad.defined() || grad.is_sparse()) return grad;
  check(is_expandable(like.sizes, grad.sizes()), [&] {
    return from.kind() + " returned an invalid gradient: got " + describe(grad) +
           " but expected a shape compatible with " + to_text(like.sizes);
  });
  const Tensor summed = sum_to(runtime, grad, like.sizes);
  if (summed.device() == like.device) return cast_to(runtime, summed, like.dtype);
  check(summed.dim() == 0, [&] {
    return from.kind() + " returned an invalid gradient: expected device " + to_text(like.device) +
           " but got " + to_text(grad.device());
  });
  return to(runtime, summed, {.dtype = like.dtype, .device = like.device});
}

bool is_leaf(const Node& node) { return node.next().empty() && node.kind() == "leaf"; }

class Walk {
 public:
  Walk(Runtime& runtime, BackwardOptions options)
      : runtime_(runtime), options_(options), streams_(runtime) {}

  /// Captures this input's gradient. If anything is captured, leaves receive nothing.
  void capture(const Tensor& input, std::size_t number) {
    captures_only_ = true;
    const Edge edge = edge_of(runtime_, input);
    if (edge.node == nullptr) return;
    captures_.push_back({edge.node.get(), edge.result, number, input});
    keep_.push_back(edge.node);
  }

  void run(const Edge& root, const Tensor& grad, std::vector<Tensor>& captured) {
    count_uses(root.node.get());
    pending_[root.node.get()].assign(root.node->results.size(), {});
    streams_.add(pending_[root.node.get()][root.result], grad, {}, root.node->stream());
    if (runs(*root.node) || is_asked(*root.node)) {
      ready_.emplace(root.node->sequence(), root.node);
    }
    while (!ready_.empty()) {
      const std::shared_ptr<Node> node = std::prev(ready_.end())->second;
      ready_.erase(std::prev(ready_.end()));
      visit(node, captured);
    }
    streams_.finish();
  }

 private:
  struct Capture {
    const Node* node;
    std::size_t result;
    std::size_t number;
    Tensor input;
  };

  bool is_asked(const Node& node) const {
    return std::ranges::any_of(captures_,
                               [&](const Capture& capture) { return capture.node == &node; });
  }

  /// Returns whether a requested gradient is reachable from the node.
  bool is_needed(const Node& node) {
    if (const auto known = needed_.find(&node); known != needed_.end()) return known->second;
    const bool needed = std::ranges::any_of(node.next(), [&](const Edge& edge) {
      return edge.node != nullptr && (is_asked(*edge.node) || is_needed(*edge.node));
    });
    return needed_[&node] = needed;
  }

  /// CAST-513: if gradients of given inputs are requested, only the nodes that they need run.
  bool runs(const Node& node) { return !captures_only_ || is_needed(node); }

  /// SCL-708: before the hooks in 1.13 and where the node runs in any case; otherwise after them.
  void hand_out(const Node& node, const Gradients& before, const Gradients& after,
                std::vector<Tensor>& captured) {
    const bool is_early = runtime_.contract().release == Release::k1_13 || is_needed(node);
    for (const Capture& capture : captures_) {
      if (capture.node != &node) continue;
      Tensor& asked = captured[capture.number];
      asked = (is_early ? before : after)[capture.result];
      if (is_early || !asked.defined() || !capture.input.is_leaf()) continue;
      for (const GradHook& hook : capture.input.impl()->hooks) asked = hook(asked);
    }
  }

  void count_uses(const Node* root) {
    std::vector<const Node*> todo{root};
    std::unordered_map<const Node*, bool> seen{{root, true}};
    while (!todo.empty()) {
      const Node* node = todo.back();
      todo.pop_back();
      for (const Edge& edge : node->next()) {
        if (edge.node == nullptr) continue;
        ++uses_[edge.node.get()];
        if (seen.emplace(edge.node.get(), true).second) todo.push_back(edge.node.get());
      }
    }
  }

  void visit(const std::shared_ptr<Node>& node, std::vector<Tensor>& captured) {
    std::vector<Arrived> arrived = std::move(pending_[node.get()]);
    pending_.erase(node.get());
    const std::shared_ptr<void> on_stream = streams_.enter(node->stream(), arrived);
    if (is_asked(*node) || node->next().empty()) streams_.ends_in(node->stream());
    Gradients grads;
    for (Arrived& one : arrived) grads.push_back(std::move(one.sum));
    // A leaf keeps a gradient that nobody else holds.
    const Gradients before = captures_.empty() ? Gradients{} : grads;
    for (const auto& [result, hook] : node->hooks) {
      if (grads[result].defined()) grads[result] = hook(grads[result]);
    }
    hand_out(*node, before, grads, captured);
    if (runs(*node)) send(*node, gradients_from(*node, grads));
  }

  Gradients gradients_from(Node& node, const Gradients& grads) {
    const bool is_dead =
        std::ranges::none_of(grads, [](const Tensor& grad) { return grad.defined(); });
    const bool runs = !is_dead || node.runs_without_gradient();
    Gradients given(node.next().size());
    if (runs) given = node.backward(runtime_, grads);
    if (!options_.retain_graph) node.release();
    check(given.size() <= node.next().size() || is_leaf(node), [&] {
      return node.kind() + " returned an incorrect number of gradients: expected " +
             std::to_string(node.next().size()) + ", got " + std::to_string(given.size());
    });
    given.resize(node.next().size());
    return given;
  }

  void send(const Node& from, const Gradients& grads) {
    for (std::size_t i = 0; i < from.next().size(); ++i) {
      const Edge& edge = from.next()[i];
      if (edge.node == nullptr) continue;
      std::vector<Arrived>& waiting = pending_[edge.node.get()];
      waiting.resize(edge.node->results.size());
      const Tensor grad = fitted(runtime_, grads[i], edge.node->results[edge.result], from);
      if (grad.defined()) {
        if (is_leaf(*edge.node)) {
          streams_.refuse_stale_leaf(from.stream(), edge.node->stream());
          streams_.warn_of_other_stream(from.stream(), edge.node->stream());
        }
        streams_.add(waiting[edge.result], grad, from.stream(), edge.node->stream());
      }
      if (--uses_[edge.node.get()] > 0) continue;
      if (runs(*edge.node) || is_asked(*edge.node)) {
        ready_.emplace(edge.node->sequence(), edge.node);
      }
    }
  }

  Runtime& runtime_;
  BackwardOptions options_;
  BackwardStreams streams_;
  bool captures_only_ = false;
  std::vector<Capture> captures_;
  std::vector<std::shared_ptr<Node>> keep_;
  std::unordered_map<const Node*, bool> needed_;
  std::unordered_map<const Node*, std::size_t> uses_;
  std::unordered_map<const Node*, std::vector<Arrived>> pending_;
  std::multimap<std::uint64_t, std::shared_ptr<Node>> ready_;
};

Tensor first_gradient(Runtime& runtime, const Tensor& root, const Tensor& gradient) {
  check(root.requires_grad(), [&] {
    return "backward from a tensor that does not require grad and does not have a grad_fn: " +
           describe(root);
  });
  if (gradient.defined()) {
    check(gradient.sizes() == root.sizes(), [&] {
      return "mismatch in shape: the gradient is " + describe(gradient) + ", the output " +
             describe(root);
    });
    if (gradient.is_sparse()) return gradient;
    return cast_to(runtime, gradient, root.dtype());  // CAST-209
  }
  check(root.numel() == 1, [&] {
    return "grad can be implicitly created only for scalar outputs, of one element, got " +
           describe(root);
  });
  return full(runtime, root.sizes(), 1.0, root.dtype(), root.device());
}

}  // namespace

void backward(Runtime& runtime, const Tensor& root, const Tensor& gradient,
              BackwardOptions options) {
  const Tensor grad = first_gradient(runtime, root, gradient);
  const GradModeGuard mode(runtime, options.create_graph);
  std::vector<Tensor> nothing;
  Walk(runtime, options).run(edge_of(runtime, root), grad, nothing);
}

std::vector<Tensor> gradients_of(Runtime& runtime, const Tensor& root,
                                 const std::vector<Tensor>& inputs, const Tensor& gradient,
                                 BackwardOptions options) {
  const Tensor grad = first_gradient(runtime, root, gradient);
  const GradModeGuard mode(runtime, options.create_graph);
  Walk walk(runtime, options);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    check(inputs[i].requires_grad(),
          [] { return "one of the differentiated tensors does not require grad"; });
    walk.capture(inputs[i], i);
  }
  std::vector<Tensor> captured(inputs.size());
  walk.run(edge_of(runtime, root), grad, captured);
  return captured;
}

}  // namespace assay::reference
