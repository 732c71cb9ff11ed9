// Stochastic gradient descent: plain, foreach and fused.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/optimizer.hpp"
#include "reference/optim/step_settings.hpp"

namespace assay::reference {

class Sgd final : public Optimizer {
 public:
  /// `given` has settings by name; missing ones have PyTorch's defaults (OPT-003). Raises `value`
  /// for invalid settings (OPT-002) and `type` for a fused form before 2.3.
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
  /// The parameters without momentum. Determined before any is created: a parameter that occurs
  /// twice takes its first step twice.
  std::set<const void*> without_momentum(const std::vector<Tensor>& params);
  /// Updates the sparse momentum and returns the direction of the step.
  Tensor sparse_momentum(const SgdOptions& options, const Tensor& param, const Tensor& grad);
  /// Null if there is none yet.
  const Tensor* kept_buffer(const Tensor& param);
  /// Creates the buffer if necessary; its content is then not valid yet, and it is not kept yet.
  Tensor momentum_buffer(const SgdOptions& options, const Tensor& param);
  void keep_made();
  bool writes_gradients(const SgdOptions& options) const;

  std::vector<std::pair<Tensor, Tensor>> made_;  ///< parameters of this group, and their buffers
};

}  // namespace assay::reference
