// Stochastic gradient descent in its default, foreach and fused forms.
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
struct SgdOptions {
  double lr = 0;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  OptimizerMode mode = OptimizerMode::kPlain;
};

class Sgd final : public Optimizer {
 public:
  /// `given` has the settings by name; others have PyTorch's defaults (OPT-003). Raises `value` for
  /// settings out of range and `type` for a fused form before 2.0.
  Sgd(Session& session, std::vector<ParamGroup> groups, Settings given);
  Sgd(Session& session, std::vector<ParamGroup> groups, const SgdOptions& options);

  bool supports_amp_scaling() const override { return is_true(defaults(), "fused"); }
  bool only_reads_lent() const override { return true; }
  /// Waits for the device if a fused step may have been skipped.
  std::vector<NamedTensor> state(std::size_t index) override;
  void set_state(std::size_t index, const std::vector<NamedTensor>& kept) override;

 private:
  /// The state of a parameter.
  struct Momentum {
    Tensor buffer;
    bool is_unsure = false;  ///< only the device knows whether the buffer has been written
    bool has_word = false;   ///< its device word may be non-zero
    bool was_stepped = false;
    std::vector<NamedTensor> others;  ///< loaded from another optimizer: kept, and not used
  };

  struct Split {
    std::vector<std::size_t> first;  ///< known to have no momentum yet
    std::vector<std::size_t> others;
  };

  std::any run(const StepCall& call) override;
  void find_gradients(std::size_t begin, std::size_t end);
  void settle_all() override;
  void make_room() override;
  /// Steps the parameters of `found_`.
  void step_group();
  void give_up_first_momenta() noexcept;
  /// Raises `error` for a momentum that a dense gradient cannot be added to.
  void check_momentum(std::size_t index) const;
  void check_factors(std::size_t index) const;
  void refuse_mixed(std::span<const std::size_t> indices) const;
  /// Steps the parameters with sparse gradients and removes them from `dense_`.
  void step_sparse();
  void step_sparse(std::size_t index);
  Tensor sparse_direction(std::size_t index, const Tensor& grad);
  /// Returns whether the foreach form adds the momentum to the gradients in place (OPT-004).
  bool changes_gradients() const;
  /// Reads from the device whether the buffer has been written, if only the device knows.
  void settle(std::size_t index);
  void step_list(const StepList& list, ScalerTensorCopies* scaler_copies);
  void launch_rows(const StepList& list, std::span<const std::size_t> indices, bool are_first,
                   ScalerTensorCopies* scaler_copies);
  void split_by_momentum(std::span<const std::size_t> indices,
                         const ScalerTensorCopies* scaler_copies);
  SgdSettings settings() const;

  SgdOptions options_;  ///< of the group that is being stepped
  std::vector<Momentum> momenta_;
  DeviceWords words_;  ///< a ticket, followed by one word for each parameter

  // Of the step under way; kept for their memory.
  std::vector<std::size_t> found_;  ///< parameters with gradients
  std::vector<std::size_t> dense_;  ///< those whose gradients are dense
  StepLists lists_;
  Split split_;
  std::vector<std::size_t> made_;  ///< whose momenta this group's step has created
  RowBuilder<3, 4> rows_;
};

}  // namespace assay::cuda
