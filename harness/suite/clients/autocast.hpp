// The typed client of the area autocast: state, cached casts and regions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

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

/// A region of the subject, referred to by name. Converts to a value.
class RegionHandle {
 public:
  RegionHandle(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  /// The result of entering: the region itself, or None.
  Value enter() const;
  void exit() const;

 private:
  Session* session_;
  std::string name_;
};

class AutocastClient {
 public:
  using Type = std::string;  ///< a device type: `cpu`, `cuda`

  explicit AutocastClient(Session& session) : session_(&session) {}

  std::string key(const Type& device) const;
  bool is_available(const Type& device) const;
  /// Without a device: the older functions, which have no such argument.
  bool is_enabled(const std::optional<Type>& device = {}) const;
  void set_enabled(bool value, const std::optional<Type>& device = {}) const;
  Dtype dtype(const std::optional<Type>& device = {}) const;
  void set_dtype(Dtype dtype, const std::optional<Type>& device = {}) const;
  bool is_any_enabled() const;
  std::int64_t nesting(std::int64_t by) const;
  bool is_cache_enabled() const;
  void set_cache_enabled(bool value) const;
  void clear_cache() const;
  /// A statistic since the last reset: `conversions`, `cache_hits`, …
  std::int64_t stat(std::string_view name) const;
  void static_output(const Value& tensor, bool value) const;

  bool is_eligible(const Value& tensor, const Type& device) const;
  /// The converted value or, with `as`, a reference to it with that name.
  Value cached_cast(Dtype to, const Value& value, const Type& device, std::string as = {}) const;
  Dtype prioritize(Dtype current, const Value& value, const Type& device) const;
  Dtype promote_type(Dtype start, const Type& device, std::vector<Value> args) const;
  Dtype set_opt_dtype(Dtype to, const std::optional<Dtype>& dtype) const;
  bool first_is_eligible(const Type& device, std::vector<Value> args) const;
  Dtype type_from_first(const Type& device, Dtype to, std::vector<Value> args) const;
  std::vector<std::string> rules(const Type& device) const;
  Ref wrap(std::string policy, std::string op, const Type& device, std::string to = {}) const;
  Ref register_op(std::string op, const Value& device, Dtype dtype) const;

  /// A region that has not been entered.
  RegionHandle construct(const RegionOptions& options) const;
  /// A block for `scope` that enters a region.
  Block region(const RegionOptions& options) const;
  Ref decorate(const RegionHandle& region, const Value& function) const;
  Value call(const Value& function, std::vector<Value> args = {}) const;
  /// The same, with a new name for the result.
  Ref call_ref(const Value& function, std::vector<Value> args = {}) const;

 private:
  Ref named(std::string verb, Fields with) const;

  Session* session_;
};

}  // namespace assay
