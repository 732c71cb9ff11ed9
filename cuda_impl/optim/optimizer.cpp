// Groups, hooks, step bookkeeping and zero_grad of all optimizers.
#include "cuda_impl/optim/optimizer.hpp"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

using Seen = std::unordered_set<const TensorBody*>;

/// A duplicate in one group gives a warning; in two groups, an error.
void check_group(const ParamGroup& group, const Seen& elsewhere) {
  Seen here;
  for (const Tensor& param : group.params) {
    require(param.defined() && param->is_leaf, ErrorKind::kValue,
            [] { return "can't optimize a non-leaf Tensor"; });
    here.insert(param.body().get());
  }
  if (here.size() != group.params.size()) {
    warn("UserWarning", "optimizer contains a parameter group with duplicate parameters");
  }
  for (const TensorBody* param : here) {
    require(elsewhere.count(param) == 0, ErrorKind::kValue,
            [] { return "some parameters appear in more than one parameter group"; });
  }
}

/// A sparse gradient of zeros has no entries.
void clear_sparse(const Tensor& grad) {
  SparseParts& parts = *grad->sparse;
  const auto without_entries = [](const Tensor& tensor, std::size_t dim) {
    Shape sizes = tensor.sizes();
    sizes[dim] = 0;
    return empty(std::move(sizes), tensor.dtype(), tensor.device());
  };
  parts = {without_entries(parts.indices, 1), without_entries(parts.values, 0), true};
  grad.bump_version();
}

}  // namespace

bool StepCall::has_keyword(std::string_view name) const {
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

Optimizer::Optimizer(Session& session, std::vector<ParamGroup> groups, Settings defaults)
    : session_(session), defaults_(std::move(defaults)), id_(next_id()) {
  require(!groups.empty(), ErrorKind::kValue,
          [] { return "optimizer got an empty parameter list"; });
  for (ParamGroup& group : groups) append(std::move(group));
}

void Optimizer::append(ParamGroup group) {
  std::unordered_map<const TensorBody*, std::size_t> first;
  Seen seen;
  for (std::size_t i = 0; i < params_.size(); ++i) {
    first.try_emplace(params_[i].body().get(), i);
    seen.insert(params_[i].body().get());
  }
  check_group(group, seen);
  for (const Tensor& param : group.params) {
    first_of_.push_back(first.try_emplace(param.body().get(), params_.size()).first->second);
    params_.push_back(param);
  }
  group.settings.insert(defaults_.begin(), defaults_.end());  // existing settings are kept
  groups_.push_back(std::move(group));
}

void Optimizer::add_param_group(ParamGroup group) {
  settle_all();
  append(std::move(group));
  make_room();
}

void Optimizer::set_setting(std::size_t group, std::string_view name, const Setting& value) {
  require(group < groups_.size(), ErrorKind::kIndex, [] { return "list index out of range"; });
  groups_[group].settings.insert_or_assign(std::string(name), value);
}

void Optimizer::set_settings(std::size_t group, Settings settings) {
  groups_.at(group).settings = std::move(settings);
}

std::uint64_t Optimizer::add_hook(bool before, StepHook hook) {
  require(session_.release() != Release::k1_13, ErrorKind::kAttribute,
          [] { return "optimizers have no attribute 'register_step_pre_hook' in 1.13"; });
  hooks_.push_back({next_id(), before, std::move(hook)});
  return hooks_.back().id;
}

void Optimizer::remove_hook(std::uint64_t hook) {
  std::erase_if(hooks_, [&](const Hook& known) { return known.id == hook; });
}

void Optimizer::call_hooks(bool before) {
  const std::vector<Hook> all = hooks_;  // a hook may remove itself
  for (const Hook& hook : all) {
    if (hook.before == before) hook.call(shared_from_this());
  }
}

std::any Optimizer::step(const StepCall& call) {
  ++calls_;
  if (hooks_.empty()) return run(call);
  call_hooks(true);
  std::any returned = run(call);
  call_hooks(false);
  return returned;
}

void Optimizer::zero_grad(std::optional<bool> set_to_none) {
  const bool drops = set_to_none.value_or(session_.release() != Release::k1_13);
  for (const Tensor& param : params_) {
    const Tensor grad = param.grad();
    if (!grad.defined()) continue;
    if (drops) {
      param.set_grad({});
    } else if (grad.is_sparse()) {
      clear_sparse(grad);
    } else {
      clear_(grad);
    }
  }
}

OptimizerMode mode_of(const Settings& settings, Release release,
                      const std::function<bool()>& all_on_devices) {
  if (is_true(settings, "fused")) return OptimizerMode::kFused;
  if (is_true(settings, "foreach")) return OptimizerMode::kForeach;
  const bool chooses_lists = is_open(settings, "foreach") && release != Release::k1_13;
  return chooses_lists && all_on_devices() ? OptimizerMode::kForeach : OptimizerMode::kPlain;
}

void write_mode(Settings& settings, OptimizerMode mode) {
  if (mode == OptimizerMode::kFused) {
    settings.insert_or_assign("fused", true);
  } else {
    settings.insert_or_assign("foreach", mode == OptimizerMode::kForeach);
  }
}

std::any Optimizer::call_closure(const StepCall& call) {
  require(call.positional <= 1, ErrorKind::kType, [&] {
    return "step() takes at most 1 argument, but " + std::to_string(call.positional) +
           " were given";
  });
  for (const std::string& name : call.keywords) {
    require(name == "closure", ErrorKind::kType,
            [&] { return "step() got an unexpected keyword argument '" + name + "'"; });
  }
  require(call.keywords.size() + call.positional <= 1, ErrorKind::kType,
          [] { return "step() got multiple values for argument 'closure'"; });
  return call.closure ? call.closure() : std::any();
}

}  // namespace assay::cuda
