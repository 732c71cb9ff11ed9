// Stochastic gradient descent, plain, foreach and fused.
#pragma once

#include <set>

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/optimizer.hpp"
#include "reference/optim/sgd_settings.hpp"

namespace assay::reference {

class Sgd final : public Optimizer {
 public:
  /// `given` are the settings by name; those left out are PyTorch's (OPT-003). Raises `value` for
  /// what is out of range (OPT-002), `type` for a fused one before 2.3.
  Sgd(Runtime& runtime, std::vector<ParamGroup> groups, const Settings& given);
  Sgd(Runtime& runtime, std::vector<ParamGroup> groups, const SgdOptions& options);

  bool supports_amp_scaling() const override { return defaults().is_on("fused"); }

 private:
  std::any run(const StepCall& call) override;
  void step_group(const ParamGroup& group);
  void step_one_by_one(const SgdOptions& options, const std::vector<Tensor>& params);
  void step_fused(const SgdOptions& options, const std::vector<Tensor>& params);
  void update(const SgdOptions& options, const Tensor& param, bool is_first);
  void update_sparse(const SgdOptions& options, const Tensor& param);
  void update_fused(const SgdOptions& options, const Tensor& param, bool is_first,
                    const FusedScaling& scaling);
  /// Those that have no momentum yet. All are asked before the first is made: one that is there
  /// twice takes its first step twice.
  std::set<const void*> without_momentum(const std::vector<Tensor>& params);
  /// The sparse momentum of a step: what it makes of the gradient.
  Tensor sparse_momentum(const SgdOptions& options, const Tensor& param, const Tensor& grad);
  /// Null where there is none yet.
  const Tensor* kept_buffer(const Tensor& param);
  /// Made where there is none: then nothing is in it yet.
  Tensor momentum_buffer(const SgdOptions& options, const Tensor& param);
  bool writes_gradients(const SgdOptions& options) const;
};

}  // namespace assay::reference
