// What every optimizer has: its groups, its state, its step's bookkeeping.
#include "reference/optim/optimizer.hpp"

#include <algorithm>
#include <atomic>

#include "reference/core/element.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"

namespace assay::reference {

namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> count{0};
  return ++count;
}

void zero(Runtime& runtime, const Tensor& grad) {
  const Tensor values = grad.is_sparse() ? grad.values() : grad;
  launch(runtime, values.device(), "zero", [to = borrowed(values)] {
    for (std::int64_t i = 0; i < to.numel(); ++i) set_bits_at(to, i, 0);
  });
  values.bump_version();
}

}  // namespace

const std::any* StepCall::keyword(const std::string& name) const {
  for (const auto& [known, value] : named) {
    if (known == name) return &value;
  }
  return nullptr;
}

const Tensor* ParamState::find(const std::string& name) const {
  for (const auto& [known, tensor] : tensors_) {
    if (known == name) return &tensor;
  }
  return nullptr;
}

void ParamState::set(const std::string& name, Tensor tensor) {
  for (auto& [known, held] : tensors_) {
    if (known != name) continue;
    held = std::move(tensor);
    return;
  }
  tensors_.emplace_back(name, std::move(tensor));
}

void ParamState::erase(const std::string& name) {
  std::erase_if(tensors_, [&](const auto& item) { return item.first == name; });
}

Optimizer::Optimizer(Runtime& runtime, std::vector<ParamGroup> groups)
    : runtime_(runtime), groups_(std::move(groups)), id_(next_id()) {
  check(!groups_.empty(), ErrorKind::kValue, [] { return "the list of parameters is empty"; });
}

std::any Optimizer::step(const StepCall& call) {
  if (!fault("optim_counts_no_calls")) ++calls_;
  return run(call);
}

void Optimizer::zero_grad(std::optional<bool> set_to_none) {
  bool drops = set_to_none.value_or(runtime_.contract().release != Release::k1_13);
  if (fault("optim_zero_grad_default_swapped") && !set_to_none) drops = !drops;
  for (const Tensor& param : params()) {
    if (!param.grad().defined()) continue;
    if (drops) {
      param.set_grad({});
    } else if (!fault("optim_zero_grad_keeps_values")) {
      zero(runtime_, param.grad());
    }
    if (fault("optim_zero_grad_only_first")) break;
  }
}

std::vector<Tensor> Optimizer::params() const {
  std::vector<Tensor> all;
  for (const ParamGroup& group : groups_) {
    all.insert(all.end(), group.params.begin(), group.params.end());
    if (fault("optim_only_first_group")) break;
  }
  return all;
}

std::any Optimizer::call_closure(const StepCall& call) {
  check(call.positional.size() <= 1, ErrorKind::kType, [&] {
    return "step() takes 1 argument but " + std::to_string(call.positional.size()) + " were given";
  });
  const std::any* closure = call.keyword("closure");
  for (const auto& [name, value] : call.named) {
    check(name == "closure", ErrorKind::kType,
          [&] { return "step() got an unexpected keyword argument '" + name + "'"; });
  }
  if (!call.positional.empty()) closure = &call.positional.front();
  if (closure == nullptr || !closure->has_value()) return {};
  check(static_cast<bool>(call.invoke), ErrorKind::kType,
        [] { return "the closure cannot be called"; });
  return call.invoke(*closure, {}, {});
}

std::any CustomOptimizer::run(const StepCall& call) {
  check(static_cast<bool>(call.invoke), ErrorKind::kType,
        [] { return "the step cannot be called"; });
  NamedArguments named = call.named;
  named.emplace_back("optimizer", shared_from_this());
  if (call.grad_scaler != nullptr) named.emplace_back("grad_scaler", call.grad_scaler);
  return call.invoke(step_, call.positional, named);
}

}  // namespace assay::reference
