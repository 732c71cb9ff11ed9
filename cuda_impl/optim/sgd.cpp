// The host side of stochastic gradient descent.
#include "cuda_impl/optim/sgd.hpp"

#include <algorithm>
#include <string>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/optim/sparse_sgd.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

void check_not_negative(const Settings& settings, const char* name, const char* what) {
  const double value = number_of(settings, name);
  require(!(value < 0), ErrorKind::kValue,
          [&] { return "Invalid " + std::string(what) + ": " + std::to_string(value); });
}

Settings with_defaults(Settings given, Release release) {
  const Setting none;
  given.insert({{"momentum", std::int64_t{0}},
                {"dampening", std::int64_t{0}},
                {"weight_decay", std::int64_t{0}},
                {"nesterov", false},
                {"maximize", false},
                {"foreach", none},
                {"differentiable", false}});
  if (release != Release::k1_13) given.insert({{"lr", 1e-3}, {"fused", none}});
  return given;
}

/// OPT-002
Settings checked(Settings given, Release release) {
  require(!is_true(given, "fused") || release != Release::k1_13, ErrorKind::kType,
          [] { return "SGD got an unexpected keyword argument 'fused'"; });
  Settings settings = with_defaults(std::move(given), release);
  require(settings.contains("lr"), ErrorKind::kValue, [] {
    return "parameter group didn't specify a value of required optimization parameter lr";
  });
  check_rate(settings, release);
  check_not_negative(settings, "lr", "learning rate");
  check_not_negative(settings, "momentum", "momentum value");
  check_not_negative(settings, "weight_decay", "weight_decay value");
  const bool lacks_momentum = number_of(settings, "momentum") <= 0;
  const bool is_dampened = number_of(settings, "dampening") != 0;
  require(!is_true(settings, "nesterov") || (!lacks_momentum && !is_dampened), ErrorKind::kValue,
          [] { return "Nesterov momentum requires a momentum and zero dampening"; });
  return settings;
}

Settings settings_of(const SgdOptions& options) {
  Settings settings = {{"lr", options.lr},
                       {"momentum", options.momentum},
                       {"dampening", options.dampening},
                       {"weight_decay", options.weight_decay},
                       {"nesterov", options.nesterov},
                       {"maximize", options.maximize}};
  write_mode(settings, options.mode);
  return settings;
}

SgdOptions options_of(const Settings& settings, OptimizerMode mode) {
  SgdOptions options;
  options.lr = number_of(settings, "lr");
  options.momentum = number_of(settings, "momentum");
  options.dampening = number_of(settings, "dampening");
  options.weight_decay = number_of(settings, "weight_decay");
  options.nesterov = is_true(settings, "nesterov");
  options.maximize = is_true(settings, "maximize");
  options.mode = mode;
  return options;
}

}  // namespace

Sgd::Sgd(Session& session, std::vector<ParamGroup> groups, Settings given)
    : Optimizer(session, std::move(groups), checked(std::move(given), session.release())),
      momenta_(params().size()),
      words_(params().size() + 1) {
  if (session.release() == Release::k2_4) check_all_fusable(*this, Release::k2_4);
}

Sgd::Sgd(Session& session, std::vector<ParamGroup> groups, const SgdOptions& options)
    : Sgd(session, std::move(groups), settings_of(options)) {}

void Sgd::settle(std::size_t index) {
  Momentum& kept = momenta_[index];
  if (!kept.is_unsure) return;
  kept.is_unsure = words_.read(kept.buffer.device(), index + 1) == 0;
}

void Sgd::settle_all() {
  for (std::size_t i = 0; i < momenta_.size(); ++i) {
    settle(i);
    if (momenta_[i].is_unsure) momenta_[i].buffer = {};
    momenta_[i].is_unsure = false;
  }
}

void Sgd::make_room() {
  for (Momentum& momentum : momenta_) momentum.has_word = false;
  momenta_.resize(params().size());
  words_ = DeviceWords(params().size() + 1);
}

void Sgd::set_state(std::size_t index, const std::vector<NamedTensor>& kept) {
  Momentum& momentum = momenta_[first_of(index)];
  if (momentum.has_word) words_.clear(momentum.buffer.device(), first_of(index) + 1);
  momentum = {};
  for (const NamedTensor& one : kept) {
    if (one.name != "momentum_buffer") {
      momentum.others.push_back(one);
      continue;
    }
    momentum.buffer = one.tensor;
    momentum.was_stepped = true;
  }
}

std::vector<NamedTensor> Sgd::state(std::size_t index) {
  const std::size_t first = first_of(index);
  Momentum& kept = momenta_[first];
  // 1.13 always creates the entry.
  const bool has_none = kept.was_stepped && session().release() == Release::k1_13;
  settle(first);
  std::vector<NamedTensor> named = kept.others;
  if (!kept.is_unsure && (kept.buffer.defined() || has_none)) {
    named.push_back({"momentum_buffer", kept.buffer});
  }
  return named;
}

