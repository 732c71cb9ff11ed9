// Groups, state and step bookkeeping of all optimizers; the settings of a parameter group.
#include "reference/optim/optimizer.hpp"

#include <algorithm>
#include <atomic>
#include <set>

#include "reference/core/math/launch.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/fill.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {

const Setting* Settings::find(std::string_view name) const {
  for (const Item& item : items_) {
    if (item.first == name) return &item.second;
  }
  return nullptr;
}

void Settings::set(std::string_view name, Setting value) {
  for (Item& item : items_) {
    if (item.first != name) continue;
    item.second = std::move(value);
    return;
  }
  items_.emplace_back(name, std::move(value));
}

void Settings::complete(const Settings& others) {
  for (const Item& item : others.items_) {
    if (find(item.first) == nullptr) items_.push_back(item);
  }
}

const Setting& Settings::need(std::string_view name) const {
  const Setting* found = find(name);
  check(found != nullptr, ErrorKind::kKey, [&] { return "'" + std::string(name) + "'"; });
  return *found;
}

double Settings::real(std::string_view name) const {
  const Setting& found = need(name);
  if (const auto* whole = std::get_if<std::int64_t>(&found)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&found);
  check(real != nullptr, ErrorKind::kType,
        [&] { return "a number was expected for '" + std::string(name) + "'"; });
  return *real;
}

bool Settings::is_on(std::string_view name) const {
  const Setting* found = find(name);
  const auto* truth = found == nullptr ? nullptr : std::get_if<bool>(found);
  return truth != nullptr && *truth;
}

double Settings::real_in(std::string_view name, std::size_t index) const {
  const auto* numbers = std::get_if<std::vector<double>>(&need(name));
  check(numbers != nullptr && index < numbers->size(), ErrorKind::kType,
        [&] { return "more numbers were expected for '" + std::string(name) + "'"; });
  return (*numbers)[index];
}

// Optimizers.

namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> count{0};
  return ++count;
}

void zero(Runtime& runtime, const Tensor& grad) {
  launch(runtime, grad.device(), "zero", [to = borrowed(grad)] {
    for (std::int64_t i = 0; i < to.numel(); ++i) set_bits_at(to, i, 0);
  });
  note_write(runtime, grad);
}

/// A zeroed sparse gradient has no entries (OPT-008).
void drop_entries(Runtime& runtime, const Tensor& grad) {
  const auto emptied = [&](const Tensor& part, std::size_t dim) {
    Shape sizes = part.sizes();
    sizes[dim] = 0;
    return empty(runtime, sizes, part.dtype(), part.device());
  };
  SparseParts& parts = *grad.impl()->sparse;
  parts = {emptied(parts.indices, 1), emptied(parts.values, 0), true};
  note_write(runtime, grad);
}

