// Areas amp and loss_scale: the CUDA implementation's types, and how it makes and reads tensors.
#include <limits>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/amp/unscale.hpp"
#include "cuda_impl/scaler/loss_scale.hpp"
#include "cuda_impl/subject/call.hpp"
#include "harness/subject/areas/amp.hpp"
#include "harness/subject/areas/loss_scale.hpp"

namespace assay::cuda {
namespace {

Tensor tensor_of_int(std::int64_t value, Device device) {
  using Limits = std::numeric_limits<std::int32_t>;
  require(value >= Limits::min() && value <= Limits::max(), [&] {
    return "value " + std::to_string(value) + " cannot be converted to int without overflow";
  });
  return full({}, static_cast<double>(value), Dtype::kInt32, device);
}

struct AmpRuntime {
  using Call = cuda::Call;
  using Tensor = cuda::Tensor;
  using Dtype = cuda::Dtype;
  using Factors = UpdateFactors;
  using UpdateTensors = UpdateScaleTensors;
  using UnscaleTensors = cuda::UnscaleTensors;
  using Bindable = cuda::Bindable;
  using Missing = cuda::Missing;
  using Unaccepted = UnsupportedArgument;
  using Parameter = cuda::Parameter;
  static constexpr Dtype kFloat32 = Dtype::kFloat32;
  static constexpr Dtype kInt32 = Dtype::kInt32;

  static const std::vector<std::string>& schemas() { return amp_schemas(); }
  static Device device_of(Call& call) { return call.device_or_none("device").value_or(home()); }
  static DeviceKind device(Call& call) { return device_of(call).kind; }
  /// Any number becomes a float32 tensor, only an int an int32 one.
  static Tensor tensor_of_number(Call& call, const Bindable& given, Dtype dtype) {
    const auto* integer = std::get_if<std::int64_t>(&given);
    const auto* real = std::get_if<double>(&given);
    if (dtype == kInt32 && integer != nullptr) return tensor_of_int(*integer, device_of(call));
    if (dtype == kInt32 || (integer == nullptr && real == nullptr)) return {};
    const double number = real != nullptr ? *real : static_cast<double>(*integer);
    const auto rounded = static_cast<float>(number);
    const Tensor made = empty({}, dtype, device_of(call));
    write_elements(made, reinterpret_cast<const std::byte*>(&rounded));
    return made;
  }
  static Value number_in(const Call&, const Tensor& tensor) {
    const Uncounted uncounted;
    const double number = read_number(tensor);
    if (tensor.dtype() == kInt32) return static_cast<std::int64_t>(number);
    return number;
  }
  static Tensor empty_like(const Call&, const Tensor& tensor) {
    return empty(tensor.sizes(), tensor.dtype(), tensor.device());
  }
  static std::vector<std::int64_t> blocks_of_launches(const Call& call,
                                                      const std::vector<std::int64_t>& counts,
                                                      const LaunchLimits& limits) {
    std::vector<std::int64_t> blocks;
    for (const PlannedLaunch& launch :
         plan_launches(counts, limits, call.release() == Release::k1_13)) {
      blocks.push_back(launch.blocks);
    }
    return blocks;
  }
};

using AmpCommands = AmpCommandsOf<AmpRuntime>;

}  // namespace

#include <waist/answers/amp.inc>

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
