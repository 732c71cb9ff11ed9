// Area module: the CUDA implementation's types, and what it decides about arguments.
#include "cuda_impl/module/forward.hpp"
#include "cuda_impl/module/move.hpp"
#include "cuda_impl/subject/call.hpp"
#include "harness/subject/areas/module.hpp"

namespace assay::cuda {
namespace {

MoveContext context(const Call& call) { return {call.contract(), home().is_cuda()}; }

using Entries = const NamedList<Tensor>& (Module::*)() const;

/// The module's own entries come first; skips empty slots.
void add_paths(const Module& module, Entries entries, const std::string& prefix,
               std::vector<std::string>& paths) {
  const ModuleDepth deeper;
  for (const auto& [name, tensor] : (module.*entries)()) {
    if (tensor.defined()) paths.push_back(prefix + name);
  }
  for (const auto& [name, child] : module.named_children()) {
    if (child != nullptr) add_paths(*child, entries, prefix + name + ".", paths);
  }
}

std::vector<std::string> paths_of(const Module& module, Entries entries) {
  std::vector<std::string> paths;
  add_paths(module, entries, "", paths);
  return paths;
}

struct ModuleRuntime {
  using Call = cuda::Call;
  using Object = cuda::Object;
  using Tensor = cuda::Tensor;
  using Device = cuda::Device;
  using Dtype = cuda::Dtype;
  using Module = cuda::Module;
  using Kind = ModuleKind;
  using Attribute = PlainAttribute;
  using MoveOptions = cuda::MoveOptions;
  using Format = MemoryFormat;
  static constexpr Dtype kHalf = Dtype::kFloat16;
  static constexpr Dtype kFloat = Dtype::kFloat32;
  static constexpr Dtype kDouble = Dtype::kFloat64;
  static constexpr Dtype kBFloat16 = Dtype::kBFloat16;
  static constexpr Device kCpu = cuda::kCpu;
  static Device current_cuda() { return cuda_device(-1); }

  static bool is_parameter(const Tensor& tensor) {
    return !tensor.defined() || tensor->is_parameter;
  }
  static bool requires_grad_by_default(const Tensor& tensor) {
    return facts(tensor.dtype()).is_floating || facts(tensor.dtype()).is_complex;
  }
  static std::vector<std::string> parameter_paths(const Module& module) {
    return paths_of(module, &Module::parameters);
  }
  static std::vector<std::string> buffer_paths(const Module& module) {
    return paths_of(module, &Module::buffers);
  }
  static std::optional<Device> device(Call& call) {
    if (call.is_none("device")) return std::nullopt;
    return call.device_as_given("device");
  }
  static bool has_recurse(const Call& call) { return call.release() != Release::k1_13; }
  static bool has_swap(const Call& call) { return call.release() != Release::k1_13; }

  static void move(const Call& call, Module& module, const MoveOptions& options) {
    move_to(module, options, context(call));
  }
  static void cast_floating(const Call& call, Module& module, Dtype dtype) {
    cuda::cast_floating(module, dtype, context(call));
  }
  static void cast_all(const Call& call, Module& module, Dtype dtype) {
    cuda::cast_all(module, dtype, context(call));
  }
  static void to_empty(const Call& call, Module& module, Device device, bool recurses) {
    cuda::to_empty(module, device, recurses, context(call));
  }
  static void apply(const Call& call, Module& module, bool recurses, const auto& function) {
    apply_to_tensors(module, {function, recurses, call.contract()});
  }
  static Tensor call_back(Call& call, const std::string& name, const Value& tensor) {
    Tensor made = call.call_back_for_tensor(name, {tensor});
    if (!made.defined()) throw InvalidArgument("the callback returns no tensor");
    return made;
  }
  static Tensor forward(Call& call, const Module& module, const std::vector<Tensor>& inputs) {
    return cuda::forward(*call.dispatcher(), module, inputs);
  }
  static ConversionFlags& flags(const Call&) { return conversion_flags(); }
};

using ModuleCommands = ModuleCommandsOf<ModuleRuntime>;

}  // namespace

#include <waist/answers/module.inc>

}  // namespace assay::cuda
