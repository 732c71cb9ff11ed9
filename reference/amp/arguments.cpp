// Checks one-element arguments and devices, and converts what the Python binding takes.
#include "reference/amp/arguments.hpp"

#include <string>

#include "reference/core/types/element.hpp"

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

std::string kind_of(const BoundArgument& argument) {
  struct Visitor {
    std::string operator()(const MissingArgument&) const { return "nothing"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(std::int64_t) const { return "int"; }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const Tensor& tensor) const { return describe(tensor); }
    std::string operator()(const ForeignArgument& foreign) const { return foreign.kind; }
  };
  return std::visit(Visitor{}, argument);
}

bool is_plain_scalar(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_sparse() || tensor.data() == nullptr) return false;
  return tensor.dim() == 0 && !tensor.requires_grad();
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

double bind_double(const BoundArgument& argument, const ArgumentPlace& place) {
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) {
    return static_cast<double>(*integer);
  }
  if (const auto* truth = std::get_if<bool>(&argument)) return *truth ? 1.0 : 0.0;
  const auto* tensor = std::get_if<Tensor>(&argument);
  if (tensor != nullptr && is_plain_scalar(*tensor)) return real_at(*tensor, 0);
  refuse_argument(place, "float", kind_of(argument));
}

std::int64_t bind_int(const BoundArgument& argument, const ArgumentPlace& place) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  const auto* tensor = std::get_if<Tensor>(&argument);
  if (tensor != nullptr && is_plain_scalar(*tensor) && is_integral(tensor->dtype(), false)) {
    return integer_at(*tensor, 0);
  }
  refuse_argument(place, "int", kind_of(argument));
}

Tensor bind_tensor(const BoundArgument& argument, const ArgumentPlace& place) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return *tensor;
  refuse_argument(place, "Tensor", kind_of(argument));
}

void refuse_argument(const ArgumentPlace& place, std::string_view wanted, std::string_view got) {
  throw Error(ErrorKind::kType, place.op + "(): argument '" + place.name + "' (position " +
                                    std::to_string(place.position) + ") must be " +
                                    std::string(wanted) + ", not " + std::string(got));
}

}  // namespace assay::reference
