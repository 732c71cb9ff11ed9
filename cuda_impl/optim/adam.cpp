// Adam and AdamW: what the host prepares for their kernels.
#include "cuda_impl/optim/adam.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph_memory.hpp"
#include "cuda_impl/optim/zeros.hpp"

namespace assay::cuda {
namespace {

void check_value(bool holds, const char* name, double value) {
  require(holds, ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
}

const AdamOptions& checked(const AdamOptions& options, Release release) {
  const bool is_known =
      options.mode != OptimizerMode::kFused || !options.decoupled || release != Release::k1_13;
  require(is_known, ErrorKind::kType,
          [] { return "AdamW got an unexpected keyword argument 'fused'"; });
  check_value(options.lr >= 0, "learning rate", options.lr);
  check_value(options.eps >= 0, "epsilon value", options.eps);
  check_value(options.beta1 >= 0 && options.beta1 < 1, "beta parameter at index 0", options.beta1);
  check_value(options.beta2 >= 0 && options.beta2 < 1, "beta parameter at index 1", options.beta2);
  check_value(options.weight_decay >= 0, "weight_decay value", options.weight_decay);
  return options;
}

}  // namespace

Adam::Adam(Session& session, std::vector<ParamGroup> groups, const AdamOptions& options)
    : Optimizer(session, std::move(groups)),
      options_(checked(options, session.release())),
      moments_(params().size()) {
  if (options_.mode != OptimizerMode::kFused || session.release() != Release::k1_13) return;
  for (const Tensor& param : params()) check_fusable(param, Release::k1_13);
}

bool Adam::takes_grad_scaler() const { return session().release() == Release::k1_13; }

std::vector<NamedTensor> Adam::state(std::size_t index) {
  const Moments& kept = moments_[first_of(index)];
  if (!kept.step.defined()) return {};
  std::vector<NamedTensor> named = {
      {"step", kept.step}, {"exp_avg", kept.first}, {"exp_avg_sq", kept.second}};
  if (options_.amsgrad) named.push_back({"max_exp_avg_sq", kept.largest});
  return named;
}

std::any Adam::run(const StepCall& call) {
  require(memory_of_capture() == nullptr, [] {
    return "Attempting CUDA graph capture of step() for an instance of Adam but its capturable is "
           "False: its counters are the host's business";  // SCL-715
  });
  std::any loss = call_closure(call);
  std::size_t begin = 0;
  for (const ParamGroup& group : groups()) {
    const std::size_t end = begin + group.params.size();
    step_group(begin, end, call.grad_scaler.get());
    begin = end;
  }
  return loss;
}

void Adam::step_group(std::size_t begin, std::size_t end, ScalerInStep* scaler) {
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  std::vector<std::size_t> indices;
  for (std::size_t i = begin; i < end; ++i) {
    const Tensor grad = params()[i].grad();
    if (!grad.defined()) continue;
    require(!grad.is_sparse(), [] {
      return "Adam does not support sparse gradients, please consider SparseAdam instead";
    });
    if (is_fused) check_fusable(params()[i], session().release());
    prepare(i);
    indices.push_back(i);
  }
  if (is_fused) return step_fused(indices, scaler);
  if (session().release() != Release::k1_13) refuse_lent(*this);
  step_stepwise(indices);
}

void Adam::prepare(std::size_t index) {
  Moments& kept = moments_[first_of(index)];
  if (kept.step.defined()) return;
  const Tensor& param = params()[index];
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  const bool has_dim = is_fused && session().release() == Release::k1_13;
  kept.step =
      zeros(has_dim ? Shape{1} : Shape{}, Dtype::kFloat32, is_fused ? param.device() : kCpu);
  kept.first = zeros_like(param);
  kept.second = zeros_like(param);
  if (options_.amsgrad) kept.largest = zeros_like(param);
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
  made.fuses_products = release == Release::k2_11;
  made.multiplies_inverse = options_.mode == OptimizerMode::kPlain;
  made.keeps_doubles = release != Release::k2_11;
  made.narrows_before_root = release == Release::k1_13;
  if (options_.mode == OptimizerMode::kFused) made.arithmetic = StepArithmetic::kFused;
  // 1.13's foreach form added the decay to the gradients themselves where it had no copy.
  made.writes_grad = !session().contract().is_strict && release == Release::k1_13 &&
                     options_.mode == OptimizerMode::kForeach && options_.weight_decay != 0 &&
                     !options_.decoupled && !options_.maximize;
  return made;
}

AdamSettings Adam::settings_at(float step) const {
  AdamSettings made = settings();
  const double count = static_cast<double>(step);
  made.step_size = options_.lr / (1 - std::pow(options_.beta1, count));
  made.root = std::sqrt(1 - std::pow(options_.beta2, count));
  return made;
}

void Adam::step_fused(const std::vector<std::size_t>& indices, ScalerInStep* scaler) {
  if (scaler == nullptr && indices.empty()) return;
  const bool asks = session().release() == Release::k1_13;
  LentTensors lent;
  if (scaler != nullptr) lent = lent_by_scaler(*scaler, *this);
  if (!asks) lent = lent_attributes(*this);
  Lender lender(std::move(lent));
  for (const StepList& list : step_lists(params(), indices)) {
    launch_rows(list, list.indices, settings(), &lender);
  }
}

void Adam::step_stepwise(const std::vector<std::size_t>& indices) {
  const bool is_plain = options_.mode == OptimizerMode::kPlain;
  for (const StepList& list : step_lists(params(), indices)) {
    std::size_t begin = 0;
    while (begin < list.indices.size()) {
      // The corrections are the host's business, and the same for all at the same step.
      const auto counted = [&](std::size_t at) {
        return *moments_[first_of(list.indices[at])].step.data_as<float>();
      };
      std::size_t end = begin + 1;
      if (!is_plain) {
        while (end < list.indices.size() && counted(end) == counted(begin)) ++end;
      }
      const std::span chosen = std::span(list.indices).subspan(begin, end - begin);
      const float step = counted(begin) + 1;
      for (const std::size_t index : chosen) {
        const Tensor& counter = moments_[first_of(index)].step;
        *counter.data_as<float>() += 1;
        counter.bump_version();
      }
      launch_rows(list, chosen, settings_at(step), nullptr);
      begin = end;
    }
  }
}

void Adam::launch_rows(const StepList& list, std::span<const std::size_t> indices,
                       const AdamSettings& settings, Lender* lender) {
  std::optional<DeviceScope> scope;
  if (list.device.is_cuda()) scope.emplace(list.device.index);
  AdamSettings how = settings;
  const LentToKernel lent = lender == nullptr ? LentToKernel{} : lender->on(list.device);
  how.writes_grad = how.writes_grad || lent.grad_scale != nullptr;
  const bool is_fused = lender != nullptr;
  const auto versions = [is_fused](int counted) { return is_fused ? 0 : counted; };
  const bool decays_param = how.decoupled && how.weight_decay != 0;

  StepPlace place{list.dtype, list.device.is_cuda(), nullptr};
  if (is_fused) place.ticket = ticket_.at(list.device, 0);
  RowBuilder<5, 6> rows;
  for (const std::size_t index : indices) {
    const Tensor& param = params()[index];
    const Moments& kept = moments_[first_of(index)];
    if (is_fused) kept.step.bump_version();
    if (lent.found_inf != nullptr) kept.step.bump_version();
    rows.add(
        {RowTensor{param, true, versions(decays_param ? 2 : 1)},
         RowTensor{param.grad(), how.writes_grad, versions(how.writes_grad ? 1 : 0)},
         RowTensor{kept.first, true, versions(how.interpolates ? 1 : 2)},
         RowTensor{kept.second, true, versions(2)}, RowTensor{kept.largest, true, versions(1)}},
        {is_fused ? kept.step.data() : nullptr});
  }
  step_adam(rows.rows(), how, lent, place);
  rows.put_back();
}

}  // namespace assay::cuda
