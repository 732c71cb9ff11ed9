// Nodes and edges of the autograd graph.
#include "reference/autograd/node.hpp"

#include <algorithm>

#include "reference/autograd/leaf.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/runtime.hpp"

namespace assay::reference {
namespace {

std::uint64_t next_sequence() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Node::Node(std::string kind, std::vector<Edge> next)
    : sequence_(next_sequence()), kind_(std::move(kind)), next_(std::move(next)) {}

/// Destroys long chains iteratively, because recursion would overflow the stack.
Node::~Node() {
  thread_local std::vector<std::shared_ptr<Node>>* dying = nullptr;
  std::vector<std::shared_ptr<Node>> mine;
  const bool is_first = dying == nullptr;
  if (is_first) dying = &mine;
  for (Edge& edge : next_) {
    if (edge.node.use_count() == 1) dying->push_back(std::move(edge.node));
  }
  if (!is_first) return;
  while (!mine.empty()) {
    const std::shared_ptr<Node> next = std::move(mine.back());
    mine.pop_back();
  }
  dying = nullptr;
}

std::optional<Stream> Node::stream() const {
  const auto has_stream = [](const ResultLike& result) { return result.stream.has_value(); };
  const auto first = std::ranges::find_if(results, has_stream);
  return first == results.end() ? std::nullopt : first->stream;
}

ResultLike result_like(Runtime& runtime, const Tensor& result) {
  ResultLike like{result.sizes(), result.dtype(), result.device(), {}};
  if (LaunchQueue* queue = queue_for(runtime, like.device))
    like.stream = queue->current(like.device);
  return like;
}

Edge edge_of(Runtime& runtime, const Tensor& tensor) {
  if (!tensor.defined()) return {};
  if (tensor.node() != nullptr) return {tensor.node(), tensor.impl()->result};
  if (!tensor.requires_grad()) return {};
  return {accumulator_of(runtime, tensor), 0};
}

bool records_history(const Runtime& runtime, const std::vector<Tensor>& inputs) {
  return is_grad_enabled(runtime) &&
         std::ranges::any_of(inputs, [](const Tensor& input) { return input.requires_grad(); });
}

void set_history(Runtime& runtime, const Tensor& result, const std::shared_ptr<Node>& node) {
  const std::size_t number = node->results.size();
  node->results.push_back(result_like(runtime, result));
  if (!is_floating(result.dtype())) return;
  TensorImpl& impl = *result.impl();
  impl.node = node;
  impl.result = number;
  impl.requires_grad = true;
}

void require_grad(const Runtime& runtime, const Tensor& tensor, bool value) {
  const bool allowed = !tensor.is_inference() || is_inference_mode(runtime);
  check(!value || allowed, [] {
    return "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed";
  });
  tensor.set_requires_grad(value);
}

void add_hook(const Tensor& tensor, GradHook hook) {
  check(tensor.requires_grad(),
        [] { return "a hook needs a tensor that requires a gradient, this one does not"; });
  if (tensor.is_leaf()) return tensor.impl()->hooks.push_back(std::move(hook));
  tensor.node()->hooks.emplace_back(tensor.impl()->result, std::move(hook));
}

}  // namespace assay::reference
