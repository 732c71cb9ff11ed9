// What a group of parameters is stepped with, by the names that users know.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace assay::cuda {

using Betas = std::array<double, 2>;
/// None, a truth, a whole or a real number, or two of them.
using Setting = std::variant<std::monostate, bool, std::int64_t, double, Betas>;
using Settings = std::map<std::string, Setting, std::less<>>;

/// Whole or real. Raises `key` where it is missing, `type` where it is no number.
double number_of(const Settings& settings, std::string_view name);
/// Raises as `number_of` does.
Betas betas_of(const Settings& settings);
/// False where it is missing, or None.
bool is_true(const Settings& settings, std::string_view name);
/// Neither true nor false.
bool is_open(const Settings& settings, std::string_view name);

}  // namespace assay::cuda
