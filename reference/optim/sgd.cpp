// Stochastic gradient descent. The plain and foreach forms round after each operation; the fused
// form computes in registers.
#include "reference/optim/sgd.hpp"

#include <algorithm>

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/device_hooks.hpp"
#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/sparse_step.hpp"
#include "reference/optim/step_settings.hpp"

namespace assay::reference {

// The step of one parameter, in its stepwise and fused forms.

/// The submitted work of a parameter's step.
struct SgdKernel {
  SgdOptions options;
  Tensor param;
  Tensor grad_tensor;
  Tensor buffer;             ///< undefined without momentum
  bool is_first = false;     ///< the buffer has no content yet
  bool writes_grad = false;  ///< OPT-004
  FusedScaling scaling = {};

  void plain() const;
  /// Computes in float32 (float64 for float64) without intermediate rounding. Counts no versions
  /// (OPT-005).
  void fused() const;

 private:
  Elements widened(Elements elements) const;
  Elements next_momentum(const Elements& grad) const;
};

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

// The optimizer.

namespace {

constexpr const char* kBuffer = "momentum_buffer";

}  // namespace

Sgd::Sgd(Runtime& runtime, std::vector<ParamGroup> groups, const Settings& given)
    : Optimizer(runtime, std::move(groups), checked_sgd(runtime, given)) {
  if (runtime.contract().release == Release::k2_4) check_all_fusable(runtime, *this);
}

Sgd::Sgd(Runtime& runtime, std::vector<ParamGroup> groups, const SgdOptions& options)
    : Sgd(runtime, std::move(groups), settings_of(options)) {}

std::any Sgd::run(const StepCall& call) {
  std::any loss = call_closure(call);
  for (const ParamGroup& group : groups()) {
    made_.clear();
    step_group(group);
    keep_made();
  }
  return loss;
}

void Sgd::step_group(const ParamGroup& group) {
  const std::vector<Tensor> params = with_gradients(group);
  const SgdOptions options = sgd_options(as_numbers(runtime(), group.settings),
                                         mode_of(runtime(), group.settings, params));
  if (options.mode == OptimizerMode::kFused) return step_fused(options, params);
  reject_scaler_attributes(runtime(), *this);
  step_one_by_one(options, params);
  if (runtime().contract().release != Release::k1_13) return;
  for (const Tensor& param : params) {  // OPT-010: 1.13 always creates an entry
    if (state(param).find(kBuffer) == nullptr) state(param).set(kBuffer, {});
  }
}

void Sgd::step_one_by_one(const SgdOptions& options, const std::vector<Tensor>& params) {
  const bool is_foreach = options.mode == OptimizerMode::kForeach;
  const std::set<const void*> fresh = without_momentum(params);
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].grad().is_sparse()) {
      update_sparse(options, params[i]);
    } else {
      update(options, params[i], fresh.count(params[i].identity()) > 0);
    }
    // One launch for the list (foreach), or one for each parameter.
    if (params[i].is_cuda() && (!is_foreach || i == 0)) ++runtime().counters().launches;
    if (!is_foreach) check_written(runtime(), params[i]);
  }
  for (const Tensor& param : params) check_written(runtime(), param);
}

const Tensor* Sgd::kept_buffer(const Tensor& param) {
  const Tensor* held = state(param).find(kBuffer);
  return held == nullptr || !held->defined() ? nullptr : held;
}

Tensor Sgd::momentum_buffer(const SgdOptions& options, const Tensor& param) {
  if (options.momentum == 0) return {};
  if (const Tensor* held = kept_buffer(param)) {
    check(held->sizes() == param.sizes(), [&] {
      return "a momentum must have the size of its parameter, " + describe(param) + ", but is " +
             describe(*held);
    });
    return *held;
  }
  const Tensor made = empty(runtime(), param.sizes(), param.dtype(), param.device());
  made_.emplace_back(param, made);
  return made;
}

/// OPT-026: a step that fails keeps no new momenta.
void Sgd::keep_made() {
  for (const auto& [param, buffer] : made_) state(param).set(kBuffer, buffer);
  made_.clear();
}

/// PyTorch's foreach form adds Nesterov momentum to the gradients in place, unless the sign or the
/// decay has required a copy (OPT-004).
bool Sgd::writes_gradients(const SgdOptions& options) const {
  return !runtime().contract().strict() && options.mode == OptimizerMode::kForeach &&
         options.nesterov && options.momentum != 0 && !options.maximize &&
         options.weight_decay == 0;
}

std::set<const void*> Sgd::without_momentum(const std::vector<Tensor>& params) {
  std::set<const void*> found;
  for (const Tensor& param : params) {
    if (kept_buffer(param) == nullptr) found.insert(param.identity());
  }
  return found;
}

namespace {

/// Checks the number that PyTorch passes as the factor of a summand (OPT-019).
void check_factors(const Contract& contract, const SgdOptions& options, const Tensor& param,
                   bool is_first) {
  check_held(contract, param, options.weight_decay);
  if (options.momentum != 0 && !is_first) check_held(contract, param, 1 - options.dampening);
  if (options.nesterov) check_held(contract, param, options.momentum);
  check_held(contract, param, -options.lr);
}

}  // namespace

