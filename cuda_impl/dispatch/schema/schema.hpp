// The schema of an operator: names, types, defaults and aliasing of arguments and returns.
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

/// `ns::base` and an overload name, which may be empty (DSP-302).
struct OperatorName {
  std::string name;
  std::string overload;

  /// Returns `ns::base` or `ns::base.overload`.
  std::string text() const;
  /// Returns the part before `::`; empty if there is none.
  std::string_view namespace_name() const;
  auto operator<=>(const OperatorName&) const = default;
};

/// The alias sets of a value before and after the call (DSP-307).
struct AliasInfo {
  bool is_write = false;
  std::set<std::string> before;
  std::set<std::string> after;
  /// The annotation of a list's elements: none or one.
  std::vector<AliasInfo> contained;

  bool operator==(const AliasInfo&) const = default;
};

/// One argument or return.
struct Argument {
  std::string name;  ///< may be empty for a return
  Type type;
  std::optional<std::int64_t> size;  ///< N of `int[N]`
  std::optional<Constant> default_value;
  bool kwarg_only = false;
  std::optional<AliasInfo> alias;

  bool is_written() const { return alias && alias->is_write; }
  /// Returns `Tensor(a!)? x=None`. Text that PyTorch prints but cannot parse is only printed with
  /// PyTorch's deviations (DSP-309).
  std::string text(const Contract& contract = {}) const;
  bool operator==(const Argument&) const = default;
};

class Schema {
 public:
  struct Parts {
    OperatorName name;
    std::vector<Argument> arguments;
    std::vector<Argument> returns;
    bool is_vararg = false;  ///< the arguments end with `...`
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
  /// Whether some argument is written (DSP-307).
  bool is_mutable() const;
  /// Whether some argument or return has a type variable (DSP-303).
  bool has_variable() const;
  std::string text(const Contract& contract = {}) const;

  bool operator==(const Schema&) const = default;

 private:
  Parts parts_;
};

/// Raise `schema` for invalid text (DSP-301 to DSP-312), and `error` for an invalid overload name
/// or a name where a schema is expected, or vice versa.
Schema parse_schema(std::string_view text, const Contract& contract = {});
OperatorName parse_name(std::string_view text, const Contract& contract = {});
std::variant<OperatorName, Schema> parse_schema_or_name(std::string_view text,
                                                        const Contract& contract = {});

}  // namespace assay::cuda::dispatch
