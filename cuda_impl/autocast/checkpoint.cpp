// Runs a checkpointed body and recomputes it in backward.
#include "cuda_impl/autocast/checkpoint.hpp"

#include <algorithm>
#include <unordered_set>

#include "cuda_impl/autocast/region.hpp"
#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/autograd/function.hpp"
#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda::autocast {
namespace {

RegionOptions region_now(const char* device, DeviceKind kind) {
  RegionOptions options;
  options.device = device;
  options.dtype = low_dtype(kind);
  options.enabled = is_enabled(kind);
  options.cache_enabled = is_cache_enabled();
  return options;
}

/// Detaches the inputs from their history, so that the inner backward stops there.
std::vector<Tensor> cut_off(const std::vector<Tensor>& inputs) {
  std::vector<Tensor> cut;
  for (const Tensor& input : inputs) {
    cut.push_back(input.defined() ? detach(input) : Tensor());
    if (input.defined()) cut.back()->requires_grad = input->requires_grad;
  }
  return cut;
}

/// Does the node, or one between it and the inputs, hold a tensor?
bool has_saved(const GradientNode* last, const std::vector<Tensor>& inputs) {
  std::unordered_set<const GradientNode*> passed;
  for (const Tensor& input : inputs) {
    if (input.defined()) passed.insert(input->history.get());
  }
  std::vector<const GradientNode*> ahead{last};
  const auto holds = [](const SavedTensor& saved) { return saved.as_it_is().defined(); };
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    const GradientNode* node = ahead[i];
    if (node == nullptr || !passed.insert(node).second) continue;
    if (std::ranges::any_of(node->saved(), holds)) return true;
    for (const GradientEdge& edge : node->edges()) ahead.push_back(edge.node.get());
  }
  return false;
}

struct Recompute {
  std::vector<Tensor> inputs;
  CheckpointBody body;
  RegionOptions on_cuda;
  RegionOptions on_cpu;

  std::vector<Tensor> operator()(const Tensor& gradient) const {
    if (contract().release == Release::k2_4 && !contract().is_strict) {
      warn("FutureWarning",
           "torch.cpu.amp.autocast(args) is deprecated, use torch.amp.autocast('cpu', args)");
    }
    const std::vector<Tensor> again = cut_off(inputs);
    backward(computed(again), gradient);
    std::vector<Tensor> gradients;
    for (const Tensor& input : again) gradients.push_back(input.grad());
    return gradients;
  }

 private:
  Tensor computed(const std::vector<Tensor>& again) const {
    Region outer(on_cuda);
    Region inner(on_cpu);
    const GradModeGuard recording(true);
    return run_inside(outer, [&] { return run_inside(inner, [&] { return body(again); }); });
  }
};

}  // namespace

Tensor checkpoint(const std::vector<Tensor>& inputs, const CheckpointBody& body) {
  const Recompute again{inputs, body, region_now("cuda", DeviceKind::kCuda),
                        region_now("cpu", DeviceKind::kCpu)};
  if (grad_mode() && contract().release != Release::k1_13) {
    for (const Tensor& input : inputs) SavedTensor check(input);  // CORE-14: it saves them all
  }
  const Tensor first = body(inputs);
  if (!grad_mode() || !first.defined() || !first->requires_grad) return first;
  if (!has_saved(first->history.get(), inputs)) return first;  // nothing to compute again
  return autograd::recorded_always(detach(first), inputs, again);
}

}  // namespace assay::cuda::autocast
