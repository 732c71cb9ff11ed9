// Area optim: the CUDA implementation's types, and what it decides about arguments.
#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/clip.hpp"
#include "cuda_impl/optim/saved.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/steps.hpp"
#include "harness/subject/areas/optim.hpp"

namespace assay::cuda {
namespace {

struct OptimRuntime {
  using Call = cuda::Call;
  using Object = cuda::Object;
  using Tensor = cuda::Tensor;
  using Optimizer = cuda::Optimizer;
  using ParamGroup = cuda::ParamGroup;
  using Attribute = ScalerAttribute;
  using Settings = cuda::Settings;
  using Setting = cuda::Setting;
  using Numbers = Betas;
  using Saved = cuda::Saved;
  using Mode = OptimizerMode;
  using HookToken = std::uint64_t;
  using Groups = std::vector<ParamGroup>;

  static void set(Settings& settings, const std::string& name, const Setting& setting) {
    settings.emplace(name, setting);
  }
  static const Settings& items(const Settings& settings) { return settings; }
  static Setting numbers(const std::vector<double>& numbers) {
    require(numbers.size() == 2, ErrorKind::kType,
            [] { return "a list of numbers is the two betas of Adam, and no other setting"; });
    return Betas{numbers[0], numbers[1]};
  }
  static void write_mode(Settings& settings, OptimizerMode mode) {
    cuda::write_mode(settings, mode);
  }

  static std::shared_ptr<Optimizer> sgd(Call& call, const Groups& groups, const Settings& given) {
    return std::make_shared<Sgd>(call.session(), groups, given);
  }
  static std::shared_ptr<Optimizer> adam(Call& call, const Groups& groups, bool is_decoupled,
                                         const Settings& given) {
    return std::make_shared<Adam>(call.session(), groups, is_decoupled, given);
  }
  static std::shared_ptr<Optimizer> custom(Call& call, const Groups& groups,
                                           bool supports_amp_scaling, bool takes_grad_scaler) {
    CustomOptimizer::Traits traits;
    traits.supports_amp_scaling = supports_amp_scaling;
    traits.takes_grad_scaler = takes_grad_scaler;
    return std::make_shared<CustomOptimizer>(call.session(), groups, custom_step(call), traits);
  }
  static Tensor clip_grad_norm_(Call& call, const std::vector<Tensor>& params, double max_norm) {
    return cuda::clip_grad_norm_(params, max_norm, call.release());
  }

  static std::vector<NamedTensor> state(Optimizer& optimizer, std::size_t index) {
    return optimizer.state(index);
  }
  static const std::vector<NamedTensor>& tensors_in(const std::vector<NamedTensor>& kept) {
    return kept;
  }
  static Saved save(Optimizer& optimizer) { return cuda::save(optimizer); }
  static void load(Call& call, Optimizer& optimizer, const Saved& saved) {
    cuda::load(call.session(), optimizer, saved);
  }
  static std::vector<NamedTensor>& add_state(Saved& saved, std::int64_t number) {
    return (*saved.state)[number];
  }
  static void set_tensor(std::vector<NamedTensor>& state, std::string_view name,
                         const Tensor& tensor) {
    state.push_back({std::string(name), tensor});
  }
  static std::vector<std::int64_t>& params_of(SavedGroup& group) { return group.numbers; }
  /// PyTorch 1.11 and older saved a number.
  static Tensor tensor_of_step(const Call&, double number) {
    return full({}, number, Dtype::kFloat32, kCpu);
  }
  static void check_has_params(bool has_params) {
    require(has_params, ErrorKind::kKey, [] { return std::string("'params'"); });
  }
};

using OptimCommands = OptimCommandsOf<OptimRuntime>;

}  // namespace

#include <waist/answers/optim.inc>

}  // namespace assay::cuda
