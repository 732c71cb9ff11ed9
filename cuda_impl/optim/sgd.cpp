// Stochastic gradient descent: what the host prepares for its kernels.
#include "cuda_impl/optim/sgd.hpp"

#include <algorithm>
#include <string>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

void check_not_negative(const char* name, double value) {
  require(!(value < 0), ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
}

const SgdOptions& checked(const SgdOptions& options, Release release) {
  require(options.mode != OptimizerMode::kFused || release != Release::k1_13, ErrorKind::kType,
          [] { return "SGD got an unexpected keyword argument 'fused'"; });
  check_not_negative("learning rate", options.lr);
  check_not_negative("momentum value", options.momentum);
  check_not_negative("weight_decay value", options.weight_decay);
  require(!options.nesterov || (options.momentum > 0 && options.dampening == 0), ErrorKind::kValue,
          [] { return "Nesterov momentum requires a momentum and zero dampening"; });
  return options;
}

}  // namespace

Sgd::Sgd(Session& session, std::vector<ParamGroup> groups, const SgdOptions& options)
    : Optimizer(session, std::move(groups)),
      options_(checked(options, session.release())),
      momenta_(params().size()),
      words_(params().size() + 1) {}

std::vector<NamedTensor> Sgd::state(std::size_t index) {
  const std::size_t first = first_of(index);
  Momentum& kept = momenta_[first];
  // 1.13 has the entry always.
  const bool has_none = kept.was_stepped && session().release() == Release::k1_13;
  if (kept.is_unsure) {
    kept.is_unsure = words_.read(kept.buffer.device(), first + 1) == 0;
    if (kept.is_unsure) return {};
  }
  if (!kept.buffer.defined() && !has_none) return {};
  return {{"momentum_buffer", kept.buffer}};
}

std::any Sgd::run(const StepCall& call) {
  std::any loss = call_closure(call);
  std::size_t begin = 0;
  for (const ParamGroup& group : groups()) {
    const std::size_t end = begin + group.params.size();
    step_group(begin, end);
    begin = end;
  }
  return loss;
}

std::vector<std::size_t> Sgd::with_gradients(std::size_t begin, std::size_t end) const {
  std::vector<std::size_t> found;
  for (std::size_t i = begin; i < end; ++i) {
    if (params()[i].grad().defined()) found.push_back(i);
  }
  return found;
}

void Sgd::step_group(std::size_t begin, std::size_t end) {
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  const std::vector<std::size_t> indices = with_gradients(begin, end);
  for (const std::size_t index : indices) {
    if (is_fused) check_fusable(params()[index], session().release());
    momenta_[first_of(index)].was_stepped = true;
  }
  if (!is_fused && session().release() != Release::k1_13) refuse_lent(*this);
  for (const std::size_t index : indices) {
    require(!params()[index].grad().is_sparse(),
            is_fused ? ErrorKind::kError : ErrorKind::kNotImplemented,
            [] { return "SGD does not support sparse gradients here"; });
  }
  if (indices.empty()) return;
  std::optional<Lender> lender;
  if (is_fused) lender.emplace(lent_attributes(*this));
  for (const StepList& list : step_lists(params(), indices)) {
    step_list(list, lender ? &*lender : nullptr);
  }
}

void Sgd::step_list(const StepList& list, Lender* lender) {
  const auto [first, others] = split_by_momentum(list.indices, lender);
  for (const auto& [indices, are_first] : {std::pair(first, true), std::pair(others, false)}) {
    if (options_.mode != OptimizerMode::kPlain) {
      launch_rows(list, indices, are_first, lender);
      continue;
    }
    for (const std::size_t index : indices) {
      launch_rows(list, std::span(&index, 1), are_first, lender);
    }
  }
}

/// Makes buffers where there is none. All are asked before the first is made: a parameter that is
/// twice in the group takes its first step twice.
Sgd::Split Sgd::split_by_momentum(std::span<const std::size_t> indices, const Lender* lender) {
  Split split;
  for (const std::size_t index : indices) {
    const bool is_first = options_.momentum != 0 && !momenta_[first_of(index)].buffer.defined();
    (is_first ? split.first : split.others).push_back(index);
  }
  for (const std::size_t index : split.first) {
    Momentum& kept = momenta_[first_of(index)];
    kept.buffer = empty_like(params()[index].grad());
    kept.is_unsure = lender != nullptr && lender->has_flag();
  }
  return split;
}

SgdSettings Sgd::settings() const {
  SgdSettings made;
  made.lr = options_.lr;
  made.momentum = options_.momentum;
  made.dampening = options_.dampening;
  made.weight_decay = options_.weight_decay;
  made.nesterov = options_.nesterov;
  made.maximize = options_.maximize;
  if (options_.mode == OptimizerMode::kFused) made.arithmetic = StepArithmetic::kFused;
  // PyTorch's foreach form adds the momentum to the gradients themselves where it has no copy.
  made.writes_grad = !session().contract().is_strict && options_.mode == OptimizerMode::kForeach &&
                     options_.nesterov && !options_.maximize && options_.weight_decay == 0;
  return made;
}

void Sgd::launch_rows(const StepList& list, std::span<const std::size_t> indices, bool are_first,
                      Lender* lender) {
  if (indices.empty()) return;
  std::optional<DeviceScope> scope;
  if (list.device.is_cuda()) scope.emplace(list.device.index);
  SgdSettings how = settings();
  how.is_first = are_first;
  const LentToKernel lent = lender == nullptr ? LentToKernel{} : lender->on(list.device);
  how.writes_grad = how.writes_grad || lent.grad_scale != nullptr;

  const bool is_fused = lender != nullptr;
  StepPlace place{list.dtype, list.device.is_cuda(), nullptr};
  RowBuilder<3, 4> rows;
  for (const std::size_t index : indices) {
    const std::size_t slot = first_of(index);
    const Momentum& kept = momenta_[slot];
    void* word = kept.is_unsure ? words_.at(list.device, slot + 1) : nullptr;
    if (word != nullptr) place.ticket = words_.at(list.device, 0);
    const Tensor& param = params()[index];
    rows.add({RowTensor{param, true, is_fused ? 0 : 1},
              RowTensor{param.grad(), how.writes_grad, how.writes_grad && !is_fused ? 1 : 0},
              RowTensor{kept.buffer, true, is_fused || are_first ? 0 : 2}},
             {word});
  }
  step_sgd(rows.rows(), how, lent, place);
  rows.put_back();
  if (lent.found_inf != nullptr) return;
  for (const std::size_t index : indices) momenta_[first_of(index)].is_unsure = false;
}

}  // namespace assay::cuda
