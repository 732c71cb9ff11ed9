// Area module: moving modules.
#include "cuda_impl/module/move.hpp"
#include "cuda_impl/subject/module/module_commands.hpp"

namespace assay::cuda {
namespace {

MoveContext context(Call& call) { return {call.contract(), home().is_cuda()}; }

void give(Call& call, const std::shared_ptr<Module>& module) {
  call.result(Object(module, "module"));
}

MemoryFormat format_named(const std::string& word) {
  if (word == "preserve") return MemoryFormat::kPreserve;
  if (word == "contiguous") return MemoryFormat::kContiguous;
  if (word == "channels_last") return MemoryFormat::kChannelsLast;
  throw NotSupported("no memory format '" + word + "'");
}

std::optional<Device> device_argument(Call& call) {
  if (call.is_none("device")) return std::nullopt;
  return call.device_as_given("device");
}

MoveOptions options_of(Call& call) {
  MoveOptions options;
  options.dtype = call.dtype_or_none("dtype");
  options.device = device_argument(call);
  options.copy = call.arguments().boolean("copy", false);
  options.non_blocking = call.arguments().boolean("non_blocking", false);
  if (call.has("memory_format")) {
    options.format = format_named(call.arguments().text("memory_format"));
  }
  if (call.has("like")) {
    const Tensor like = call.tensor("like");
    options.dtype = like.dtype();
    options.device = like.device();
  }
  return options;
}

void move(Call& call, const MoveOptions& options) {
  const auto module = module_argument(call);
  move_to(*module, options, context(call));
  give(call, module);
}

template <Dtype kDtype>
void cast_to(Call& call) {
  const auto module = module_argument(call);
  cast_floating(*module, kDtype, context(call));
  give(call, module);
}

bool recurses(Call& call) {
  if (!call.has("recurse")) return true;
  if (call.release() == Release::k1_13) throw NotSupported("1.13 has no 'recurse'");
  return call.arguments().boolean("recurse");
}

}  // namespace

void module_to(Call& call) { move(call, options_of(call)); }

void module_cuda(Call& call) {
  MoveOptions options;
  options.device = device_argument(call).value_or(cuda_device(-1));
  move(call, options);
}

void module_cpu(Call& call) {
  MoveOptions options;
  options.device = kCpu;
  move(call, options);
}

void module_type(Call& call) {
  const auto module = module_argument(call);
  cast_all(*module, call.dtype("dtype"), context(call));
  give(call, module);
}

void module_to_empty(Call& call) {
  const auto module = module_argument(call);
  to_empty(*module, call.device_as_given("device"), recurses(call), context(call));
  give(call, module);
}

void module_apply_tensors(Call& call) {
  const auto module = module_argument(call);
  const auto* function = call.arguments().value("function").get_if<Callable>();
  if (function == nullptr) throw InvalidArgument("'function' must be something callable");
  const auto applied = [&](const Tensor& tensor) {
    Tensor made = call.call_back_for_tensor(function->name, {call.lend(Object(tensor))});
    if (!made.defined()) {
      throw InvalidArgument("module.apply_tensors: the callback returns no tensor");
    }
    return made;
  };
  apply_to_tensors(*module, {applied, recurses(call), call.contract()});
  give(call, module);
}

void module_flags(Call& call) {
  ConversionFlags& flags = conversion_flags();
  flags.overwrite = call.arguments().boolean("overwrite", flags.overwrite);
  if (!call.has("swap")) return;
  if (call.release() == Release::k1_13) throw NotSupported("1.13 has no flag 'swap'");
  flags.swap = call.arguments().boolean("swap");
}

void module_half(Call& call) { cast_to<Dtype::kFloat16>(call); }
void module_float(Call& call) { cast_to<Dtype::kFloat32>(call); }
void module_double(Call& call) { cast_to<Dtype::kFloat64>(call); }
void module_bfloat16(Call& call) { cast_to<Dtype::kBFloat16>(call); }

}  // namespace assay::cuda
