// Stochastic gradient descent, plain, foreach and fused.
#pragma once

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

struct SgdOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  OptimizerMode mode = OptimizerMode::kPlain;
};

class Sgd final : public Optimizer {
 public:
  /// Raises `value` for options out of range, `type` for a fused one before 2.3.
  Sgd(Runtime& runtime, std::vector<ParamGroup> groups, const SgdOptions& options);

  bool supports_amp_scaling() const override { return options_.mode == OptimizerMode::kFused; }

 private:
  std::any run(const StepCall& call) override;
  void step_one_by_one();
  void step_fused();
  void update(const Tensor& param);
  void update_fused(const Tensor& param, const FusedScaling& scaling);
  /// Made where there is none: then nothing is in it yet, and the second is true.
  std::pair<Tensor, bool> momentum_buffer(const Tensor& param);

  SgdOptions options_;
};

}  // namespace assay::reference
