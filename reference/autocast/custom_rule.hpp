// Cast rules of clients for their own operators (CAST-8xx).
#pragma once

#include <string>

#include "reference/autocast/state.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

struct CastRule {
  std::string op;
  std::string device;  ///< a device type with autocast; until 2.12 `cpu` or `cuda`
  ScalarType dtype = ScalarType::kFloat;
};

/// Casts the operator's floating inputs to the given dtype, independent of any region, and runs it
/// without autocast, as long as the registration exists (CAST-801, CAST-802). Raises `value` for
/// other device types, and `error` for a text that is none. A later rule for the same device takes
/// its place since 2.13; before, it is an `error` (CAST-804).
Registration register_cast_rule(Dispatcher& dispatcher, CastRule rule);

}  // namespace assay::reference
