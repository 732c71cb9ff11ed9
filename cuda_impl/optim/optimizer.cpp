// What every optimizer has: its groups, its step's bookkeeping, and the end of old gradients.
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

/// A parameter twice in one group is a warning, in two groups an error.
void check_group(const ParamGroup& group, Seen& elsewhere) {
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
    require(elsewhere.insert(param).second, ErrorKind::kValue,
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

Optimizer::Optimizer(Session& session, std::vector<ParamGroup> groups)
    : session_(session), groups_(std::move(groups)), id_(next_id()) {
  require(!groups_.empty(), ErrorKind::kValue,
          [] { return "optimizer got an empty parameter list"; });
  Seen seen;
  std::unordered_map<const TensorBody*, std::size_t> first;
  for (const ParamGroup& group : groups_) {
    check_group(group, seen);
    for (const Tensor& param : group.params) {
      first_of_.push_back(first.try_emplace(param.body().get(), params_.size()).first->second);
      params_.push_back(param);
    }
  }
}

std::any Optimizer::step(const StepCall& call) {
  ++calls_;
  return run(call);
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
