// Which operator is cast how: the lists of each device and release.
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

/// What becomes of an operator's arguments (CAST-401 to CAST-419).
enum class CastPolicy : std::uint8_t {
  kLowerPrecision,   ///< all to the device's low type
  kFp32,             ///< all to float32
  kFp32SetOptDtype,  ///< none; an empty dtype becomes float32
  kFp32AppendDtype,  ///< none; the overload with a dtype at its end is called
  kPromote,          ///< all to the wider one of float32 and the low type
  kBanned,           ///< an error
  kRnn,              ///< the weights of a layer in one buffer
};
/// `lower_precision_fp`, …
std::string_view name_of(CastPolicy policy);
std::optional<CastPolicy> cast_policy_named(std::string_view name);

/// Both ends are in it.
struct Releases {
  Release since = Release::k1_13;
  Release until = Release::k2_11;

  bool contain(Release release) const { return since <= release && release <= until; }
};
struct RuleList {
  CastPolicy policy;
  Releases releases;
  std::string_view ops;  ///< `mm pow.Scalar`: names in `aten`, a space between
};

// Each a table of its own, because devices have been given their lists one by one.
std::span<const RuleList> gpu_lists();
std::span<const RuleList> cudnn_lists();
std::span<const RuleList> cpu_lists();
std::span<const RuleList> mps_lists();

struct Rule {
  std::string op;  ///< `aten::pow.Scalar`
  CastPolicy policy;
};
/// None for a device without autocast, or without a list. Sorted by operator.
std::vector<Rule> rules_of(DeviceKind device, Release release);

/// The overload with a dtype at its end that an operator of kFp32AppendDtype redispatches to; empty
/// for others (CAST-406).
std::string_view append_target(std::string_view op);

}  // namespace assay::cuda::autocast
