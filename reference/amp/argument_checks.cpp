// Implements the checks of one-element arguments.
#include "reference/amp/argument_checks.hpp"

#include <string>

namespace assay::reference {

namespace {

void check_device_type(const ScalarArgument& argument, DeviceType kernel) {
  check(argument.tensor.device().type == kernel, [&] {
    return std::string(argument.name) + " must be a " + kernel_name_of(kernel) + " tensor, got " +
           describe(argument.tensor);
  });
}

void check_one_element(const ScalarArgument& argument) {
  check(argument.tensor.numel() == 1, [&] {
    return std::string(argument.name) + " must be a 1-element tensor, got " +
           describe(argument.tensor);
  });
}

void check_dtype(const ScalarArgument& argument) {
  check(argument.tensor.dtype() == argument.dtype, [&] {
    const char* wanted = argument.dtype == ScalarType::kInt ? "an int" : "a float";
    return std::string(argument.name) + " must be " + wanted + " tensor, got " +
           describe(argument.tensor);
  });
}

}  // namespace

const char* kernel_name_of(DeviceType kernel) {
  return kernel == DeviceType::kCuda ? "CUDA" : "CPU";
}

void check_scalar_arguments(std::span<const ScalarArgument> arguments, DeviceType kernel) {
  for (const ScalarArgument& argument : arguments) check_device_type(argument, kernel);
  for (const ScalarArgument& argument : arguments) check_one_element(argument);
  for (const ScalarArgument& argument : arguments) check_dtype(argument);
}

}  // namespace assay::reference
