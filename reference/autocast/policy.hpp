// Cast policies: how autocast treats the arguments of an operator.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

}  // namespace assay::reference
