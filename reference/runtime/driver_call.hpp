// One call of the driver by its name, for programs that look at its code themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Raises `value` for a name that is none (those of FLT-018). Arguments are handles, addresses,
/// indices and sizes, those that are missing are 0. What the call makes is gone again afterwards.
Code call_driver(Runtime& runtime, std::string_view name,
                 const std::vector<std::uint64_t>& arguments);

}  // namespace assay::reference
