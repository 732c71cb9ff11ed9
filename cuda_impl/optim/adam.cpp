// The host side of Adam and AdamW.
#include "cuda_impl/optim/adam.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/optim/adam_settings.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

[[noreturn]] void refuse_moment(const Tensor& moment, const char* name, const Tensor& param) {
  require(moment.defined(), ErrorKind::kKey, [&] { return "'" + std::string(name) + "'"; });
  throw Error(std::string(name) + " must be as its parameter, " + describe(param) + ", but is " +
              describe(moment));
}

/// Of a counter on the host. A run whose default dtype was float64 has saved it as float64.
double counted(const Tensor& step) {
  if (step.dtype() == Dtype::kFloat64) return *step.data_as<double>();
  if (step.dtype() == Dtype::kInt64) return static_cast<double>(*step.data_as<std::int64_t>());
  return *step.data_as<float>();
}

void count_up(const Tensor& step) {
  if (step.dtype() == Dtype::kFloat64) {
    *step.data_as<double>() += 1;
  } else if (step.dtype() == Dtype::kInt64) {
    *step.data_as<std::int64_t>() += 1;
  } else {
    *step.data_as<float>() += 1;
  }
}

void check_moment(const Tensor& moment, const char* name, const Tensor& param) {
  const bool fits = moment.defined() && is_like(*moment.body(), *param.body());
  if (!fits) [[unlikely]]
    refuse_moment(moment, name, param);
}

}  // namespace

Adam::Adam(Session& session, std::vector<ParamGroup> groups, bool is_decoupled, Settings given)
    : Optimizer(session, std::move(groups),
                checked_adam(std::move(given), is_decoupled, session.release())),
      is_decoupled_(is_decoupled),
      moments_(params().size()) {
  if (session.release() < Release::k2_11) check_all_fusable(*this, session.release());
}

Adam::Adam(Session& session, std::vector<ParamGroup> groups, const AdamOptions& options)
    : Adam(session, std::move(groups), options.decoupled, adam_settings_of(options)) {}

void Adam::read_options(const ParamGroup& group) {
  const auto all_on_devices = [&group] {
    return std::ranges::all_of(group.params,
                               [](const Tensor& param) { return !param->grad || param.is_cuda(); });
  };
  const auto [beta1, beta2] = betas_of(group.settings);
  options_.lr = number_of(group.settings, "lr");
  options_.beta1 = beta1;
  options_.beta2 = beta2;
  options_.eps = number_of(group.settings, "eps");
  options_.weight_decay = number_of(group.settings, "weight_decay");
  options_.decoupled = is_decoupled_;
  options_.amsgrad = is_true(group.settings, "amsgrad");
  options_.maximize = is_true(group.settings, "maximize");
  options_.capturable = is_true(group.settings, "capturable");
  options_.mode = mode_of(group.settings, session().release(), all_on_devices);
  // OPT-023: lists are not chosen for a rate that is a tensor.
  refuses_lists_ = tensor_rate(group.settings) != nullptr && !options_.capturable;
  const bool is_chosen = !is_true(group.settings, "foreach");
  if (refuses_lists_ && is_chosen && options_.mode == OptimizerMode::kForeach) {
    options_.mode = OptimizerMode::kPlain;
  }
}

void Adam::set_state(std::size_t index, const std::vector<NamedTensor>& kept) {
  Moments& moments = moments_[first_of(index)];
  moments = {};
  moments.was_loaded = !kept.empty();
  const std::unordered_map<std::string_view, Tensor*> known{{"step", &moments.step},
                                                            {"exp_avg", &moments.first},
                                                            {"exp_avg_sq", &moments.second},
                                                            {"max_exp_avg_sq", &moments.largest}};
  for (const NamedTensor& one : kept) {
    const auto place = known.find(one.name);
    if (place != known.end()) {
      *place->second = one.tensor;
    } else {
      moments.others.push_back(one);
    }
  }
}

bool Adam::takes_grad_scaler() const { return session().release() == Release::k1_13; }

std::vector<NamedTensor> Adam::state(std::size_t index) {
  const Moments& kept = moments_[first_of(index)];
  std::vector<NamedTensor> named;
  const auto add = [&](std::string name, const Tensor& tensor) {
    if (tensor.defined()) named.push_back({std::move(name), tensor});
  };
  add("step", kept.step_on_device.defined() ? kept.step_on_device : kept.step);
  add("exp_avg", kept.first);
  add("exp_avg_sq", kept.second);
  add("max_exp_avg_sq", kept.largest);
  named.insert(named.end(), kept.others.begin(), kept.others.end());
  return named;
}

std::any Adam::run(const StepCall& call) {
  const bool is_capturable = std::ranges::all_of(
      groups(), [](const ParamGroup& group) { return is_true(group.settings, "capturable"); });
  require(memory_of_capture() == nullptr || is_capturable, [] {
    return "Attempting CUDA graph capture of step() for an instance of Adam but its capturable is "
           "False: its counters are the host's business";  // SCL-715
  });
  std::any loss = call_closure(call);
  std::size_t begin = 0;
  for (const ParamGroup& group : groups()) {
    const std::size_t end = begin + group.params.size();
    read_options(group);
    step_group(begin, end, call.grad_scaler.get());
    begin = end;
  }
  return loss;
}

