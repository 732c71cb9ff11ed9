// Areas amp and loss_scale: the reference's types, and how it makes and reads tensors.
#include "harness/subject/areas/amp.hpp"
#include "harness/subject/areas/loss_scale.hpp"
#include "reference/amp/arguments.hpp"
#include "reference/amp/launch_plan.hpp"
#include "reference/amp/operators.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/scaler/loss_scale.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

struct AmpRuntime {
  using Call = reference::Call;
  using Tensor = reference::Tensor;
  using Dtype = ScalarType;
  using Factors = ScaleFactors;
  using UpdateTensors = UpdateScaleTensors;
  using UnscaleTensors = reference::UnscaleTensors;
  using Bindable = BoundArgument;
  using Missing = MissingArgument;
  using Unaccepted = ForeignArgument;
  using Parameter = ArgumentPlace;
  static constexpr ScalarType kFloat32 = ScalarType::kFloat;
  static constexpr ScalarType kInt32 = ScalarType::kInt;

  static const std::vector<std::string>& schemas() { return amp_schemas(); }
  static Device resolved_device(Call& call) {
    return call.runtime().resolve(call.device_or_none("device").value_or(call.runtime().home()));
  }
  static DeviceType device(Call& call) { return resolved_device(call).type; }
  /// Float32 also accepts ints, int32 only ints.
  static Tensor tensor_of_number(Call& call, const BoundArgument& given, ScalarType dtype) {
    const auto* integer = std::get_if<std::int64_t>(&given);
    const auto* real = std::get_if<double>(&given);
    if (dtype == kInt32) return integer == nullptr ? Tensor() : tensor_of_integer(call, *integer);
    if (integer == nullptr && real == nullptr) return {};
    const double number = real != nullptr ? *real : static_cast<double>(*integer);
    return scalar_tensor(call.runtime(), number, dtype, resolved_device(call));
  }
  static Tensor tensor_of_integer(Call& call, std::int64_t value) {
    check(value == static_cast<std::int32_t>(value), [&] {
      return "value " + std::to_string(value) + " cannot be converted to int without overflow";
    });
    Tensor made = scalar_tensor(call.runtime(), 0, kInt32, resolved_device(call));
    set_integer_at(made, 0, value);
    return made;
  }
  static Value number_in(Call& call, const Tensor& tensor) {
    wait_for_stream(call.runtime(), tensor.device());
    if (tensor.dtype() == kInt32) return integer_at(tensor, 0);
    return real_at(tensor, 0);
  }
  static Tensor empty_like(Call& call, const Tensor& tensor) {
    return empty(call.runtime(), tensor.sizes(), tensor.dtype(), tensor.device());
  }
  static std::vector<std::int64_t> blocks_of_launches(const Call& call,
                                                      const std::vector<std::int64_t>& counts,
                                                      const LaunchLimits& limits) {
    const bool drops_tail = call.contract().release == Release::k1_13;  // AMP-303
    std::vector<std::int64_t> blocks;
    for (const Launch& launch : plan_launches(counts, limits, drops_tail)) {
      blocks.push_back(static_cast<std::int64_t>(launch.size()));
    }
    return blocks;
  }
};

using AmpCommands = AmpCommandsOf<AmpRuntime>;

}  // namespace

#include <waist/answers/amp.inc>

// Area loss_scale.

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
