// Accumulates gradients in leaves.
#include "reference/autograd/leaf.hpp"

#include <limits>

#include "reference/autograd/steps.hpp"
#include "reference/core/math/elementwise.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"

namespace assay::reference {
namespace {

std::mutex& accumulators_mutex() {
  static std::mutex mutex;
  return mutex;
}

class Leaf final : public Node {
 public:
  Leaf(Runtime& runtime, Tensor leaf) : Node("leaf", {}), leaf_(std::move(leaf)) {
    sequence_ = std::numeric_limits<std::uint64_t>::max();
    results.push_back(result_like(runtime, leaf_));
  }

  void poison() { is_poisoned_ = true; }

  Gradients backward(Runtime& runtime, const Gradients& grads) override {
    check(!is_poisoned_, [] {
      return "backward reached a leaf that was poisoned by a swap of its contents; convert the "
             "module before the forward pass or after the backward pass";
    });
    Tensor grad = grads.front();
    for (const GradHook& hook : leaf_.impl()->hooks) {
      grad = hook(grad);
    }
    leaf_.set_grad(summed(runtime, leaf_.grad(), grad));
    return {};
  }

 private:
  Tensor summed(Runtime& runtime, const Tensor& held, const Tensor& grad) const {
    if (is_grad_enabled(runtime)) return held.defined() ? sum_of(runtime, held, grad) : grad;
    if (held.defined() && held.is_sparse() == grad.is_sparse()) return add_(runtime, held, grad);
    // A gradient that is a view or has other owners is copied: the leaf needs its own.
    const bool is_own = !grad.is_sparse() && grad.use_count() <= 2 && !grad.is_view();
    if (is_own && grad.node() == nullptr && grad.strides() == leaf_.strides()) return grad;
    return grad.is_sparse() ? clone(runtime, grad) : laid_out(runtime, grad);
  }

  /// A gradient takes the strides of its leaf if these are dense.
  Tensor laid_out(Runtime& runtime, const Tensor& grad) const {
    const bool is_dense = leaf_.is_non_overlapping_and_dense();
    const Shape strides = is_dense ? leaf_.strides() : contiguous_strides(grad.sizes());
    const Tensor made = empty_strided(runtime, grad.sizes(), strides, grad.dtype(), grad.device());
    return copy_(runtime, made, grad);
  }

  Tensor leaf_;
  bool is_poisoned_ = false;
};

}  // namespace

std::shared_ptr<Node> accumulator_of(Runtime& runtime, const Tensor& leaf) {
  const std::scoped_lock lock(accumulators_mutex());
  if (std::shared_ptr<Node> known = leaf.impl()->accumulator.lock()) return known;
  auto made = std::make_shared<Leaf>(runtime, leaf);
  leaf.impl()->accumulator = made;
  return made;
}

void poison_accumulator(const Tensor& leaf) {
  const std::scoped_lock lock(accumulators_mutex());
  const auto known = std::static_pointer_cast<Leaf>(leaf.impl()->accumulator.lock());
  if (known != nullptr) known->poison();
}

void assign_grad(const Tensor& tensor, const Tensor& grad) {
  if (!grad.defined()) return tensor.set_grad(grad);
  const auto expect = [&](bool fits, const char* what) {
    check(fits, [&] {
      return std::string("assigned grad has a different ") + what + ": " + describe(grad) +
             " for " + describe(tensor);
    });
  };
  check(!grad.is_same(tensor), [] { return "a tensor cannot be assigned as its own grad"; });
  expect(grad.dtype() == tensor.dtype(), "dtype");
  expect(grad.device() == tensor.device(), "device");
  expect(grad.sizes() == tensor.sizes(), "size");
  tensor.set_grad(grad);
}

}  // namespace assay::reference