void Adam::step_group(std::size_t begin, std::size_t end, ScalerInStep* scaler) {
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  indices_.clear();
  for (std::size_t i = begin; i < end; ++i) {
    const Counted<TensorBody>& grad = params()[i]->grad;
    if (!grad) continue;
    const bool is_old_w = is_decoupled_ && session().release() < Release::k2_11;
    require(grad->sparse == nullptr, [&] {
      return is_old_w
                 ? "AdamW does not support sparse gradients"
                 : "Adam does not support sparse gradients, please consider SparseAdam instead";
    });
    if (is_fused) check_fusable(params()[i], session().release());
    prepare(i);
    require(!refuses_lists_ || options_.mode != OptimizerMode::kForeach,
            [] { return "lr as a Tensor is not supported for capturable=False and foreach=True"; });
    indices_.push_back(i);
  }
  if (is_fused) return step_fused(scaler);
  // An empty list returns before any check.
  const bool asks = options_.mode == OptimizerMode::kPlain || !indices_.empty();
  if (asks && session().release() != Release::k1_13) reject_scaler_attributes(*this);
  if (options_.capturable) return step_capturable();
  step_stepwise();
}

/// OPT-024: the fused form's kernel, which counts on the device.
void Adam::step_capturable() {
  require(std::ranges::all_of(indices_, [&](std::size_t i) { return params()[i].is_cuda(); }),
          ErrorKind::kAssertion,
          [] { return "If capturable=True, params and state_steps must be on supported devices"; });
  ScalerTensorCopies nothing({});
  lists_.group_params(params(), indices_);
  for (const StepList& list : lists_) launch_rows(list, list.indices, settings(), &nothing);
}

void Adam::prepare(std::size_t index) {
  Moments& kept = moments_[first_of(index)];
  const Tensor& param = params()[index];
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  const bool counts_there = is_fused || options_.capturable;
  if (kept.step.defined() || kept.was_loaded) {
    check_loaded(kept, param);
    const Device reader = counts_there ? param.device() : kCpu;
    if (kept.step->device != reader || kept.step_on_device.defined()) place_counter(kept, reader);
    return;
  }
  const bool has_dim = is_fused && session().release() == Release::k1_13;
  kept.step =
      zeros(has_dim ? Shape{1} : Shape{}, Dtype::kFloat32, counts_there ? param.device() : kCpu);
  kept.first = zeros_like(param);
  kept.second = zeros_like(param);
  if (options_.amsgrad) kept.largest = zeros_like(param);
}

void Adam::place_counter(Moments& kept, Device reader) {
  const Tensor there = kept.step_on_device.defined() ? kept.step_on_device : kept.step;
  kept.step_on_device = there.is_cuda() && !reader.is_cuda() ? there : Tensor{};
  kept.step = on_device(there, reader);
}

void Adam::count(std::size_t index) {
  const Moments& kept = moments_[first_of(index)];
  count_up(kept.step);
  kept.step.bump_version();
  if (kept.step_on_device.defined()) copy_(kept.step_on_device, kept.step);
}

/// OPT-012
bool Adam::is_counter(Dtype dtype) const {
  if (dtype == Dtype::kFloat32) return true;
  if (options_.mode == OptimizerMode::kFused || options_.capturable) return false;
  return dtype == Dtype::kFloat64 ||
         (dtype == Dtype::kInt64 && options_.mode == OptimizerMode::kPlain);
}

void Adam::check_loaded(const Moments& kept, const Tensor& param) const {
  check_moment(kept.first, "exp_avg", param);
  check_moment(kept.second, "exp_avg_sq", param);
  if (options_.amsgrad) check_moment(kept.largest, "max_exp_avg_sq", param);
  require(kept.step.defined(), ErrorKind::kKey, [] { return "'step'"; });
  require(kept.step.numel() == 1 && is_counter(kept.step.dtype()), [&] {
    return "a step of one number was expected, of the types that this form takes (float32 and "
           "float64, and in the loop int64), not " +
           describe(kept.step);
  });
}

AdamSettings Adam::settings() const {
  AdamSettings made;
  made.lr = options_.lr;
  made.beta1 = options_.beta1;
  made.beta2 = options_.beta2;
  made.eps = options_.eps;
  made.weight_decay = options_.weight_decay;
  made.decoupled = options_.decoupled;
  made.amsgrad = options_.amsgrad;
  made.maximize = options_.maximize;
  const Release release = session().release();
  made.interpolates = release != Release::k1_13;
  made.fuses_products = release >= Release::k2_11;
  made.multiplies_inverse = options_.mode == OptimizerMode::kPlain;
  made.keeps_doubles = release < Release::k2_11;
  made.narrows_before_root = release == Release::k1_13;
  if (options_.mode == OptimizerMode::kFused || options_.capturable) {
    made.arithmetic = StepArithmetic::kFused;
    made.multiplies_inverse = false;
  }
  // 1.13's foreach form adds the weight decay to the gradients in place unless it has a copy of
  // them.
  made.writes_grad = !session().contract().is_strict && release == Release::k1_13 &&
                     options_.mode == OptimizerMode::kForeach && options_.weight_decay != 0 &&
                     !options_.decoupled && !options_.maximize;
  return made;
}

