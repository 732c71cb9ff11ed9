// Cast rules of clients for their own operators (CAST-8xx).
#pragma once

#include <string>

#include "reference/autocast/state.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

struct CastRule {
  std::string op;
  std::string device;  ///< `cpu` or `cuda`
  ScalarType dtype = ScalarType::kFloat;
};

/// Casts the operator's floating inputs to the given dtype, independent of any region, and runs it
/// without autocast, as long as the registration exists (CAST-801, CAST-802). Raises `value` for
/// other devices.
Registration register_cast_rule(Dispatcher& dispatcher, CastRule rule);

}  // namespace assay::reference