/// A duplicate parameter is a warning within a group and an error across groups (OPT-001).
void check_params(Runtime& runtime, const std::vector<Tensor>& params, std::set<const void*> seen) {
  std::set<const void*> here;
  for (const Tensor& param : params) {
    check(param.is_leaf(), ErrorKind::kValue, [] { return "can't optimize a non-leaf Tensor"; });
    here.insert(param.identity());
  }
  if (here.size() != params.size()) {
    runtime.warn("UserWarning", "optimizer contains a parameter group with duplicate parameters");
  }
  for (const void* param : here) {
    check(seen.count(param) == 0, ErrorKind::kValue,
          [] { return "some parameters appear in more than one parameter group"; });
  }
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

Optimizer::Optimizer(Runtime& runtime, std::vector<ParamGroup> groups, Settings defaults)
    : runtime_(runtime), defaults_(std::move(defaults)), id_(next_id()) {
  check(!groups.empty(), ErrorKind::kValue, [] { return "optimizer got an empty parameter list"; });
  for (ParamGroup& group : groups) add_param_group(std::move(group));
}

void Optimizer::add_param_group(ParamGroup group) {
  std::set<const void*> seen;
  for (const ParamGroup& known : groups_) {
    for (const Tensor& param : known.params) seen.insert(param.identity());
  }
  check_params(runtime_, group.params, std::move(seen));
  group.settings.complete(defaults_);
  groups_.push_back(std::move(group));
}

void Optimizer::set_setting(std::size_t group, std::string_view name, Setting value) {
  check(group < groups_.size(), ErrorKind::kIndex, [] { return "list index out of range"; });
  groups_[group].settings.set(name, std::move(value));
}

void Optimizer::set_settings(std::size_t group, Settings settings) {
  groups_.at(group).settings = std::move(settings);
}

std::any Optimizer::step(const StepCall& call) {
  ++calls_;
  call_hooks(true);
  std::any returned = run(call);
  call_hooks(false);
  return returned;
}

std::int64_t Optimizer::add_hook(bool is_before, StepHook hook) {
  check(runtime_.contract().release != Release::k1_13, ErrorKind::kAttribute,
        [] { return "the optimizer has no attribute 'register_step_pre_hook'"; });
  hooks_.push_back({++last_hook_, is_before, std::move(hook)});
  return last_hook_;
}

void Optimizer::remove_hook(std::int64_t token) {
  std::erase_if(hooks_, [&](const KeptHook& hook) { return hook.token == token; });
}

void Optimizer::call_hooks(bool is_before) {
  if (hooks_.empty()) return;
  const std::vector<KeptHook> due = hooks_;  // a hook may modify the list
  for (const KeptHook& hook : due) {
    if (hook.is_before == is_before) hook.call(shared_from_this());
  }
}

void Optimizer::zero_grad(std::optional<bool> set_to_none) {
  const bool drops = set_to_none.value_or(runtime_.contract().release != Release::k1_13);
  for (const Tensor& param : params()) {
    if (!param.grad().defined()) continue;
    if (drops) {
      param.set_grad({});
    } else if (param.grad().is_sparse()) {
      drop_entries(runtime_, param.grad());
    } else {
      zero(runtime_, param.grad());
    }
  }
}

std::vector<Tensor> Optimizer::params() const {
  std::vector<Tensor> all;
  for (const ParamGroup& group : groups_) {
    all.insert(all.end(), group.params.begin(), group.params.end());
  }
  return all;
}

std::vector<Tensor> Optimizer::with_gradients(const ParamGroup& group) const {
  std::vector<Tensor> found;
  for (const Tensor& param : group.params) {
    if (param.grad().defined()) found.push_back(param);
  }
  return found;
}

std::any Optimizer::call_closure(const StepCall& call) const {
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
  const GradModeGuard guard(runtime_, true);
  return call.invoke(*closure, {}, {});
}

Settings as_numbers(Runtime& runtime, Settings settings) {
  Settings numbers = settings;
  for (const auto& [name, setting] : settings.items()) {
    const auto* tensor = std::get_if<Tensor>(&setting);
    if (tensor != nullptr) numbers.set(name, item(runtime, *tensor).real());
  }
  return numbers;
}

void check_rate(const Runtime& runtime, const Settings& settings) {
  const Setting* rate = settings.find("lr");
  const auto* tensor = rate == nullptr ? nullptr : std::get_if<Tensor>(rate);
  const bool fits = tensor == nullptr || tensor->numel() == 1;
  check(fits || runtime.contract().before(Release::k2_11), ErrorKind::kValue,
        [] { return "Tensor lr must be 1-element"; });
}

OptimizerMode mode_of(const Runtime& runtime, const Settings& settings,
                      const std::vector<Tensor>& params) {
  if (settings.is_on("fused")) return OptimizerMode::kFused;
  if (settings.is_on("foreach")) return OptimizerMode::kForeach;
  const Setting* chosen = settings.find("foreach");
  const bool is_free = chosen == nullptr || std::holds_alternative<std::monostate>(*chosen);
  const auto is_on_device = [](const Tensor& param) { return param.is_cuda(); };
  const bool takes_lists = is_free && runtime.contract().at_least(Release::k2_4) &&
                           std::ranges::all_of(params, is_on_device);
  return takes_lists ? OptimizerMode::kForeach : OptimizerMode::kPlain;
}

void set_mode(Settings& settings, OptimizerMode mode) {
  if (mode == OptimizerMode::kFused) return settings.set("fused", true);
  settings.set("foreach", mode == OptimizerMode::kForeach);
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
