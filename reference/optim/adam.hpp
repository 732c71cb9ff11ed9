// Adam and AdamW, plain, foreach and fused.
#pragma once

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  ///< AdamW
  bool amsgrad = false;
  bool maximize = false;
  OptimizerMode mode = OptimizerMode::kPlain;
};

class Adam final : public Optimizer {
 public:
  /// Raises `value` for options out of range.
  Adam(Runtime& runtime, std::vector<ParamGroup> groups, const AdamOptions& options);

  bool supports_amp_scaling() const override { return options_.mode == OptimizerMode::kFused; }
  /// Before 2.0 the scaler passes itself (SCL-608).
  bool takes_grad_scaler() const override;

 private:
  /// A parameter's numbers while a step computes with them.
  struct Numbers {
    Elements param;
    Elements exp_avg;
    Elements exp_avg_sq;
    Elements max_exp_avg_sq;
  };

  std::any run(const StepCall& call) override;
  void step_one_by_one();
  void step_fused(PassedScaler* passed);
  void update(const Tensor& param, const Elements& raw_grad, ScalarType compute);
  /// Makes the state of a parameter that has none.
  void prepare(const Tensor& param);
  /// Adds to the step counter and returns it.
  double count_step(const Tensor& param, double by);
  Elements averaged(const Elements& average, const Elements& grad) const;
  /// The denominator of the step, from the second moments.
  Elements denominator(Numbers& numbers, double correction) const;

  AdamOptions options_;
};

}  // namespace assay::reference
