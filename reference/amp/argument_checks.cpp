// What the amp kernels check about their one-element arguments.
#include "reference/amp/argument_checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

void check_device_type(const ScalarArgument& argument, DeviceType kernel) {
  if (fault("amp_skips_device_type_check")) return;
  check(argument.tensor.device().type == kernel, [&] {
    return std::string(argument.name) + " must be a " + kernel_name_of(kernel) + " tensor, got " +
           describe(argument.tensor);
  });
}

void check_one_element(const ScalarArgument& argument) {
  if (fault("amp_skips_numel_check")) return;
  if (fault("amp_takes_empty_scalars") && argument.tensor.numel() == 0) return;
  if (fault("amp_takes_longer_scalars") && argument.tensor.numel() > 1) return;
  const bool shape_is_right = !fault("amp_scalars_must_be_0_dim") || argument.tensor.dim() == 0;
  check(argument.tensor.numel() == 1 && shape_is_right, [&] {
    return std::string(argument.name) + " must be a 1-element tensor, got " +
           describe(argument.tensor);
  });
}

bool is_mistakenly_accepted(const ScalarArgument& argument) {
  const ScalarType dtype = argument.tensor.dtype();
  if (argument.dtype == ScalarType::kInt) {
    return fault("amp_takes_int64_tracker") && dtype == ScalarType::kLong;
  }
  return (fault("amp_takes_float64_scalars") && dtype == ScalarType::kDouble) ||
         (fault("amp_takes_float16_scalars") && dtype == ScalarType::kHalf) ||
         (fault("amp_takes_bool_flag") && dtype == ScalarType::kBool);
}

void check_dtype(const ScalarArgument& argument) {
  if (is_mistakenly_accepted(argument)) return;
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
  std::vector<const ScalarArgument*> ordered;
  for (const ScalarArgument& argument : arguments) ordered.push_back(&argument);
  if (fault("amp_checks_arguments_backwards")) std::ranges::reverse(ordered);
  if (fault("amp_checks_each_argument_whole")) {
    for (const ScalarArgument* argument : ordered) {
      check_device_type(*argument, kernel);
      check_one_element(*argument);
      check_dtype(*argument);
    }
  }
  for (const ScalarArgument* argument : ordered) check_device_type(*argument, kernel);
  if (fault("amp_checks_dtype_before_numel")) {
    for (const ScalarArgument* argument : ordered) check_dtype(*argument);
  }
  for (const ScalarArgument* argument : ordered) check_one_element(*argument);
  for (const ScalarArgument* argument : ordered) check_dtype(*argument);
}

}  // namespace assay::reference
