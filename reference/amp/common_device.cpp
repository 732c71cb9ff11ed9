// What the wrapper of a CUDA kernel checks before the kernel does (AMP-005).
#include "reference/amp/common_device.hpp"

#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

bool is_exempt(const CheckedArgument& argument, bool is_first_of_list) {
  if (fault("amp_exempts_0_dim_cpu_scalars")) {
    return argument.tensor.device().is_cpu() && argument.tensor.dim() == 0;
  }
  return fault("amp_compares_only_first_of_list") && !is_first_of_list;
}

}  // namespace

void expect_common_device(const std::string& op, std::span<const CheckedArgument> arguments) {
  if (fault("amp_skips_common_device_check")) return;
  const Device common = arguments.front().tensor.device();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const CheckedArgument& argument = arguments[i];
    const bool starts_list = std::string(argument.name) != arguments[i - 1].name;
    if (is_exempt(argument, starts_list)) continue;
    check(argument.tensor.device() == common, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(common) + " and " + to_text(argument.tensor.device()) +
             " (when checking argument " + argument.name + " of " + op + ")";
    });
  }
}

}  // namespace assay::reference
