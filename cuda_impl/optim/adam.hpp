// Adam and AdamW, in three forms.
#pragma once

#include <span>
#include <vector>

#include "cuda_impl/kernels/optim/adam.hpp"
#include "cuda_impl/optim/device_words.hpp"
#include "cuda_impl/optim/fused.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/optim/step_lists.hpp"

namespace assay::cuda {

/// What a group's settings say for one step.
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
  bool capturable = false;  ///< may a capture hold its step? Of the fused form alone
};

class Adam final : public Optimizer {
 public:
  /// `given` by name; PyTorch's where nothing is said (OPT-003). Raises `value` for settings out of
  /// range, `type` for a fused AdamW before 2.0, `error` for
  /// parameters that 1.13 has no fused form of.
  Adam(Session& session, std::vector<ParamGroup> groups, bool is_decoupled, Settings given);
  Adam(Session& session, std::vector<ParamGroup> groups, const AdamOptions& options);

  bool supports_amp_scaling() const override { return is_true(defaults(), "fused"); }
  bool only_reads_lent() const override { return true; }
  /// 1.13's step has the keyword.
  bool takes_grad_scaler() const override;
  std::vector<NamedTensor> state(std::size_t index) override;
  void set_state(std::size_t index, const std::vector<NamedTensor>& kept) override;

 private:
  /// What is kept for a parameter. The counter of a fused form lives with the parameter, else on
  /// the host.
  struct Moments {
    Tensor step;
    /// Where a counter was loaded on a device for a form that counts on the host: what it is there.
    Tensor step_on_device;
    Tensor first;
    Tensor second;
    Tensor largest;
    bool was_loaded = false;  ///< then nothing is made for what is missing
  };

  std::any run(const StepCall& call) override;
  void make_room() override { moments_.resize(params().size()); }
  void read_options(const ParamGroup& group);
  void step_group(std::size_t begin, std::size_t end, ScalerInStep* scaler);
  void prepare(std::size_t index);
  /// To where the form reads it.
  static void place_counter(Moments& kept, Device reader);
  void count(std::size_t index);
  /// Raises `key` for a moment that was not loaded, `error` for one that does not fit.
  void check_loaded(const Moments& kept, const Tensor& param) const;
  void step_fused(const std::vector<std::size_t>& indices, ScalerInStep* scaler);
  void check_factors(std::size_t index) const;
  void step_stepwise(const std::vector<std::size_t>& indices);
  void launch_rows(const StepList& list, std::span<const std::size_t> indices,
                   const AdamSettings& how, Lender* lender);
  AdamSettings settings() const;
  AdamSettings settings_at(float step) const;

  bool is_decoupled_;
  AdamOptions options_;  ///< of the group that is stepped
  std::vector<Moments> moments_;
  DeviceWords ticket_{1};
};

}  // namespace assay::cuda
