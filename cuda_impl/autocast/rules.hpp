// The autocast operator lists of each device and release.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda::autocast {

/// How the arguments of an operator are cast (CAST-401 to CAST-419).
enum class CastPolicy : std::uint8_t {
  kLowerPrecision,   ///< casts to the low-precision type
  kFp32,             ///< casts to float32
  kFp32SetOptDtype,  ///< no cast; an absent dtype becomes float32
  kFp32AppendDtype,  ///< no cast; calls the overload that ends with a dtype
  kPromote,          ///< casts to the wider one of float32 and the low type
  kBanned,           ///< raises
  kRnn,              ///< casts an RNN's weights in one buffer
};
/// `lower_precision_fp`, …
std::string_view name_of(CastPolicy policy);
std::optional<CastPolicy> cast_policy_named(std::string_view name);

/// An inclusive range.
struct Releases {
  Release since = Release::k1_13;
  Release until = kNewestRelease;

  bool contain(Release release) const { return since <= release && release <= until; }
};
struct RuleList {
  CastPolicy policy;
  Releases releases;
  std::string_view ops;  ///< `mm pow.Scalar`: names in `aten`, separated by spaces
};

// Separate tables, because the lists have been added device by device.
std::span<const RuleList> gpu_lists();
std::span<const RuleList> cuda_lists();
std::span<const RuleList> cpu_lists();
std::span<const RuleList> mps_lists();

struct Rule {
  std::string op;  ///< `aten::pow.Scalar`
  CastPolicy policy;
};
/// Sorted by operator. Empty for a device without autocast, or without a list.
std::vector<Rule> rules_of(DeviceKind device, Release release);

/// The overload with a trailing dtype that an operator of kFp32AppendDtype redispatches to; empty
/// for other operators (CAST-406).
std::string_view append_target(std::string_view op);

}  // namespace assay::cuda::autocast
