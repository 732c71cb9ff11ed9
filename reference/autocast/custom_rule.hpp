// Rules that a client gives its own operators (CAST-8xx).
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

/// While the registration lives, floating inputs of the operator are cast to that dtype, whatever
/// the region's is, and it runs without any autocast (CAST-801, CAST-802). Raises `value` for
/// another device.
Registration register_cast_rule(Dispatcher& dispatcher, CastRule rule);

}  // namespace assay::reference
