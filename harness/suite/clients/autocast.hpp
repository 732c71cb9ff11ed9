// The typed client of the area autocast: state, cached casts and regions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include <waist/calls/autocast.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// Absent options are not sent, so that the subject's defaults apply. `device` is of any kind, so
/// that invalid ones can be sent too.
struct RegionOptions {
  std::optional<Value> device = {};
  std::optional<Value> dtype = {};
  std::optional<bool> enabled = {};
  std::optional<bool> cache_enabled = {};
  std::optional<bool> cuda_available = {};
  std::optional<bool> bf16_supported = {};
};

class RegionHandle : public RegionHandleCalls {
 public:
  using RegionHandleCalls::RegionHandleCalls;
};

class AutocastClient : public AutocastClientCalls {
 public:
  using Type = std::string;  ///< a device type: `cpu`, `cuda`
  using AutocastClientCalls::AutocastClientCalls;

  /// A statistic since the last reset: `conversions`, `cache_hits`, …
  std::int64_t stat(std::string_view name) const;
  /// The converted value or, with `as`, a reference to it with that name.
  Value cached_cast(Dtype to, const Value& value, const Type& device, std::string as = {}) const;
  Dtype set_opt_dtype(Dtype to, const std::optional<Dtype>& dtype) const;

  /// A region that has not been entered.
  RegionHandle construct(const RegionOptions& options) const;
  /// A block for `scope` that enters a region.
  Block region(const RegionOptions& options) const;
  Value call(const Value& function, std::vector<Value> args = {}) const;
  /// The same, with a new name for the result.
  Ref call_ref(const Value& function, std::vector<Value> args = {}) const;
};

}  // namespace assay
