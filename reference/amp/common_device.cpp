// The device check of CUDA kernels' wrappers (AMP-005).
#include "reference/amp/common_device.hpp"

namespace assay::reference {

void expect_common_device(const std::string& op, std::span<const CheckedArgument> arguments) {
  const Device common = arguments.front().tensor.device();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const CheckedArgument& argument = arguments[i];
    check(argument.tensor.device() == common, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(common) + " and " + to_text(argument.tensor.device()) +
             " (when checking argument " + argument.name + " of " + op + ")";
    });
  }
}

}  // namespace assay::reference
