// Area scaler: the CUDA implementation's types, and what it decides about arguments.
#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/outputs.hpp"
#include "cuda_impl/subject/steps.hpp"
#include "harness/subject/areas/scaler.hpp"

namespace assay::cuda {
namespace {

struct ScalerRuntime {
  using Call = cuda::Call;
  using Object = cuda::Object;
  using GradScaler = cuda::GradScaler;
  using Optimizer = cuda::Optimizer;
  using State = ScalerState;
  using Lazy = LazyOutputs;
  using Construction = ConstructorCall;
  using Api = ScalerClass;
  using NewScale = cuda::NewScale;
  using WrongScale = cuda::WrongScale;

  static bool has_cuda(const Call&) { return home().is_cuda() && Session::cuda_devices() > 0; }
  static ConstructorArgument construction_argument(const Value& value) {
    if (const auto number = scalar_from(value)) return *number;
    if (const auto* text = value.get_if<std::string>()) return *text;
    return OtherArgument{std::string(kind_of(value))};
  }
  static std::shared_ptr<GradScaler> make(Call& call, const ConstructorCall& asked) {
    return std::make_shared<GradScaler>(call.session(), options_from(asked, call.release()));
  }
  /// SCL-214: the call does nothing then.
  static bool takes_any_optimizer(const GradScaler& scaler) { return !scaler.is_enabled(); }
  static std::optional<Scalar> number_from(const Value& value) { return scalar_from(value); }
  static std::pair<Device, Tensor> flag_of(const DeviceFlag& found) {
    return {found.device, found.flag};
  }
};

using ScalerCommands = ScalerCommandsOf<ScalerRuntime>;

}  // namespace

#include <waist/answers/scaler.inc>

}  // namespace assay::cuda
