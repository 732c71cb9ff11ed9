// Area scaler: the reference's types, and what it decides about arguments.
#include "harness/subject/areas/scaler.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/nested_values.hpp"
#include "reference/subject/steps.hpp"

namespace assay::reference {
namespace {

struct ScalerRuntime {
  using Call = reference::Call;
  using Object = reference::Object;
  using GradScaler = reference::GradScaler;
  using Optimizer = reference::Optimizer;
  using State = ScalerState;
  using Lazy = LazySequence;
  using Construction = ScalerCall;
  using Api = ScalerApi;
  using NewScale = reference::NewScale;
  using WrongScale = WrongNewScale;

  static bool has_cuda(const Call& call) { return call.contract().cuda(); }
  static ScalerArgument construction_argument(const Value& value) {
    if (const auto* truth = value.get_if<bool>()) return *truth;
    if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
    if (const auto* real = value.get_if<double>()) return *real;
    if (const auto* text = value.get_if<std::string>()) return *text;
    // A device object is not a string, so it never equals "cuda" (SCL-004).
    if (const auto* device = value.get_if<assay::Device>()) return to_text(*device) + " (a device)";
    throw InvalidArgument("a scaler is not made of a " + std::string(kind_of(value)));
  }
  static std::shared_ptr<GradScaler> make(Call& call, const ScalerCall& asked) {
    return std::make_shared<GradScaler>(call.runtime(), options_of(call.runtime(), asked));
  }
  static bool takes_any_optimizer(const GradScaler& scaler) {
    return !scaler.is_enabled();  // SCL-214
  }
  static std::optional<Scalar> number_from(const Value& value) { return scalar_from(value); }
  static const auto& flag_of(const auto& entry) { return entry; }
};

using ScalerCommands = ScalerCommandsOf<ScalerRuntime>;

}  // namespace

#include <waist/answers/scaler.inc>

}  // namespace assay::reference