AdamSettings Adam::settings_at(double count) const {
  AdamSettings made = settings();
  made.step_size = options_.lr / (1 - std::pow(options_.beta1, count));
  made.root = std::sqrt(1 - std::pow(options_.beta2, count));
  return made;
}

void Adam::step_fused(ScalerInStep* scaler) {
  if (scaler == nullptr && indices_.empty()) return;
  const bool asks = session().release() == Release::k1_13;
  ScalerTensors from_scaler;
  if (scaler != nullptr) from_scaler = tensors_of_scaler(*scaler, *this);
  if (!asks) from_scaler = scaler_attributes(*this);
  ScalerTensorCopies scaler_copies(std::move(from_scaler));
  lists_.group_params(params(), indices_);
  for (const StepList& list : lists_) {
    launch_rows(list, list.indices, settings(), &scaler_copies);
  }
}

/// The decay is a factor of a summand; the step size is a number that half types use in float32
/// (OPT-019).
void Adam::check_factors(std::size_t index) const {
  const Tensor& param = params()[index];
  const Contract& contract = session().contract();
  if (!options_.decoupled) require_held(param, options_.weight_decay, contract);
  const double count = counted(moments_[first_of(index)].step);
  const double step_size = options_.lr / (1 - std::pow(options_.beta1, count));
  const Dtype wide = param.dtype() == Dtype::kFloat64 ? Dtype::kFloat64 : Dtype::kFloat32;
  to_element(Scalar(-step_size), wide, contract);
}

void Adam::step_stepwise() {
  const bool is_plain = options_.mode == OptimizerMode::kPlain;
  lists_.group_params(params(), indices_);
  for (const StepList& list : lists_) {
    std::size_t begin = 0;
    while (begin < list.indices.size()) {
      // The bias corrections are computed on the host, once for all parameters at the same step.
      const auto count_at = [&](std::size_t at) {
        return counted(moments_[first_of(list.indices[at])].step);
      };
      std::size_t end = begin + 1;
      if (!is_plain) {
        while (end < list.indices.size() && count_at(end) == count_at(begin)) ++end;
      }
      const std::span chosen = std::span(list.indices).subspan(begin, end - begin);
      for (const std::size_t index : chosen) {
        count(index);
        check_factors(index);
      }
      launch_rows(list, chosen, settings_at(count_at(begin)), nullptr);
      begin = end;
    }
  }
}

void Adam::launch_rows(const StepList& list, std::span<const std::size_t> indices,
                       const AdamSettings& settings, ScalerTensorCopies* scaler_copies) {
  std::optional<DeviceScope> scope;
  if (list.device.is_cuda()) scope.emplace(list.device.index);
  AdamSettings how = settings;
  how.scales_first = !list.device.is_cuda();  // PyTorch's kernels for processors
  how.multiplies_inverse = how.multiplies_inverse && list.device.is_cuda();
  const ScalerPointers from_scaler =
      scaler_copies == nullptr ? ScalerPointers{} : scaler_copies->on(list.device);
  how.writes_grad = how.writes_grad || from_scaler.grad_scale != nullptr;
  const bool is_fused = scaler_copies != nullptr;
  // In 1.13 and in the loop of 2.4, a multiplication by 1 was executed and counted as a version.
  const Release release = session().release();
  const bool counts_none = release == Release::k1_13 ||
                           (release == Release::k2_4 && options_.mode == OptimizerMode::kPlain);
  const bool decays_param = how.decoupled && (how.weight_decay != 0 || counts_none);

  const RowBuilder<5, 6>::Uses uses = {{{true, decays_param ? 2 : 1},
                                        {how.writes_grad, how.writes_grad ? 1 : 0},
                                        {true, how.interpolates ? 1 : 2},
                                        {true, 2},
                                        {true, 1}}};

  const auto tensors_of = [&](std::size_t index) {
    const Tensor& param = params()[index];
    const Moments& kept = moments_[first_of(index)];
    return RowBuilder<5, 6>::Tensors{&param.body(), &param->grad, &kept.first.body(),
                                     &kept.second.body(), &kept.largest.body()};
  };

  StepPlace place{list.dtype, list.device.is_cuda(), nullptr};
  if (is_fused) place.ticket = ticket_.at(list.device, 0);
  rows_.clear();
  for (const std::size_t index : indices) {
    const Moments& kept = moments_[first_of(index)];
    if (is_fused) count_own_writes(kept.step, from_scaler.found_inf == nullptr ? 1 : 2);
    rows_.add(uses, tensors_of(index), {is_fused ? kept.step.data() : nullptr});
  }
  step_adam(rows_.rows(), how, from_scaler, place);
  rows_.put_back();
  if (options_.mode == OptimizerMode::kFused) return;
  for (const std::size_t index : indices) count_versions(uses, tensors_of(index));
}

}  // namespace assay::cuda
