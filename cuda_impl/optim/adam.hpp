// Adam and AdamW in their default, foreach and fused forms.
#pragma once

#include <span>
#include <vector>

#include "cuda_impl/kernels/optim/steps.hpp"
#include "cuda_impl/optim/device_words.hpp"
#include "cuda_impl/optim/fused.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/optim/step_lists.hpp"

namespace assay::cuda {

/// The settings of a group for one step.
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
  bool capturable = false;  ///< the step may be captured
};

class Adam final : public Optimizer {
 public:
  /// `given` has the settings by name; others have PyTorch's defaults (OPT-003). Raises `value` for
  /// settings out of range, `type` for a fused AdamW before 2.0, and
  /// `error` for parameters without a fused kernel in 1.13.
  Adam(Session& session, std::vector<ParamGroup> groups, bool is_decoupled, Settings given);
  Adam(Session& session, std::vector<ParamGroup> groups, const AdamOptions& options);

  bool supports_amp_scaling() const override { return is_true(defaults(), "fused"); }
  bool only_reads_lent() const override { return true; }
  /// In 1.13 the step has this keyword.
  bool takes_grad_scaler() const override;
  std::vector<NamedTensor> state(std::size_t index) override;
  void set_state(std::size_t index, const std::vector<NamedTensor>& kept) override;

 private:
  /// The state of a parameter. The step counter of a fused form is on the parameter's device,
  /// otherwise on the host.
  struct Moments {
    Tensor step;
    /// The original of a counter that was loaded on a device for a form that counts on the host.
    Tensor step_on_device;
    Tensor first;
    Tensor second;
    Tensor largest;
    bool was_loaded = false;          ///< if true, missing tensors are not created
    std::vector<NamedTensor> others;  ///< loaded from another optimizer: kept, and not used
  };

  std::any run(const StepCall& call) override;
  void make_room() override { moments_.resize(params().size()); }
  void read_options(const ParamGroup& group);
  void step_capturable();
  void step_group(std::size_t begin, std::size_t end, ScalerInStep* scaler);
  void prepare(std::size_t index);
  /// Moves the counter to the device that reads it.
  static void place_counter(Moments& kept, Device reader);
  void count(std::size_t index);
  /// Raises `key` for a missing loaded moment and `error` for one of the wrong shape.
  bool is_counter(Dtype dtype) const;
  void check_loaded(const Moments& kept, const Tensor& param) const;
  void step_fused(ScalerInStep* scaler);
  void check_factors(std::size_t index) const;
  void step_stepwise();
  void launch_rows(const StepList& list, std::span<const std::size_t> indices,
                   const AdamSettings& how, ScalerTensorCopies* scaler_copies);
  AdamSettings settings() const;
  AdamSettings settings_at(double count) const;

  bool is_decoupled_;
  AdamOptions options_;         ///< of the group that is being stepped
  bool refuses_lists_ = false;  ///< the rate is a tensor that the host reads
  std::vector<Moments> moments_;
  DeviceWords ticket_{1};

  // Of the step under way; kept for their memory.
  std::vector<std::size_t> indices_;
  StepLists lists_;
  RowBuilder<5, 6> rows_;
};

}  // namespace assay::cuda
