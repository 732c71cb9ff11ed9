// Calls the driver by function name, for programs that test its error codes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Raises `value` for an unknown name (see FLT-018). Arguments are handles, addresses, indices and
/// sizes; missing ones are 0. Objects that the call creates are destroyed afterwards.
Code call_driver(Runtime& runtime, std::string_view name,
                 const std::vector<std::uint64_t>& arguments);

}  // namespace assay::reference
