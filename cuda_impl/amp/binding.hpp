// What the operators' binding makes of an argument, before anything is dispatched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Nothing was given.
struct Missing {};
/// Something that no parameter of the operators takes.
struct Foreign {
  std::string kind;
};
using Bindable = std::variant<Missing, bool, std::int64_t, double, Tensor, Foreign>;

/// A parameter of an operator, as messages name it; positions begin with 1.
struct Parameter {
  std::string_view op;
  std::string_view name;
  int position;
};

// AMP-007. Raise `type` for what the parameter does not take. Numbers in tensors are waited for.

double bind_double(const Bindable& argument, const Parameter& parameter);
std::int64_t bind_int(const Bindable& argument, const Parameter& parameter);
Tensor bind_tensor(const Bindable& argument, const Parameter& parameter);

[[noreturn]] void refuse_argument(const Parameter& parameter, std::string_view wanted,
                                  std::string_view got);

}  // namespace assay::cuda
