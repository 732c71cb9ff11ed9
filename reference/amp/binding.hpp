// What the Python binding makes of an argument before the dispatcher sees it (AMP-007).
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// An argument that was left out.
struct MissingArgument {};
/// None, text, a list: anything that no parameter of these operators takes.
struct ForeignArgument {
  std::string kind;
};

using BoundArgument =
    std::variant<MissingArgument, bool, std::int64_t, double, Tensor, ForeignArgument>;

/// Where an argument stands in the call, for messages.
struct ArgumentPlace {
  std::string op;
  std::string name;
  int position = 1;
};

/// Each of these raises `type`, naming the argument and its position, for what it does not take.

/// A float, an int, a bool, or a 0-dim tensor that needs no gradient.
double bind_double(const BoundArgument& argument, const ArgumentPlace& place);
/// An int or a 0-dim tensor of integers.
std::int64_t bind_int(const BoundArgument& argument, const ArgumentPlace& place);
Tensor bind_tensor(const BoundArgument& argument, const ArgumentPlace& place);

}  // namespace assay::reference
