// Stochastic gradient descent, in three forms.
#pragma once

#include <span>
#include <vector>

#include "cuda_impl/kernels/optim/sgd.hpp"
#include "cuda_impl/optim/device_words.hpp"
#include "cuda_impl/optim/fused.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/optim/step_lists.hpp"

namespace assay::cuda {

/// What a group's settings say for one step.
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
  /// `given` by name; PyTorch's where nothing is said (OPT-003). Raises `value` for settings out of
  /// range, `type` for a fused form before 2.0.
  Sgd(Session& session, std::vector<ParamGroup> groups, Settings given);
  Sgd(Session& session, std::vector<ParamGroup> groups, const SgdOptions& options);

  bool supports_amp_scaling() const override { return is_true(defaults(), "fused"); }
  bool only_reads_lent() const override { return true; }
  /// Waits for the device where a fused step may have been skipped.
  std::vector<NamedTensor> state(std::size_t index) override;
  void set_state(std::size_t index, const std::vector<NamedTensor>& kept) override;

 private:
  /// What is kept for a parameter.
  struct Momentum {
    Tensor buffer;
    bool is_unsure = false;  ///< a flag on the device decided whether the buffer has been written
    bool has_word = false;   ///< its word is not 0, or may not be
    bool was_stepped = false;
  };

  struct Split {
    std::vector<std::size_t> first;  ///< surely without a momentum yet
    std::vector<std::size_t> others;
  };

  std::any run(const StepCall& call) override;
  std::vector<std::size_t> with_gradients(std::size_t begin, std::size_t end) const;
  void make_room() override;
  void step_group(std::size_t begin, std::size_t end);
  /// Raises `error` for one that a dense gradient cannot be added to.
  void check_momentum(std::size_t index) const;
  void check_factors(std::size_t index) const;
  void refuse_mixed(std::span<const std::size_t> indices) const;
  /// Those with a sparse gradient are stepped, the others are left to do.
  void step_sparse(std::vector<std::size_t>& indices);
  void step_sparse(std::size_t index);
  Tensor sparse_direction(std::size_t index, const Tensor& grad);
  /// Does the foreach form add its momentum to the gradients themselves (OPT-004)?
  bool changes_gradients() const;
  /// Asks the device whether a buffer has been written, where only it knows.
  void settle(std::size_t index);
  void step_list(const StepList& list, Lender* lender);
  void launch_rows(const StepList& list, std::span<const std::size_t> indices, bool are_first,
                   Lender* lender);
  Split split_by_momentum(std::span<const std::size_t> indices, const Lender* lender);
  SgdSettings settings() const;

  SgdOptions options_;  ///< of the group that is stepped
  std::vector<Momentum> momenta_;
  DeviceWords words_;  ///< the ticket, then one for each parameter
};

}  // namespace assay::cuda
