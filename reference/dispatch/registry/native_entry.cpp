// Registers native entries (DSP-422), with the common-device check in the wrapper of a backend's
// kernel (DSP-219).
#include "reference/dispatch/registry/native_entry.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "reference/core/types/error.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {
namespace {

// The common-device check in the wrapper of a backend's kernel.

class Check {
 public:
  explicit Check(const FunctionSchema& schema) : op_(to_text(schema.name)) {}

  void value(const IValue& value, const std::string& argument) {
    if (const auto* tensor = std::get_if<Tensor>(&value.payload())) {
      if (tensor->defined()) this->tensor(*tensor, argument);
    } else if (const auto* list = std::get_if<IValue::ListPtr>(&value.payload())) {
      for (const IValue& item : **list) this->value(item, argument);
    }
  }

  std::optional<Device> common() const { return common_; }

 private:
  void tensor(const Tensor& tensor, const std::string& argument) {
    const Device device = tensor.device();
    if (!common_) common_ = device;
    check(device == *common_, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(*common_) + " and " + to_text(device) + " (when checking argument " +
             argument + " in method " + op_ + ")";
    });
  }

  std::string op_;
  std::optional<Device> common_;
};

/// Returns the device of the first defined tensor in the arguments and their lists; empty if there
/// is none. Raises `error`, naming both devices, the argument and the operator, if another tensor
/// is on a different device, whatever its shape (DSP-219).
std::optional<Device> common_device(const FunctionSchema& schema,
                                    std::span<const IValue> arguments) {
  Check check(schema);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    check.value(arguments[i], schema.arguments[i].name);
  }
  return check.common();
}

// Native entries.

using KernelNames = std::map<DispatchKey, std::string>;

bool is_out_form(const FunctionSchema& schema) {
  return std::any_of(schema.arguments.begin(), schema.arguments.end(), [](const auto& argument) {
    return argument.kwarg_only && argument.is_written();
  });
}

/// The kernels of the out variant, by label.
KernelNames kernels_of_delegate(const Dispatcher& dispatcher, const std::string& name) {
  const auto found = dispatcher.find(parse_name(name, dispatcher.runtime().contract()));
  check(found.has_value(), [&] { return "there is no structured operator " + name; });
  const OperatorStatePtr state = found->live_state();
  KernelNames names;
  for (const auto& [key, kernels] : state->kernels) names[key] = kernels.front()->debug;
  return names;
}

KernelNames kernels_of(const Dispatcher& dispatcher, const NativeEntry& entry,
                       const FunctionSchema& schema, const std::string& delegate) {
  KernelNames names;
  if (!delegate.empty()) names = kernels_of_delegate(dispatcher, delegate);
  for (const auto& [key, name] : entry.dispatch) names[key] = name;
  const bool in_group = entry.structured || !delegate.empty();
  if (names.empty() && !in_group) {
    return {{Functionality::kCompositeImplicitAutograd, schema.name.name}};
  }
  if (!in_group) return names;
  names.emplace(Backend::kMeta, "shape of " + to_text(schema.name));
  if (!is_out_form(schema)) {
    names.emplace(Functionality::kCompositeExplicitAutogradNonFunctional,
                  "composite of " + to_text(schema.name));
  }
  return names;
}

/// Returns the written arguments, or else the first tensor.
Stack results_of(const FunctionSchema& schema, const Stack& arguments) {
  Stack results;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (schema.arguments[i].is_written()) results.push_back(arguments[i]);
  }
  for (std::size_t i = 0; i < arguments.size() && results.empty(); ++i) {
    if (arguments[i].kind() == "Tensor") results.push_back(arguments[i]);
  }
  results.resize(schema.returns.size());
  return results;
}

void run_entry(const FunctionSchema& schema, bool device_check, Runtime& runtime, Stack& stack) {
  const auto first = stack.end() - static_cast<std::ptrdiff_t>(schema.arguments.size());
  const Stack arguments(first, stack.end());
  std::optional<DeviceGuard> guard;
  if (device_check) {
    const auto device = common_device(schema, arguments);
    // A test tensor may claim to be on a device that this machine lacks.
    if (device && device->is_cuda() && device->index < runtime.cuda_devices()) {
      guard.emplace(runtime, device->index);
    }
  }
  stack.erase(first, stack.end());
  for (IValue& result : results_of(schema, arguments)) stack.push_back(std::move(result));
}

Kernel kernel_of(const FunctionSchema& schema, bool device_check) {
  return Kernel::boxed([schema, device_check](const OperatorHandle& op, KeySet, Stack& stack) {
    run_entry(schema, device_check, op.dispatcher().runtime(), stack);
  });
}

std::string qualified(const std::string& name, std::string_view name_space) {
  if (name.empty() || name.find("::") != std::string::npos) return name;
  return std::string(name_space) + "::" + name;
}

}  // namespace

NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry) {
  FunctionSchema schema = parse_schema(entry.func, dispatcher.runtime().contract());
  schema.name.name = qualified(schema.name.name, "native");
  const KernelNames kernels = kernels_of(
      dispatcher, entry, schema, qualified(entry.structured_delegate, schema.name.name_space()));
  NativeOperator made;
  made.registrations.push_back(dispatcher.registry().define(schema, {"native function entry"}));
  for (const auto& [key, name] : kernels) {
    made.registrations.push_back(
        dispatcher.registry().impl(schema.name, key, kernel_of(schema, entry.device_check), name));
    made.ops.push_back(to_text(schema.name) + "@" + name_of(key));
  }
  std::sort(made.ops.begin(), made.ops.end());
  return made;
}

}  // namespace assay::reference
