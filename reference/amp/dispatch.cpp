// How a call of an amp operator finds its kernel.
#include "reference/amp/dispatch.hpp"

#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

/// A higher backend wins.
int rank_of(DeviceType type) {
  if (type == DeviceType::kCpu) return 0;
  return type == DeviceType::kMeta ? 2 : 1;
}

const char* suffix_of(DeviceType type) {
  if (type == DeviceType::kCpu) return "CPU";
  return type == DeviceType::kMeta ? "Meta" : "CUDA";
}

[[noreturn]] void refuse(const std::string& op, const std::string& key) {
  throw Error(ErrorKind::kNotImplemented, "Could not run 'aten::" + op +
                                              "' with arguments from the '" + key +
                                              "' backend: no kernel is registered for it");
}

bool is_exempt(const DispatchArgument& argument, bool is_first_of_list) {
  if (fault("amp_exempts_0_dim_cpu_scalars")) {
    return argument.tensor.device().is_cpu() && argument.tensor.dim() == 0;
  }
  return fault("amp_compares_only_first_of_list") && !is_first_of_list;
}

/// No tensor is exempt, whatever its shape (AMP-005).
void check_common_device(const std::string& op, std::span<const DispatchArgument> arguments) {
  if (fault("amp_skips_common_device_check")) return;
  const Device common = arguments.front().tensor.device();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const DispatchArgument& argument = arguments[i];
    const bool starts_list = std::string(argument.name) != arguments[i - 1].name;
    if (is_exempt(argument, starts_list)) continue;
    check(argument.tensor.device() == common, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(common) + " and " + to_text(argument.tensor.device()) +
             " (when checking argument " + argument.name + " of " + op + ")";
    });
  }
}

}  // namespace

std::string backend_key_of(std::span<const DispatchArgument> arguments) {
  DeviceType highest = DeviceType::kCpu;
  bool any_sparse = false;
  for (const DispatchArgument& argument : arguments) {
    const DeviceType type = argument.tensor.device().type;
    if (rank_of(type) > rank_of(highest)) highest = type;
    any_sparse = any_sparse || argument.tensor.is_sparse();
  }
  return std::string(any_sparse ? "Sparse" : "") + suffix_of(highest);
}

DeviceType kernel_for(const Runtime& runtime, const std::string& op,
                      std::span<const DispatchArgument> arguments) {
  const std::string key = backend_key_of(arguments);
  // The CPU kernels came with 2.3.
  const bool has_cpu =
      runtime.contract().release != Release::k1_13 || fault("amp_has_cpu_kernels_in_1_13");
  if (key == "CPU" && has_cpu) return DeviceType::kCpu;
  if (key != "CUDA") refuse(fault("amp_error_names_no_operator") ? "?" : op, key);
  check_common_device(op, arguments);
  return DeviceType::kCuda;
}

}  // namespace assay::reference
