// Cast policies (how autocast treats the arguments of an operator), and the operators that have
// one, by device and release (CAST-1001).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

enum class CastPolicy : std::uint8_t {
  kLower,    ///< CAST-401
  kFp32,     ///< CAST-402
  kSetOpt,   ///< CAST-403 to CAST-405
  kAppend,   ///< CAST-406, CAST-407
  kPromote,  ///< CAST-408 to CAST-411
  kBanned,   ///< CAST-412
  kRnn,      ///< CAST-419
};

/// For example `lower_precision_fp`.
std::string_view name_of(CastPolicy policy);
std::optional<CastPolicy> cast_policy_named(std::string_view name);

struct ListedOp {
  std::string_view op;  ///< `aten::pow.Scalar`
  CastPolicy policy;
};

/// Empty for a device without a list.
std::vector<ListedOp> op_list(DeviceType device, const Contract& contract);

}  // namespace assay::reference
