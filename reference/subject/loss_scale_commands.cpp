// Area loss_scale: the reference's types.
#include "harness/subject/areas/loss_scale.hpp"
#include "reference/scaler/loss_scale.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

struct LossScaleRuntime {
  using Call = reference::Call;
  using Object = reference::Object;
  using Settings = LossScaleSettings;
  using LossScale = reference::LossScale;
  using State = LossScaleState;
  static constexpr ScalarType kDtype = ScalarType::kFloat;

  static std::shared_ptr<LossScale> make(const Call&, const Settings& settings) {
    return std::make_shared<LossScale>(settings);
  }
};

using LossScaleCommands = LossScaleCommandsOf<LossScaleRuntime>;

}  // namespace

#include <waist/answers/loss_scale.inc>

}  // namespace assay::reference
