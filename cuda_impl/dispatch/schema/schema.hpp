// What an operator takes and gives back, as it was declared: names, types, defaults, aliasing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/dispatch/schema/constant.hpp"
#include "cuda_impl/dispatch/schema/type.hpp"

namespace assay::cuda::dispatch {

/// `ns::base` and the overload, which may be empty (DSP-302).
struct OperatorName {
  std::string name;
  std::string overload;

  /// `ns::base` or `ns::base.overload`
  std::string text() const;
  /// What stands before `::`; empty where there is none.
  std::string_view namespace_name() const;
  auto operator<=>(const OperatorName&) const = default;
};

/// Which sets of tensors that share memory a value is in, before and after the call (DSP-307).
struct AliasInfo {
  bool is_write = false;
  std::set<std::string> before;
  std::set<std::string> after;
  /// The elements' own, where a list's elements are annotated: none or one.
  std::vector<AliasInfo> contained;

  bool operator==(const AliasInfo&) const = default;
};

/// One argument or return.
struct Argument {
  std::string name;  ///< of a return: empty where it has none
  Type type;
  std::optional<std::int64_t> size;  ///< N of `int[N]`
  std::optional<Constant> default_value;
  bool kwarg_only = false;
  std::optional<AliasInfo> alias;

  bool is_written() const { return alias && alias->is_write; }
  /// `Tensor(a!)? x=None`. What PyTorch prints and does not read is printed only where its
  /// deviations hold (DSP-309).
  std::string text(const Contract& contract = {}) const;
  bool operator==(const Argument&) const = default;
};

class Schema {
 public:
  struct Parts {
    OperatorName name;
    std::vector<Argument> arguments;
    std::vector<Argument> returns;
    bool is_vararg = false;  ///< `...` ends the arguments
    bool is_varret = false;

    bool operator==(const Parts&) const = default;
  };
  Schema() = default;
  explicit Schema(Parts parts) : parts_(std::move(parts)) {}

  const OperatorName& name() const { return parts_.name; }
  void rename(OperatorName name) { parts_.name = std::move(name); }
  std::span<const Argument> arguments() const { return parts_.arguments; }
  std::span<const Argument> returns() const { return parts_.returns; }
  bool is_vararg() const { return parts_.is_vararg; }
  bool is_varret() const { return parts_.is_varret; }
  /// Is an argument written (DSP-307)?
  bool is_mutable() const;
  /// Has an argument or a return a type that is a variable (DSP-303)?
  bool has_variable() const;
  std::string text(const Contract& contract = {}) const;

  bool operator==(const Schema&) const = default;

 private:
  Parts parts_;
};

/// Raise `schema` for a text that is none (DSP-301 to DSP-312), `error` for an overload that may
/// not be, and where a name was given for a schema or the other way round.
Schema parse_schema(std::string_view text, const Contract& contract = {});
OperatorName parse_name(std::string_view text, const Contract& contract = {});
std::variant<OperatorName, Schema> parse_schema_or_name(std::string_view text,
                                                        const Contract& contract = {});

}  // namespace assay::cuda::dispatch
