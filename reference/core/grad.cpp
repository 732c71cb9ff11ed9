// Sending gradients back.
#include "reference/core/grad.hpp"

#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"

namespace assay::reference {
namespace {

Tensor sum_of(Runtime& runtime, const Tensor& left, const Tensor& right) {
  Tensor sum = empty(runtime, left.sizes(), left.dtype(), left.device());
  for (std::int64_t i = 0; i < left.numel(); ++i) {
    set_real_at(sum, i, real_at(left, i) + real_at(right, i));
  }
  return sum;
}

}  // namespace

void send_grad(Runtime& runtime, const Tensor& target, const Tensor& grad) {
  if (target.grad_fn()) return target.grad_fn()(runtime, grad);
  if (!target.requires_grad()) return;
  const Tensor& held = target.grad();
  target.set_grad(held.defined() ? sum_of(runtime, held, grad) : grad);
}

void backward(Runtime& runtime, const Tensor& root) {
  check(root.defined() && root.numel() == 1,
        [&] { return "backward starts from one element, got " + describe(root); });
  check(root.requires_grad() || root.grad_fn() != nullptr,
        [&] { return "backward from a tensor that does not require grad: " + describe(root); });
  send_grad(runtime, root, full(runtime, root.sizes(), 1.0, root.dtype(), root.device()));
}

}  // namespace assay::reference
