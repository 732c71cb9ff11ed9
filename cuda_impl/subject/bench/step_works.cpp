// The loop of a complete training step with a scaler.
#include <array>
#include <cmath>
#include <limits>

#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/subject/bench/arguments.hpp"
#include "cuda_impl/subject/bench/data.hpp"
#include "cuda_impl/subject/bench/works.hpp"

namespace assay::cuda {
namespace {

/// The scale is -1, so each step flips the gradients' signs. With beta 0, Adam adds or subtracts
/// the sign of each gradient.
class StepWork final : public BenchWork {
 public:
  explicit StepWork(Call& call)
      : numbers_(Dtype::kFloat32, home()),
        params_(made(bench_sizes(call))),
        optimizer_(
            std::make_shared<Adam>(call.session(), std::vector<ParamGroup>{{params_}}, options())),
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
    scaler_->unscale_(*optimizer_);
    scaler_->step(*optimizer_);
    scaler_->update();
    return 1;
  }
  std::vector<Tensor> results() const override { return params_; }

 private:
  static std::vector<Tensor> made(const std::vector<std::int64_t>& sizes) {
    std::vector<Tensor> params;
    for (const std::int64_t size : sizes) {
      params.push_back(empty({size}, Dtype::kFloat32, home()));
      params.back().set_grad(empty({size}, Dtype::kFloat32, home()));
    }
    return params;
  }
  static AdamOptions options() {
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

  const BenchNumbers numbers_;
  const std::vector<Tensor> params_;
  const std::shared_ptr<Adam> optimizer_;
  const std::shared_ptr<GradScaler> scaler_;
};

std::unique_ptr<BenchWork> step(Call& call) { return std::make_unique<StepWork>(call); }

constexpr std::array kStepWorks{NamedWork{"step", step}};

}  // namespace

std::span<const NamedWork> step_works() { return kStepWorks; }

}  // namespace assay::cuda
