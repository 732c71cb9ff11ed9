// The engine: runs nodes in reverse creation order, so that each has all of its gradients.
#include "cuda_impl/autograd/engine.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/autograd/streams.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/core/geometry.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

/// Converts to the shape, dtype and device of the edge.
Tensor fitted(const Tensor& gradient, const GradientEdge& edge) {
  if (gradient.is_sparse()) return gradient;
  const Tensor summed = autograd::summed_to(gradient, edge.sizes);
  require(summed.device() == edge.device || summed.dim() == 0, [&] {
    return "invalid gradient: it is on " + to_text(summed.device()) + ", its tensor on " +
           to_text(edge.device);
  });
  return autograd::made_of(to(summed, {.dtype = edge.dtype, .device = edge.device}), summed);
}

/// A copy whose elements lie as those of the leaf, if these leave no gaps.
Tensor laid_out(const Tensor& gradient, const Tensor& leaf) {
  const Shape wanted = leaf.is_dense() ? leaf.strides() : contiguous_strides(gradient.sizes());
  if (grad_mode() || gradient.strides() == wanted) return clone(gradient);
  Tensor made = empty_strided(gradient.sizes(), wanted, gradient.dtype(), gradient.device());
  copy_(made, gradient);
  return made;
}

/// An existing gradient is updated in place; a new one gets its own memory.
void add_to_leaf(const Tensor& leaf, const Tensor& gradient) {
  const Tensor held = leaf.grad();
  if (!held.defined()) {
    return leaf.set_grad(gradient.is_sparse() ? gradient : laid_out(gradient, leaf));
  }
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

/// The requested gradients, by the object that each belongs to.
class RequestedGradients {
 public:
  RequestedGradients(const std::vector<Tensor>& inputs, Release release)
      : found_(inputs.size()), release_(release) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const GradientEdge edge = edge_to(inputs[i]);
      require(edge.goes_on(),
              [] { return "One of the differentiated Tensors does not require grad"; });
      numbers_.emplace(key_of(edge), i);
    }
  }

  bool is_empty() const { return numbers_.empty(); }

  /// Finds the nodes through which a requested gradient is reachable from `root`.
  void look_from(const GradientEdge& root) {
    if (is_empty() || !root.node) return;
    std::map<std::uint64_t, const GradientNode*> reached{{root.node->order(), root.node.get()}};
    for (auto at = reached.rbegin(); at != reached.rend(); ++at) {
      for (const GradientEdge& edge : at->second->edges()) {
        if (edge.node) reached.emplace(edge.node->order(), edge.node.get());
      }
    }
    for (const auto& [order, node] : reached) {
      if (std::ranges::any_of(node->edges(), [&](const GradientEdge& edge) {
            return edge.goes_on() && (numbers_.contains(key_of(edge)) || leads(edge.node.get()));
          })) {
        leading_.insert(node);
      }
    }
  }
  bool leads(const GradientNode* node) const { return leading_.contains(node); }

  /// SCL-708: after the hooks; in 1.13, and on the way to another request, before them. Returns
  /// whether it was requested.
  bool take(const void* key, bool is_on_the_way, const Tensor& before, const Tensor& after) {
    const bool is_early = release_ == Release::k1_13 || is_on_the_way;
    const auto [first, last] = numbers_.equal_range(key);
    for (auto at = first; at != last; ++at) found_[at->second] = is_early ? before : after;
    return first != last;
  }
  std::vector<Tensor> found() && { return std::move(found_); }

 private:
  static const void* key_of(const GradientEdge& edge) {
    return edge.leaf.defined() ? static_cast<const void*>(edge.leaf.body().get()) : edge.node.get();
  }

  std::unordered_multimap<const void*, std::size_t> numbers_;
  std::unordered_set<const GradientNode*> leading_;
  std::vector<Tensor> found_;
  Release release_;
};

class Pass {
 public:
  Pass(BackwardOptions options, RequestedGradients& asked) : options_(options), asked_(asked) {}

  void run(const GradientEdge& root, const Tensor& gradient) {
    asked_.look_from(root);
    add(root, gradient, {});
    while (!waiting_.empty()) {
      Waiting last = std::move(std::prev(waiting_.end())->second);
      waiting_.erase(std::prev(waiting_.end()));
      try {
        const OnNodeStream on(last.node->stream, last.gradient);
        visit(*last.node, last.gradient.sum());
      } catch (...) {
        finish_complete_leaves(last.node.get());
        throw;
      }
    }
    for (LeafGradient& arrived : leaves_) {
      const OnNodeStream on(arrived.stream, arrived.gradient);
      finish(arrived);
      ends_.add(arrived.stream);
    }
    ends_.hold_back_caller();
  }

 private:
  struct Waiting {
    std::shared_ptr<GradientNode> node;
    ArrivedGradient gradient;
  };
  struct LeafGradient {
    Tensor leaf;
    std::optional<DeviceStream> stream;
    ArrivedGradient gradient;
  };