std::any Sgd::run(const StepCall& call) {
  std::any loss = call_closure(call);
  std::size_t begin = 0;
  for (const ParamGroup& group : groups()) {
    const std::size_t end = begin + group.params.size();
    find_gradients(begin, end);
    const auto all_on_devices = [this] {
      return std::ranges::all_of(found_,
                                 [this](std::size_t index) { return params()[index].is_cuda(); });
    };
    options_ =
        options_of(group.settings, mode_of(group.settings, session().release(), all_on_devices));
    try {
      step_group();
    } catch (...) {
      give_up_first_momenta();
      throw;
    }
    // Not reached if the step raised.
    for (const std::size_t index : found_) momenta_[first_of(index)].was_stepped = true;
    begin = end;
  }
  return loss;
}

void Sgd::find_gradients(std::size_t begin, std::size_t end) {
  found_.clear();
  for (std::size_t i = begin; i < end; ++i) {
    if (params()[i]->grad) found_.push_back(i);
  }
}

/// OPT-026: what a step that fails has created is not kept.
void Sgd::give_up_first_momenta() noexcept {
  for (const std::size_t slot : made_) {
    Momentum& momentum = momenta_[slot];
    try {
      if (momentum.has_word) words_.clear(momentum.buffer.device(), slot + 1);
    } catch (const Error&) {  // a device that accepts no work keeps no word either
    }
    momentum.buffer = {};
    momentum.is_unsure = false;
  }
}

void Sgd::step_group() {
  made_.clear();
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  for (const std::size_t index : found_) {
    if (is_fused) check_fusable(params()[index], session().release());
  }
  if (!is_fused && session().release() != Release::k1_13) reject_scaler_attributes(*this);
  step_sparse();
  for (const std::size_t index : dense_) {
    check_momentum(index);
    if (!is_fused) check_factors(index);
  }
  if (dense_.empty()) return;
  std::optional<ScalerTensorCopies> scaler_copies;
  if (is_fused) {
    scaler_copies.emplace(scaler_attributes(*this));
    refuse_mixed(dense_);
  }
  lists_.group_params(params(), dense_);
  for (const StepList& list : lists_) {
    step_list(list, scaler_copies ? &*scaler_copies : nullptr);
  }
}

/// PyTorch's fused form requires momentum buffers for all parameters or for none (OPT-017).
void Sgd::refuse_mixed(std::span<const std::size_t> indices) const {
  if (session().contract().is_strict || options_.momentum == 0) return;
  const auto lacks = [&](std::size_t index) { return !momenta_[first_of(index)].buffer.defined(); };
  const auto missing = std::count_if(indices.begin(), indices.end(), lacks);
  require(missing == 0 || missing == static_cast<std::ptrdiff_t>(indices.size()), ErrorKind::kType,
          [] { return "expected a momentum for each parameter, but got None for one of them"; });
}

void Sgd::check_momentum(std::size_t index) const {
  const Tensor& buffer = momenta_[first_of(index)].buffer;
  if (options_.momentum == 0 || !buffer.defined()) return;
  require(!buffer.is_sparse(),
          [] { return "add(sparse, dense) is not supported. Use add(dense, sparse) instead."; });
  const Tensor& param = params()[index];
  require(is_like(*buffer.body(), *param.body()), [&] {
    return "a momentum must be as its parameter, " + describe(param) + ", but is " +
           describe(buffer);
  });
}

/// The factors of summands, as the stepwise operators receive them (OPT-019).
void Sgd::check_factors(std::size_t index) const {
  const Tensor& param = params()[index];
  const auto check = [&](double factor) { require_held(param, factor, session().contract()); };
  check(options_.weight_decay);
  const bool is_later = options_.momentum != 0 && momenta_[first_of(index)].buffer.defined();
  if (is_later) check(1 - options_.dampening);
  if (options_.nesterov) check(options_.momentum);
  check(-options_.lr);
}

/// OPT-007
void Sgd::step_sparse() {
  dense_.clear();
  for (const std::size_t index : found_) {
    if (params()[index]->grad->sparse == nullptr) {
      dense_.push_back(index);
      continue;
    }
    require(options_.mode != OptimizerMode::kFused,
            [] { return "`_fused_sgd` does not support sparse gradients"; });
    step_sparse(index);
  }
}

void Sgd::step_sparse(std::size_t index) {
  const bool lacks_lists =
      session().release() == Release::k1_13 && options_.mode == OptimizerMode::kForeach;
  const bool has_momentum = options_.momentum != 0 && momenta_[first_of(index)].buffer.defined();
  require(!lacks_lists || (!options_.maximize && options_.weight_decay == 0 && !options_.nesterov &&
                           !has_momentum),
          ErrorKind::kNotImplemented,
          [] { return "there are no operators for lists of sparse tensors in 1.13"; });
  require(options_.weight_decay == 0,
          [] { return "add(sparse, dense) is not supported. Use add(dense, sparse) instead."; });
  const Tensor& param = params()[index];
  Tensor grad = param.grad();
  if (options_.maximize) grad = negative_of_sparse(grad);
  if (options_.momentum != 0) grad = sparse_direction(index, grad);
  if (grad.is_sparse()) {
    add_entries_(param, grad, -options_.lr);
  } else {
    add_(param, grad, Scalar(-options_.lr));
  }
}

