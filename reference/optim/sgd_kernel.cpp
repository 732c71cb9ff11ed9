// The SGD step of one parameter, in its stepwise and fused forms.
#include "reference/optim/sgd_kernel.hpp"

namespace assay::reference {

void SgdKernel::plain() const {
  Elements grad = elements_of(grad_tensor);
  if (options.maximize) grad = negated(grad);
  if (options.weight_decay != 0) grad = add(grad, elements_of(param), options.weight_decay);
  if (buffer.defined()) {
    const Elements next = next_momentum(grad);
    grad = options.nesterov ? add(grad, next, options.momentum) : next;
  }
  write_elements(param, add(elements_of(param), grad, -options.lr));
  if (writes_grad) write_elements(grad_tensor, grad);
}

void SgdKernel::fused() const {
  if (is_skipped(scaling)) return;  // SCL-610
  const Elements before = widened(elements_of(param));
  Elements grad = widened(unscaled_grad(grad_tensor, scaling));
  if (options.maximize) grad = negated(grad);
  if (options.weight_decay != 0) grad = add(grad, before, options.weight_decay);
  if (buffer.defined()) {
    Elements next = grad;
    if (!is_first) {
      next = add(mul(widened(elements_of(buffer)), options.momentum), grad, 1 - options.dampening);
    }
    write_elements(buffer, next, 0);
    grad = options.nesterov ? add(grad, next, options.momentum) : next;
  }
  write_elements(param, add(before, grad, -options.lr), 0);
}

Elements SgdKernel::widened(Elements elements) const {
  elements.dtype = param.dtype() == ScalarType::kDouble ? ScalarType::kDouble : ScalarType::kFloat;
  return elements;
}

/// The first momentum is a copy of the gradient; the copy counts no version.
Elements SgdKernel::next_momentum(const Elements& grad) const {
  Elements next = grad;
  if (!is_first) {
    next = add(mul(elements_of(buffer), options.momentum), grad, 1 - options.dampening);
  }
  write_elements(buffer, next, is_first ? 0 : 2);
  return next;
}

}  // namespace assay::reference
