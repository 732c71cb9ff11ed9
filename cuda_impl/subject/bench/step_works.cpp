// Loops of training steps with a scaler, and of parts of them.
#include <array>
#include <cmath>
#include <limits>

#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
namespace {

/// The calls of an iteration before `update`.
struct StepCalls {
  bool unscales;
  bool steps;
};

/// The scale is -1, so each step flips the gradients' signs. With beta 0, Adam adds or subtracts
/// the sign of each gradient; the momentum of SGD is that of one gradient.
class StepWork final : public BenchWork {
 public:
  StepWork(Call& call, StepCalls calls)
      : calls_(calls),
        numbers_(Dtype::kFloat32, home()),
        params_(made(bench_sizes(call))),
        optimizer_(optimizer(call)),
        scaler_(std::make_shared<GradScaler>(call.session(), of_minus_one())) {
    scaler_->scale(full({}, 1, Dtype::kFloat32, home()));  // creates the scale tensor
    restore();
    queue();  // creates the optimizer's state
  }
  void restore() override {
    for (const Tensor& param : params_) {
      numbers_.fill(param);
      numbers_.fill(param.grad());
    }
  }
  std::uint64_t queue() override {
    if (calls_.unscales) scaler_->unscale_(*optimizer_);
    if (calls_.steps) scaler_->step(*optimizer_);
    scaler_->update();
    return 1;
  }
  std::vector<Tensor> results() const override {
    if (calls_.steps) return params_;
    std::vector<Tensor> grads;
    for (const Tensor& param : params_) grads.push_back(param.grad());
    return grads;
  }

 private:
  static std::vector<Tensor> made(const std::vector<std::int64_t>& sizes) {
    std::vector<Tensor> params;
    for (const std::int64_t size : sizes) {
      params.push_back(empty({size}, Dtype::kFloat32, home()));
      params.back().set_grad(empty({size}, Dtype::kFloat32, home()));
    }
    return params;
  }
  std::shared_ptr<Optimizer> optimizer(Call& call) const {
    const std::vector<ParamGroup> groups = {{params_}};
    const std::string kind = call.arguments().text("optimizer", "adam");
    if (kind == "adam") return std::make_shared<Adam>(call.session(), groups, adam());
    if (kind == "sgd") return std::make_shared<Sgd>(call.session(), groups, sgd());
    throw InvalidArgument("bench.run: 'optimizer' is adam or sgd");
  }
  static SgdOptions sgd() {
    SgdOptions options;
    options.lr = 1;
    options.momentum = std::ldexp(1.0, -60);  // far below a gradient's last bit
    options.mode = OptimizerMode::kFused;
    return options;
  }
  static AdamOptions adam() {
    AdamOptions options;
    options.lr = 1;
    options.beta1 = 0;
    options.beta2 = 0;
    options.eps = std::ldexp(1.0, -40);  // far below the smallest non-zero gradient
    options.mode = OptimizerMode::kFused;
    options.capturable = true;
    return options;
  }
  static ScalerOptions of_minus_one() {
    ScalerOptions options;
    options.init_scale = -1.0;
    options.growth_interval = std::numeric_limits<std::int32_t>::max();
    return options;
  }

  const StepCalls calls_;
  const BenchNumbers numbers_;
  const std::vector<Tensor> params_;
  const std::shared_ptr<Optimizer> optimizer_;
  const std::shared_ptr<GradScaler> scaler_;
};

template <bool kUnscales, bool kSteps>
std::unique_ptr<BenchWork> make(Call& call) {
  return std::make_unique<StepWork>(call, StepCalls{kUnscales, kSteps});
}

constexpr std::array kStepWorks{NamedWork{"step", make<true, true>},
                                NamedWork{"scaler_unscale", make<true, false>},
                                NamedWork{"scaler_step", make<false, true>}};

}  // namespace

std::span<const NamedWork> step_works() { return kStepWorks; }

}  // namespace assay::cuda