  void add(const GradientEdge& edge, const Tensor& gradient,
           const std::optional<DeviceStream>& from) {
    if (edge.is_stale()) return refuse_stale();
    const Tensor arrived = fitted(gradient, edge);
    const std::optional<DeviceStream> to = edge.stream();
    if (edge.leaf.defined()) {
      refuse_captured(from, to);
      warn_of_other_stream(from, to);
      const auto [at, is_new] = places_.emplace(edge.leaf.body().get(), leaves_.size());
      if (is_new) leaves_.push_back({edge.leaf, to, {}});
      return leaves_[at->second].gradient.add(arrived, from, to);
    }
    Waiting& waiting = waiting_[edge.node->order()];
    waiting.node = edge.node;
    waiting.gradient.add(arrived, from, to);
  }

  /// MOVE-10. A requested gradient is that of the new contents, to which no earlier graph leads.
  void refuse_stale() const {
    require(!asked_.is_empty(), [] {
      return "Trying to accumulate a gradient in a tensor whose earlier graphs were poisoned by a "
             "swap of its contents. Convert a module before forward, or after forward and backward";
    });
  }

  void visit(GradientNode& node, const Tensor& gradient) {
    const Tensor hooked = gradient.defined() ? node.hooks.applied(gradient) : gradient;
    if (!asked_.is_empty()) {
      if (asked_.take(&node, asked_.leads(&node), gradient, hooked)) ends_.add(node.stream);
      if (!asked_.leads(&node)) return;
    }
    const std::vector<Tensor> gradients = node.gradients(hooked);
    if (!options_.retain_graph && !options_.create_graph) node.release();
    require(gradients.size() <= node.edges().size(), [&] {
      return std::string(node.kind()) + " returned an incorrect number of gradients (expected " +
             std::to_string(node.edges().size()) + ", got " + std::to_string(gradients.size()) +
             ")";
    });
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const GradientEdge& edge = node.edges()[i];
      if (gradients[i].defined() && edge.goes_on()) add(edge, gradients[i], node.stream);
    }
    for (const GradientEdge& edge : node.edges()) {  // SCL-718: they run in any case
      if (edge.node) waiting_[edge.node->order()].node = edge.node;
    }
  }

  /// SCL-717: those to which no node leads that has not run.
  void finish_complete_leaves(const GradientNode* failed) noexcept {
    if (!asked_.is_empty()) return;
    std::vector<const GradientNode*> left{failed};
    for (const auto& [order, waiting] : waiting_) left.push_back(waiting.node.get());
    std::unordered_set<const GradientNode*> seen(left.begin(), left.end());
    std::unordered_set<const TensorBody*> open;
    while (!left.empty()) {
      const GradientNode* const node = left.back();
      left.pop_back();
      for (const GradientEdge& edge : node->edges()) {
        if (edge.leaf.defined()) open.insert(edge.leaf.body().get());
        if (edge.node && seen.insert(edge.node.get()).second) left.push_back(edge.node.get());
      }
    }
    try {
      for (const LeafGradient& arrived : leaves_) {
        if (open.contains(arrived.leaf.body().get())) continue;
        const OnNodeStream on(arrived.stream, arrived.gradient);
        finish(arrived);
      }
    } catch (...) {  // the first error is raised
    }
  }

  void finish(const LeafGradient& arrived) {
    const auto& hooks = arrived.leaf->hooks;
    const Tensor& gradient = arrived.gradient.sum();
    const Tensor hooked = hooks ? hooks->applied(gradient) : gradient;
    if (asked_.is_empty()) return add_to_leaf(arrived.leaf, hooked);
    asked_.take(arrived.leaf.body().get(), false, gradient, hooked);
  }

  BackwardOptions options_;
  RequestedGradients& asked_;
  std::map<std::uint64_t, Waiting> waiting_;  ///< by order of creation
  std::vector<LeafGradient> leaves_;
  std::unordered_map<const TensorBody*, std::size_t> places_;
  GradientEnds ends_;
};

void run(const Tensor& outcome, const Tensor& gradient, BackwardOptions options,
         RequestedGradients& asked) {
  const Tensor first = first_gradient(outcome, gradient);
  const GradModeGuard mode(options.create_graph);
  Pass(options, asked).run(edge_to(outcome), first);
}

}  // namespace

void backward(const Tensor& outcome, const Tensor& gradient, BackwardOptions options) {
  RequestedGradients nothing({}, kNewestRelease);
  run(outcome, gradient, options, nothing);
}

std::vector<Tensor> gradients_of(const Tensor& outcome, const std::vector<Tensor>& inputs,
                                 const Tensor& gradient, BackwardOptions options, Release release) {
  RequestedGradients asked(inputs, release);
  run(outcome, gradient, options, asked);
  return std::move(asked).found();
}

}  // namespace assay::cuda
