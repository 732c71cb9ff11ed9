// Converts the arguments of the operators' Python binding, before the dispatch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// An omitted argument.
struct Missing {};
/// A value of a type that no parameter accepts.
struct UnsupportedArgument {
  std::string kind;
};
using Bindable = std::variant<Missing, bool, std::int64_t, double, Tensor, UnsupportedArgument>;

/// A parameter as error messages name it; positions are 1-based.
struct Parameter {
  std::string_view op;
  std::string_view name;
  int position;
};

// AMP-007. Raise `type` if the parameter rejects the argument. Wait for numbers in tensors.

double bind_double(const Bindable& argument, const Parameter& parameter);
std::int64_t bind_int(const Bindable& argument, const Parameter& parameter);
Tensor bind_tensor(const Bindable& argument, const Parameter& parameter);

[[noreturn]] void refuse_argument(const Parameter& parameter, std::string_view wanted,
                                  std::string_view got);

}  // namespace assay::cuda
