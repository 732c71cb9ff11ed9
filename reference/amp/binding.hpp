// The argument conversions of the Python binding, before dispatch (AMP-007).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

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