Tensor Sgd::sparse_direction(std::size_t index, const Tensor& grad) {
  Tensor& buffer = momenta_[first_of(index)].buffer;
  if (!buffer.defined()) {
    buffer = copy_of_sparse(grad);
    made_.push_back(first_of(index));
  } else if (buffer.is_sparse()) {
    scale_and_add_sparse_(buffer, options_.momentum, grad, 1 - options_.dampening);
  } else {
    mul_(buffer, Scalar(options_.momentum));
    add_entries_(buffer, grad, 1 - options_.dampening);
  }
  if (!options_.nesterov) return buffer;
  require(buffer.is_sparse(),
          [] { return "add(sparse, dense) is not supported. Use add(dense, sparse) instead."; });
  if (!changes_gradients()) return add_sparse(grad, buffer, options_.momentum);
  scale_and_add_sparse_(grad, 1, buffer, options_.momentum);
  return grad;
}

bool Sgd::changes_gradients() const {
  return !session().contract().is_strict && options_.mode == OptimizerMode::kForeach &&
         options_.nesterov && options_.momentum != 0 && !options_.maximize &&
         options_.weight_decay == 0;
}

void Sgd::step_list(const StepList& list, ScalerTensorCopies* scaler_copies) {
  split_by_momentum(list.indices, scaler_copies);
  for (const bool are_first : {true, false}) {
    const std::vector<std::size_t>& indices = are_first ? split_.first : split_.others;
    if (options_.mode != OptimizerMode::kPlain) {
      launch_rows(list, indices, are_first, scaler_copies);
      continue;
    }
    for (const std::size_t index : indices) {
      launch_rows(list, std::span(&index, 1), are_first, scaler_copies);
    }
  }
}

/// Creates missing buffers, after it has determined all that are missing: a parameter that occurs
/// twice in the group takes its first step twice.
void Sgd::split_by_momentum(std::span<const std::size_t> indices,
                            const ScalerTensorCopies* scaler_copies) {
  split_.first.clear();
  split_.others.clear();
  for (const std::size_t index : indices) {
    const bool is_first = options_.momentum != 0 && !momenta_[first_of(index)].buffer.defined();
    (is_first ? split_.first : split_.others).push_back(index);
  }
  for (const std::size_t index : split_.first) {
    Momentum& kept = momenta_[first_of(index)];
    kept.buffer = empty_like(params()[index].grad());
    kept.is_unsure = scaler_copies != nullptr && scaler_copies->has_flag();
    kept.has_word = kept.has_word || kept.is_unsure;
    made_.push_back(first_of(index));
  }
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
  made.writes_grad = changes_gradients();
  return made;
}

void Sgd::launch_rows(const StepList& list, std::span<const std::size_t> indices, bool are_first,
                      ScalerTensorCopies* scaler_copies) {
  if (indices.empty()) return;
  std::optional<DeviceScope> scope;
  if (list.device.is_cuda()) scope.emplace(list.device.index);
  SgdSettings how = settings();
  how.is_first = are_first;
  const ScalerPointers from_scaler =
      scaler_copies == nullptr ? ScalerPointers{} : scaler_copies->on(list.device);
  how.writes_grad = how.writes_grad || from_scaler.grad_scale != nullptr;

  const bool is_fused = scaler_copies != nullptr;
  const RowBuilder<3, 4>::Uses uses = {
      {{true, 1}, {how.writes_grad, how.writes_grad ? 1 : 0}, {true, are_first ? 0 : 2}}};

  const auto tensors_of = [&](std::size_t index) {
    const Tensor& param = params()[index];
    return RowBuilder<3, 4>::Tensors{&param.body(), &param->grad,
                                     &momenta_[first_of(index)].buffer.body()};
  };

  StepPlace place{list.dtype, list.device.is_cuda(), nullptr};
  rows_.clear();
  for (const std::size_t index : indices) {
    const std::size_t slot = first_of(index);
    const Momentum& kept = momenta_[slot];
    if (kept.is_unsure && place.ticket == nullptr) place.ticket = words_.at(list.device, 0);
    std::uint32_t* const word = kept.is_unsure ? place.ticket + slot + 1 : nullptr;
    rows_.add(uses, tensors_of(index), {word});
  }
  step_sgd(rows_.rows(), how, from_scaler, place);
  rows_.put_back();
  if (!is_fused) {
    for (const std::size_t index : indices) count_versions(uses, tensors_of(index));
  }
  // Captured work has not been executed yet.
  if (from_scaler.found_inf != nullptr || memory_of_capture() != nullptr) return;
  for (const std::size_t index : indices) momenta_[first_of(index)].is_unsure = false;
}

}  // namespace assay::cuda
