// The names of the policies.
#include "reference/autocast/policy.hpp"

#include <algorithm>
#include <array>

namespace assay::reference {
namespace {

constexpr std::array<std::string_view, 7> kNames{
    "lower_precision_fp",  "fp32", "fp32_set_opt_dtype", "fp32_append_dtype", "promote", "banned",
    "custom_rnn_reflatten"};

}  // namespace

std::string_view name_of(CastPolicy policy) { return kNames[static_cast<std::size_t>(policy)]; }

std::optional<CastPolicy> cast_policy_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<CastPolicy>(found - kNames.begin());
}

}  // namespace assay::reference
