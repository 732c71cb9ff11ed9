// The settings of a parameter group by name.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

using Betas = std::array<double, 2>;
/// None, a bool, an int, a float, a pair of floats, or a tensor (a rate).
using Setting = std::variant<std::monostate, bool, std::int64_t, double, Betas, Tensor>;
using Settings = std::map<std::string, Setting, std::less<>>;

/// Accepts ints and floats, and reads a tensor, for which it waits. Raises `key` if the setting is
/// missing and `type` for another kind.
double number_of(const Settings& settings, std::string_view name);
/// Raises like `number_of`.
Betas betas_of(const Settings& settings);
/// False if the setting is missing or None.
bool is_true(const Settings& settings, std::string_view name);
/// Returns whether the setting is missing or None.
bool is_open(const Settings& settings, std::string_view name);
/// Null if the rate is no tensor.
const Tensor* tensor_rate(const Settings& settings);
/// Raises `value` for a rate of several elements or of none (OPT-023).
void check_rate(const Settings& settings, Release release);

}  // namespace assay::cuda
