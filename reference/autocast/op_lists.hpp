// The operators that autocast has rules for, by device and release (CAST-1001).
#pragma once

#include <string_view>
#include <vector>

#include "reference/autocast/policy.hpp"
#include "reference/core/types/contract.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

struct ListedOp {
  std::string_view op;  ///< `aten::pow.Scalar`
  CastPolicy policy;
};

/// Empty for a device without a list.
std::vector<ListedOp> op_list(DeviceType device, const Contract& contract);

}  // namespace assay::reference
