// A scaler and a fused optimizer over many small gradients, for tests of what steps cost.
#pragma once

#include <memory>
#include <vector>

#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {

struct FusedLists {
  int gradients;
  bool has_moments = false;  ///< Adam, not SGD
  std::vector<Dtype> dtypes = {Dtype::kFloat32};
  int devices = 1;  ///< gradients take turns on them
};

/// A fused optimizer over gradients of 3 elements, and a scaler that has a scale.
class FusedTraining {
 public:
  explicit FusedTraining(const FusedLists& lists) {
    std::vector<Tensor> params;
    for (int i = 0; i < lists.gradients; ++i) {
      const Dtype dtype = lists.dtypes[static_cast<std::size_t>(i) % lists.dtypes.size()];
      const Device device = cuda_device(i % lists.devices);
      params.push_back(full({3}, 1, dtype, device));
      params.back().set_grad(full({3}, 1, dtype, device));
    }
    const std::vector<ParamGroup> groups = {{params}};
    if (lists.has_moments) {
      AdamOptions options;
      options.mode = OptimizerMode::kFused;
      options.capturable = true;
      optimizer = std::make_shared<Adam>(session, groups, options);
    } else {
      SgdOptions options;
      options.mode = OptimizerMode::kFused;
      options.momentum = 0.9;
      optimizer = std::make_shared<Sgd>(session, groups, options);
    }
    scaler->scale(full({}, 1, Dtype::kFloat32, cuda_device(0)));
  }

  void unscale() const { scaler->unscale_(*optimizer); }
  /// Checks the gradients by itself, if they are not unscaled.
  void step_and_update() const {
    scaler->step(*optimizer);
    scaler->update();
  }
  /// Makes what only the first iterations make.
  void warm_up() const {
    for (int i = 0; i < 2; ++i) {
      step_and_update();
      unscale();
      step_and_update();
    }
  }

  Session session;
  std::shared_ptr<GradScaler> scaler = std::make_shared<GradScaler>(session, ScalerOptions{});
  std::shared_ptr<Optimizer> optimizer;
};

/// Differences of counters.
template <typename Call>
Counters counters_of(const Call& call) {
  const Counters before = counters();
  call();
  const Counters after = counters();
  Counters made;
  made.launches = after.launches - before.launches;
  made.copies = after.copies - before.copies;
  made.host_reads = after.host_reads - before.host_reads;
  made.allocations = after.allocations - before.allocations;
  return made;
}

}  // namespace assay::cuda
