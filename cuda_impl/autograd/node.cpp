// Edges, saved tensors, and the common part of nodes.
#include "cuda_impl/autograd/node.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>

namespace assay::cuda {
namespace {

std::uint64_t next_order() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// Two threads may use a leaf first.
std::mutex& leaves_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::shared_ptr<GradientHooks> hooks_of_leaf(TensorBody& leaf) {
  const std::scoped_lock lock(leaves_mutex());
  if (leaf.hooks == nullptr) leaf.hooks = std::make_shared<GradientHooks>();
  return leaf.hooks;
}

std::shared_ptr<const DeviceStream> stream_of_leaf(TensorBody& leaf) {
  const std::scoped_lock lock(leaves_mutex());
  auto known = leaf.gradient_stream.lock();
  if (known == nullptr) {
    known = std::make_shared<const DeviceStream>(stream_here(leaf.device.index));
    leaf.gradient_stream = known;
  }
  return known;
}

}  // namespace

Tensor GradientHooks::applied(Tensor gradient) const {
  for (const auto& hook : all) gradient = hook(gradient);
  return gradient;
}

std::string_view GradientEdge::kind() const {
  if (leaf.defined()) return "leaf";
  return node != nullptr ? node->kind() : "none";
}

std::optional<DeviceStream> GradientEdge::stream() const {
  if (leaf_stream != nullptr) return *leaf_stream;
  return node != nullptr ? node->stream : std::nullopt;
}

GradientEdge edge_to(const Tensor& argument) {
  GradientEdge edge;
  if (!argument.defined()) return edge;
  edge.sizes = argument.sizes();
  edge.dtype = argument.dtype();
  edge.device = argument.device();
  if (!argument->requires_grad) return edge;
  if (argument->is_leaf) {
    edge.leaf = argument;
    edge.leaf_hooks = hooks_of_leaf(*argument.body());
    if (argument.is_cuda()) edge.leaf_stream = stream_of_leaf(*argument.body());
  } else {
    edge.node = argument->history;
  }
  return edge;
}

SavedTensor::SavedTensor(Tensor tensor)
    : tensor_(std::move(tensor)), version_((*tensor_).version()) {
  require(!as_it_is().defined() || !as_it_is()->is_inference, [] {
    return "Inference tensors cannot be saved for backward. To work around you can make a clone to "
           "get a normal tensor and use it in autograd.";
  });
}

const Tensor& SavedTensor::get() const {
  const Tensor& tensor = as_it_is();
  require(tensor.version() == version_, [&] {
    return "one of the variables needed for gradient computation has been modified by an inplace "
           "operation: " +
           describe(tensor) + " is at version " + std::to_string(tensor.version()) +
           "; expected version " + std::to_string(version_);
  });
  return tensor;
}

GradientNode::GradientNode(std::string_view kind, std::vector<GradientEdge> edges)
    : kind_(kind), edges_(std::move(edges)), order_(next_order()) {}

void GradientNode::save(const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) saved_.emplace_back(tensor);
}

std::vector<Tensor> GradientNode::gradients(const Tensor& outcome) {
  require(!is_released_, [] {
    return "trying to backward through the graph a second time, after its saved tensors have been "
           "freed; say retain_graph the first time";
  });
  const Tensor given = outcome.defined() ? outcome : instead_of_none();
  return given.defined() ? compute(given) : std::vector<Tensor>(edges_.size());
}

void GradientNode::release() {
  const auto is_kept = [](const SavedTensor& saved) { return saved.as_it_is().defined(); };
  is_released_ = is_released_ || saves_number_ || std::ranges::any_of(saved_, is_kept);
  for (SavedTensor& saved : saved_) saved.release();
}

void set_history(const Tensor& made, std::shared_ptr<GradientNode> node) {
  made->requires_grad = true;
  made->is_leaf = false;
  if (made.is_cuda()) node->stream = stream_here(made->device.index);
  made->history = std::move(node);
}

/// Autograd depends on dispatch keys: inference mode excludes its key, whatever the grad mode, and
/// inference tensors lack it (CORE-14).
bool is_recorded(const std::vector<Tensor>& arguments) {
  const auto has_key = [](const Tensor& tensor) {
    return tensor.defined() && !tensor->is_inference;
  };
  return is_recorded_by_copy(arguments) && std::ranges::any_of(arguments, has_key);
}

bool is_recorded_by_copy(const std::vector<Tensor>& arguments) {
  if (!grad_mode() || inference_mode()) return false;
  return std::ranges::any_of(
      arguments, [](const Tensor& tensor) { return tensor.defined() && tensor->requires_grad; });
}

void add_hook(const Tensor& tensor, std::function<Tensor(const Tensor& gradient)> hook) {
  require(tensor.defined() && tensor->requires_grad,
          [] { return "cannot register a hook on a tensor that doesn't require gradient"; });
  if (!tensor->is_leaf) return edge_to(tensor).node->hooks.all.push_back(std::move(hook));
  hooks_of_leaf(*tensor.body())->all.push_back(std::move(hook));
}

}  // namespace assay::cuda
