// The schema of an operator: its arguments and returns (DSP-301 to DSP-316).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/schema/type.hpp"

namespace assay::reference {

/// For example `aten::add`, with an overload name that may be empty (DSP-302).
struct OperatorName {
  std::string name;
  std::string overload;
  auto operator<=>(const OperatorName&) const = default;

  /// Returns `aten`; empty without a namespace.
  std::string_view name_space() const;
};

/// Formats as `aten::add.out`.
std::string to_text(const OperatorName& name);

/// The memory that a value may alias (DSP-307).
struct AliasInfo {
  std::set<std::string> before;
  std::set<std::string> after;
  bool write = false;
  /// The annotation of a container's elements; at most one.
  std::vector<AliasInfo> contained;

  bool operator==(const AliasInfo&) const;
};

/// An argument, or a return, which has no default and is never keyword-only.
struct SchemaArgument {
  std::string name = {};
  SchemaType type = {};
  std::optional<std::int64_t> size = {};  ///< N of `int[N]`
  std::optional<IValue> default_value = {};
  bool kwarg_only = false;
  std::optional<AliasInfo> alias = {};

  /// Returns whether the argument is written (DSP-307).
  bool is_written() const;
};

struct FunctionSchema {
  OperatorName name = {};
  std::vector<SchemaArgument> arguments = {};
  std::vector<SchemaArgument> returns = {};
  bool vararg = false;
  bool varret = false;

  /// Returns whether some argument is written (DSP-307).
  bool is_mutable() const;
};

/// The canonical text, which parses to an equal schema (DSP-309).
/// PyTorch's text does not always: `kCompat` omits the quotes of
/// devices and the sign of minus zero, and prints fresh alias sets.
std::string to_text(const FunctionSchema& schema, Deviations deviations = Deviations::kStrict);

/// Raises `schema`, with the line and a caret below the offending token, for invalid text, and
/// `error` if there is only a name (DSP-312).
FunctionSchema parse_schema(std::string_view text, const Contract& contract);
/// Conversely, raises `error` for a whole schema.
OperatorName parse_name(std::string_view text, const Contract& contract);
std::variant<OperatorName, FunctionSchema> parse_schema_or_name(std::string_view text,
                                                                const Contract& contract);

/// The reason why a kernel with the inferred schema does not match the declaration; empty if it
/// matches (DSP-314).
std::optional<std::string> schema_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred);

/// The alias analysis of an operator whose schema was inferred (DSP-313).
enum class AliasKind : std::uint8_t { kFromSchema, kConservative, kPureFunction };
std::string_view name_of(AliasKind kind);

}  // namespace assay::reference
