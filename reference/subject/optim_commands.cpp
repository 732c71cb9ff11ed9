// Area optim: the reference's types, and what it decides about arguments.
#include "harness/subject/areas/optim.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/optim/adam.hpp"
#include "reference/optim/clip.hpp"
#include "reference/optim/sgd.hpp"
#include "reference/optim/state_dict.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/steps.hpp"

namespace assay::reference {
namespace {

struct OptimRuntime {
  using Call = reference::Call;
  using Object = reference::Object;
  using Tensor = reference::Tensor;
  using Optimizer = reference::Optimizer;
  using ParamGroup = reference::ParamGroup;
  using Attribute = ScalerAttribute;
  using Settings = reference::Settings;
  using Setting = reference::Setting;
  using Numbers = std::vector<double>;
  using Saved = StateDict;
  using Mode = OptimizerMode;
  using HookToken = std::int64_t;
  using Groups = std::vector<ParamGroup>;

  static void set(Settings& settings, const std::string& name, Setting setting) {
    settings.set(name, std::move(setting));
  }
  static const auto& items(const Settings& settings) { return settings.items(); }
  static Setting numbers(std::vector<double> numbers) { return numbers; }
  static void write_mode(Settings& settings, OptimizerMode mode) { set_mode(settings, mode); }

  static std::shared_ptr<Optimizer> sgd(Call& call, Groups groups, const Settings& given) {
    return std::make_shared<Sgd>(call.runtime(), std::move(groups), given);
  }
  static std::shared_ptr<Optimizer> adam(Call& call, Groups groups, bool is_decoupled,
                                         const Settings& given) {
    const auto kind = is_decoupled ? Adam::Kind::kAdamW : Adam::Kind::kAdam;
    return std::make_shared<Adam>(call.runtime(), std::move(groups), kind, given);
  }
  static std::shared_ptr<Optimizer> custom(Call& call, Groups groups, bool supports_amp_scaling,
                                           bool takes_grad_scaler) {
    const CustomOptimizer::Traits traits = {supports_amp_scaling, takes_grad_scaler};
    return std::make_shared<CustomOptimizer>(call.runtime(), std::move(groups),
                                             std::any(call.arguments().value("step")), traits);
  }
  static Tensor clip_grad_norm_(Call& call, const std::vector<Tensor>& params, double max_norm) {
    return reference::clip_grad_norm_(call.runtime(), params, max_norm);
  }

  static const auto& state(Optimizer& optimizer, std::size_t index) {
    return tensors_in(optimizer.state_of(optimizer.params()[index]));
  }
  static const std::vector<std::pair<std::string, Tensor>>& tensors_in(const ParamState& kept) {
    return kept.tensors();
  }
  static StateDict save(Optimizer& optimizer) { return state_dict(optimizer); }
  static void load(Call& call, Optimizer& optimizer, const StateDict& saved) {
    load_state_dict(call.runtime(), optimizer, saved);
  }
  static ParamState& add_state(StateDict& saved, std::int64_t number) {
    return saved.state->emplace_back(number, ParamState()).second;
  }
  static void set_tensor(ParamState& state, const std::string& name, const Tensor& tensor) {
    state.set(name, tensor);
  }
  static std::vector<std::int64_t>& params_of(StateDict::Group& group) { return group.params; }
  /// As 1.11 saved it.
  static Tensor tensor_of_step(Call& call, double number) {
    return scalar_tensor(call.runtime(), number, ScalarType::kFloat, kCpuDevice);
  }
  static void check_has_params(bool has_params) {
    check(has_params, ErrorKind::kKey, [] { return "'params'"; });
  }
};

using OptimCommands = OptimCommandsOf<OptimRuntime>;

}  // namespace

#include <waist/answers/optim.inc>

}  // namespace assay::reference
