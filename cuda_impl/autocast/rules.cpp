// Combines the operator lists of a device.
#include "cuda_impl/autocast/rules.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::cuda::autocast {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "lower_precision_fp",  "fp32", "fp32_set_opt_dtype", "fp32_append_dtype", "promote", "banned",
    "custom_rnn_reflatten"};

using Lists = std::vector<std::span<const RuleList>>;

Lists lists_of(DeviceKind device, Release release) {
  switch (device) {
    case DeviceKind::kCpu:
      return {cpu_lists()};
    case DeviceKind::kCuda:
      return {gpu_lists(), cuda_lists()};
    case DeviceKind::kXpu:
      return release == Release::k1_13 ? Lists{} : Lists{gpu_lists()};
    case DeviceKind::kMtia:
    case DeviceKind::kMaia:
      return release >= Release::k2_11 ? Lists{gpu_lists()} : Lists{};
    case DeviceKind::kMps:
      return {mps_lists()};
    default:
      return {};
  }
}

void append(const RuleList& list, std::vector<Rule>& rules) {
  for (std::string_view rest = list.ops; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    rules.push_back({"aten::" + std::string(rest.substr(0, end)), list.policy});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::string_view name_of(CastPolicy policy) { return kNames[static_cast<std::size_t>(policy)]; }

std::optional<CastPolicy> cast_policy_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<CastPolicy>(found - kNames.begin());
}

std::vector<Rule> rules_of(DeviceKind device, Release release) {
  std::vector<Rule> rules;
  for (const auto lists : lists_of(device, release)) {
    for (const RuleList& list : lists) {
      if (list.releases.contain(release)) append(list, rules);
    }
  }
  std::ranges::sort(rules, {}, &Rule::op);
  return rules;
}

std::string_view append_target(std::string_view op) {
  constexpr auto kTargets = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"aten::norm.Scalar", "aten::norm.ScalarOpt_dtype"},
       {"aten::norm.ScalarOpt_dim", "aten::norm.ScalarOpt_dim_dtype"},
       {"aten::norm.names_ScalarOpt_dim", "aten::norm.names_ScalarOpt_dim_dtype"}});
  for (const auto& [from, to] : kTargets) {
    if (from == op) return to;
  }
  return {};
}

}  // namespace assay::cuda::autocast