void Sgd::update(const SgdOptions& options, const Tensor& param, bool is_first) {
  check_factors(runtime().contract(), options, param, is_first);
  const Tensor* held = kept_buffer(param);
  check(options.momentum == 0 || held == nullptr || !held->is_sparse(),
        [] { return "add(sparse, dense) is not supported. Use add(dense, sparse) instead."; });
  const Tensor buffer = momentum_buffer(options, param);
  const SgdKernel kernel{options,          borrowed(param), borrowed(param.grad()),
                         borrowed(buffer), is_first,        writes_gradients(options)};
  launch(runtime(), param.device(), "sgd", [kernel] { kernel.plain(); });
}

/// In 1.13, the only foreach operator for sparse tensors was the final addition.
void Sgd::update_sparse(const SgdOptions& options, const Tensor& param) {
  const bool had_lists = runtime().contract().release != Release::k1_13;
  const bool is_list = options.mode == OptimizerMode::kForeach && !had_lists;
  const bool has_momentum = options.momentum != 0 && kept_buffer(param) != nullptr;
  const bool needs_lists = options.maximize || options.nesterov || options.weight_decay != 0;
  check(!is_list || (!needs_lists && !has_momentum), ErrorKind::kNotImplemented,
        [] { return "Could not run 'aten::_foreach' with arguments from the 'Sparse' backend"; });
  check(options.weight_decay == 0,
        [] { return "add(sparse, dense) is not supported. Use add(dense, sparse) instead."; });
  Tensor grad = param.grad();
  if (options.maximize) grad = sparse_negated(runtime(), grad);
  if (options.momentum != 0) grad = sparse_momentum(options, param, grad);
  if (grad.is_sparse()) {
    add_sparse_(runtime(), param, grad, -options.lr);
  } else {
    wait_for_stream(runtime(), param.device());
    write_elements(param, add(elements_of(param), elements_of(grad), -options.lr));
  }
}

Tensor Sgd::sparse_momentum(const SgdOptions& options, const Tensor& param, const Tensor& grad) {
  const Tensor* held = kept_buffer(param);
  if (held == nullptr) {
    made_.emplace_back(param, sparse_clone(runtime(), grad));
  } else if (held->is_sparse()) {
    sparse_mul_(runtime(), *held, options.momentum);
    sparse_add_(runtime(), *held, grad, 1 - options.dampening);
  } else {
    wait_for_stream(runtime(), held->device());
    write_elements(*held, mul(elements_of(*held), options.momentum));
    add_sparse_(runtime(), *held, grad, 1 - options.dampening);
  }
  const Tensor buffer = held == nullptr ? made_.back().second : *held;
  if (!options.nesterov) return buffer;
  check(buffer.is_sparse(),
        [] { return "add(sparse, dense) is not supported. Use add(dense, sparse) instead."; });
  if (!writes_gradients(options)) return sparse_sum(runtime(), grad, buffer, options.momentum);
  sparse_add_(runtime(), grad, buffer, options.momentum);
  return grad;
}

void Sgd::step_fused(const SgdOptions& options, const std::vector<Tensor>& params) {
  if (params.empty()) return;
  for (const Tensor& param : params) {
    check(!param.grad().is_sparse(),
          [] { return "`_fused_sgd` does not support sparse gradients"; });
  }
  const FusedScaling scaling = fused_scaling(runtime(), *this, nullptr);
  const std::set<const void*> fresh = without_momentum(params);
  const bool has_some = std::ranges::any_of(
      params, [&](const Tensor& param) { return fresh.count(param.identity()) == 0; });
  const bool is_mixed = options.momentum != 0 && !fresh.empty() && has_some;
  check(!is_mixed || runtime().contract().strict(), ErrorKind::kType,
        [] { return "expected Tensor as element 0, but got NoneType"; });
  for (const FusedList& list : fused_lists(runtime(), params)) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    for (const Tensor& param : list.params) {
      update_fused(options, param, fresh.count(param.identity()) > 0, here);
    }
  }
}

/// A skipped first step creates no momentum, so the next one is a first step again; only for that
/// case the host must read the flag.
void Sgd::update_fused(const SgdOptions& options, const Tensor& param, bool is_first,
                       const FusedScaling& scaling) {
  if (param.grad().is_sparse()) return update_sparse(options, param);
  const bool may_be_skipped = is_first && options.momentum != 0 && scaling.found_inf.defined();
  // SCL-715: during a capture the host cannot read it; every replay is a first step.
  if (may_be_skipped && !is_captured(runtime())) {
    wait_for_stream(runtime(), scaling.found_inf.device());
    if (is_skipped(scaling)) return;
  }
  const Tensor buffer = momentum_buffer(options, param);
  const SgdKernel kernel{options,
                         borrowed(param),
                         borrowed(param.grad()),
                         borrowed(buffer),
                         is_first,
                         false,
                         {borrowed(scaling.grad_scale), borrowed(scaling.found_inf)}};
  launch(runtime(), param.device(), "fused_sgd", [kernel] { kernel.fused(); });
}

}  // namespace assay::reference
