// Adam and AdamW, plain, foreach and fused.
#pragma once

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// The settings of a group, read for one step.
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
  /// Adam itself, or AdamW.
  enum class Kind : std::uint8_t { kAdam, kAdamW };

  /// `given` are the settings by name; those left out are PyTorch's (OPT-003). Raises `value` for
  /// what is out of range (OPT-002), `error` for parameters that 1.13 and 2.4 have no fused form
  /// of.
  Adam(Runtime& runtime, std::vector<ParamGroup> groups, Kind kind, const Settings& given);
  Adam(Runtime& runtime, std::vector<ParamGroup> groups, const AdamOptions& options);

  bool supports_amp_scaling() const override { return defaults().is_on("fused"); }
  /// Before 2.0 the scaler passes itself (SCL-608).
  bool takes_grad_scaler() const override;

 private:
  std::any run(const StepCall& call) override;
  void step_group(const ParamGroup& group, PassedScaler* passed);
  void step_one_by_one(const AdamOptions& options, const std::vector<Tensor>& params);
  void step_fused(const AdamOptions& options, const std::vector<Tensor>& params,
                  PassedScaler* passed);
  /// Makes the state of a parameter that has none.
  void prepare(const AdamOptions& options, const Tensor& param);
  void check_loaded(const AdamOptions& options, const Tensor& param);
  AdamOptions options_of(const Settings& settings, OptimizerMode mode) const;
  void check_sparse(const Tensor& grad) const;

  Kind kind_;
};

}  // namespace assay::reference
