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
  std::any run(const StepCall& call) override;
  void step_one_by_one();
  void step_fused(PassedScaler* passed);
  /// Makes the state of a parameter that has none.
  void prepare(const Tensor& param);

  AdamOptions options_;
};

}  // namespace assay::reference
