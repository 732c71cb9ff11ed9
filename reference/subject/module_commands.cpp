// Area module: the reference's types, and what it decides about arguments.
#include "harness/subject/areas/module.hpp"
#include "reference/module/forward.hpp"
#include "reference/module/move.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

struct ModuleRuntime {
  using Call = reference::Call;
  using Object = reference::Object;
  using Tensor = reference::Tensor;
  using Device = reference::Device;
  using Dtype = ScalarType;
  using Module = reference::Module;
  using Kind = ModuleKind;
  using Attribute = PlainAttribute;
  using MoveOptions = reference::MoveOptions;
  using Format = MemoryFormat;
  static constexpr ScalarType kHalf = ScalarType::kHalf;
  static constexpr ScalarType kFloat = ScalarType::kFloat;
  static constexpr ScalarType kDouble = ScalarType::kDouble;
  static constexpr ScalarType kBFloat16 = ScalarType::kBFloat16;
  static constexpr Device kCpu = kCpuDevice;
  static Device current_cuda() { return cuda_device(-1); }

  static bool is_parameter(const Tensor& tensor) {
    return !tensor.defined() || tensor.impl()->is_parameter;
  }
  static bool requires_grad_by_default(const Tensor& tensor) {
    return is_floating(tensor.dtype()) || is_complex(tensor.dtype());
  }
  static std::vector<std::string> parameter_paths(Module& module) {
    return paths_of(module, ModuleTensors::kParameters);
  }
  static std::vector<std::string> buffer_paths(Module& module) {
    return paths_of(module, ModuleTensors::kBuffers);
  }
  static std::optional<Device> device(Call& call) { return call.device_or_none("device"); }
  static bool has_recurse(const Call& call) { return !call.contract().before(Release::k2_4); }
  static bool has_swap(const Call& call) { return !call.contract().before(Release::k2_4); }

  static void move(Call& call, Module& module, const MoveOptions& options) {
    move_to(call.runtime(), module, options);
  }
  static void cast_floating(Call& call, Module& module, ScalarType dtype) {
    reference::cast_floating(call.runtime(), module, dtype);
  }
  static void cast_all(Call& call, Module& module, ScalarType dtype) {
    reference::cast_all(call.runtime(), module, dtype);
  }
  static void to_empty(Call& call, Module& module, Device device, bool recurses) {
    reference::to_empty(call.runtime(), module, device, recurses);
  }
  static void apply(Call& call, Module& module, bool recurses, const auto& function) {
    apply_tensors(call.runtime(), module, function, recurses);
  }
  static Tensor call_back(Call& call, const std::string& name, const Value& tensor) {
    return call.tensor_from(call.call_back(name, {tensor}));
  }
  static Tensor forward(Call& call, const Module& module, const std::vector<Tensor>& inputs) {
    return reference::forward(call.runtime(), module, inputs);
  }
  static ConversionFlags& flags(Call& call) { return call.runtime().shared<ConversionFlags>(); }
};

using ModuleCommands = ModuleCommandsOf<ModuleRuntime>;

}  // namespace

#include <waist/answers/module.inc>

}  // namespace assay::reference
