// The arguments of the amp operators: their checks, and their conversion from Python's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// An argument that must have one element of a given dtype; `name` appears in messages.
struct ScalarArgument {
  const char* name;
  const Tensor& tensor;
  ScalarType dtype;
};

/// Returns `CUDA` or `CPU`, the spelling in messages.
const char* kernel_name_of(DeviceType kernel);

/// Checks all device types, then all element counts, then all dtypes, each in the order of
/// `arguments` (AMP-115, AMP-116, AMP-401). Accepts any shape (AMP-118, AMP-402).
void check_scalar_arguments(std::span<const ScalarArgument> arguments, DeviceType kernel);

/// A tensor argument with its schema name; elements of a list carry the name of the list.
struct CheckedArgument {
  const char* name;
  Tensor tensor;
};

/// Checks all tensors, whatever their shape. Raises `error` naming both devices, the argument and
/// the operator (AMP-005).
void expect_common_device(const std::string& op, std::span<const CheckedArgument> arguments);

// What the Python binding converts before the dispatch (AMP-007).

/// An argument that was omitted.
struct MissingArgument {};
/// A value that no parameter of these operators accepts, such as None, a string or a list.
struct ForeignArgument {
  std::string kind;
};

using BoundArgument =
    std::variant<MissingArgument, bool, std::int64_t, double, Tensor, ForeignArgument>;

/// The position of an argument in the call, for messages.
struct ArgumentPlace {
  std::string op;
  std::string name;
  int position = 1;
};

/// Each raises `type`, naming the argument and its position, for a value that it does not accept.

/// Accepts a float, an int, a bool, or a 0-dim tensor that requires no gradient.
double bind_double(const BoundArgument& argument, const ArgumentPlace& place);
/// Accepts an int or a 0-dim integer tensor.
std::int64_t bind_int(const BoundArgument& argument, const ArgumentPlace& place);
Tensor bind_tensor(const BoundArgument& argument, const ArgumentPlace& place);

[[noreturn]] void refuse_argument(const ArgumentPlace& place, std::string_view wanted,
                                  std::string_view got);

}  // namespace assay::reference
