// Implements checkpoints.
#include "reference/autocast/checkpoint.hpp"

#include <set>

#include "reference/autocast/region.hpp"
#include "reference/autograd/closure_node.hpp"
#include "reference/autograd/engine.hpp"
#include "reference/autograd/saved.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/view.hpp"

namespace assay::reference {
namespace {

RegionOptions region_now(Runtime& runtime, CastDevice device) {
  RegionOptions options;
  options.device = std::string(name_of(device, runtime.contract().release));
  options.dtype = autocast_dtype(runtime, device);
  options.enabled = is_autocast_enabled(runtime, device);
  options.cache_enabled = is_cache_enabled(runtime);
  options.cuda_available = true;
  return options;
}

/// Removes the inputs' history, so that the inner backward ends at them.
std::vector<Tensor> cut_off(const std::vector<Tensor>& inputs) {
  std::vector<Tensor> cut;
  for (const Tensor& input : inputs) {
    if (!input.defined()) {
      cut.emplace_back();
      continue;
    }
    cut.push_back(detach(input));
    if (input.requires_grad()) cut.back().set_requires_grad(true);
  }
  return cut;
}

/// Since 2.1 they are saved, whether anything requires a gradient or not.
void check_inputs(const Runtime& runtime, const std::vector<Tensor>& inputs) {
  if (runtime.contract().release == Release::k1_13) return;
  for (const Tensor& input : inputs) {
    if (input.defined()) static_cast<void>(SavedTensor::input(input));
  }
}

/// Only saved tensors are computed again.
bool saves_a_tensor(const Tensor& result, const std::vector<Tensor>& inputs) {
  std::set<const Node*> seen{nullptr};
  for (const Tensor& input : inputs) seen.insert(input.defined() ? input.node().get() : nullptr);
  std::vector<const Node*> todo{result.node().get()};
  while (!todo.empty()) {
    const Node* node = todo.back();
    todo.pop_back();
    if (!seen.insert(node).second) continue;
    if (node->saves_tensors()) return true;
    for (const Edge& edge : node->next()) todo.push_back(edge.node.get());
  }
  return false;
}

struct Recompute {
  std::vector<Tensor> inputs;
  CheckpointBody body;
  RegionOptions cuda;
  RegionOptions cpu;

  Gradients operator()(Runtime& runtime, const Tensor& grad) const {
    // 2.4 recomputes through an API that it had already deprecated, so it warns (CAST-708).
    if (runtime.contract().release == Release::k2_4 && !runtime.contract().strict()) {
      runtime.warn(
          "FutureWarning",
          "torch.cpu.amp.autocast(args) is deprecated, use torch.amp.autocast('cpu', args)");
    }
    AutocastRegion on_cuda(runtime, cuda);
    AutocastRegion on_cpu(runtime, cpu);
    const std::vector<Tensor> again = cut_off(inputs);
    Tensor result;
    {
      const RegionGuard outer(on_cuda);
      const RegionGuard inner(on_cpu);
      const GradModeGuard recording(runtime, true);
      result = body(again);
    }
    backward(runtime, result, grad);
    Gradients grads;
    for (const Tensor& input : again) grads.push_back(input.grad());
    return grads;
  }
};

}  // namespace

Tensor checkpoint(Runtime& runtime, const std::vector<Tensor>& inputs, CheckpointBody body) {
  const Recompute again{inputs, body, region_now(runtime, DeviceType::kCuda),
                        region_now(runtime, DeviceType::kCpu)};
  if (is_grad_enabled(runtime)) check_inputs(runtime, inputs);
  const Tensor first = body(inputs);
  if (!is_grad_enabled(runtime) || !first.requires_grad()) return first;
  if (!saves_a_tensor(first, inputs)) return first;
  const Tensor result = detach(first);
  // Always recorded, since only parameters inside may require gradients.
  record_always(runtime, "checkpoint", inputs, result, again);
  return result;
}

}  // namespace assay::reference
