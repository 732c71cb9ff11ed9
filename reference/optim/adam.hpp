// Adam and AdamW: plain, foreach and fused.
#pragma once

#include "reference/optim/optimizer.hpp"
#include "reference/optim/step_settings.hpp"

namespace assay::reference {

class Adam final : public Optimizer {
 public:
  using Kind = AdamKind;

  /// `given` has settings by name; missing ones have PyTorch's defaults (OPT-003). Raises `value`
  /// for invalid settings (OPT-002), and `error` for parameters without a fused kernel in 1.13 and
  /// 2.4.
  Adam(Runtime& runtime, std::vector<ParamGroup> groups, Kind kind, const Settings& given);
  Adam(Runtime& runtime, std::vector<ParamGroup> groups, const AdamOptions& options);

  bool supports_amp_scaling() const override { return defaults().is_on("fused"); }
  /// Before 2.0 the scaler is passed to the step (SCL-608).
  bool takes_grad_scaler() const override;

 private:
  std::any run(const StepCall& call) override;
  void step_group(const ParamGroup& group, PassedScaler* passed);
  void step_one_by_one(const AdamOptions& options, const std::vector<Tensor>& params);
  void step_fused(const AdamOptions& options, const std::vector<Tensor>& params,
                  PassedScaler* passed);
  /// Creates the state of a parameter if there is none.
  void prepare(const AdamOptions& options, const Tensor& param, bool is_capturable);
  void step_capturable(const AdamOptions& options, const std::vector<Tensor>& params);
  void check_loaded(const AdamOptions& options, const Tensor& param);
  void check_sparse(const Tensor& grad) const;

  Kind kind_;
};

}  // namespace assay::reference
