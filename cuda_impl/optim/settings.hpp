// The settings of a parameter group by name.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace assay::cuda {

using Betas = std::array<double, 2>;
/// None, a bool, an int, a float, or a pair of floats.
using Setting = std::variant<std::monostate, bool, std::int64_t, double, Betas>;
using Settings = std::map<std::string, Setting, std::less<>>;

/// Accepts ints and floats. Raises `key` if the setting is missing and `type` for another kind.
double number_of(const Settings& settings, std::string_view name);
/// Raises like `number_of`.
Betas betas_of(const Settings& settings);
/// False if the setting is missing or None.
bool is_true(const Settings& settings, std::string_view name);
/// Returns whether the setting is missing or None.
bool is_open(const Settings& settings, std::string_view name);

}  // namespace assay::cuda
