// Area loss_scale: the CUDA implementation's types.
#include "cuda_impl/scaler/loss_scale.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "harness/subject/areas/loss_scale.hpp"

namespace assay::cuda {
namespace {

struct LossScaleRuntime {
  using Call = cuda::Call;
  using Object = cuda::Object;
  using Settings = LossScaleSettings;
  using LossScale = cuda::LossScale;
  using State = SavedLossScale;
  static constexpr Dtype kDtype = Dtype::kFloat32;

  static std::shared_ptr<LossScale> make(Call& call, const Settings& settings) {
    return std::make_shared<LossScale>(call.session(), home(), settings);
  }
};

using LossScaleCommands = LossScaleCommandsOf<LossScaleRuntime>;

}  // namespace

#include <waist/answers/loss_scale.inc>

}  // namespace assay::cuda
