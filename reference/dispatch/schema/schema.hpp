// What an operator takes and returns (DSP-301 to DSP-316).
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

/// `aten::add` and its overload, which is empty for the unnamed one (DSP-302).
struct OperatorName {
  std::string name;
  std::string overload;
  auto operator<=>(const OperatorName&) const = default;

  /// `aten`; empty where there is none.
  std::string_view name_space() const;
};

/// `aten::add.out`
std::string to_text(const OperatorName& name);

/// What a value may share memory with (DSP-307).
struct AliasInfo {
  std::set<std::string> before;
  std::set<std::string> after;
  bool write = false;
  /// Of a container's element; at most one.
  std::vector<AliasInfo> contained;

  bool operator==(const AliasInfo&) const;
};

/// An argument, or a return, which has no default and is never kwarg-only.
struct SchemaArgument {
  std::string name = {};
  SchemaType type = {};
  std::optional<std::int64_t> size = {};  ///< N of `int[N]`
  std::optional<IValue> default_value = {};
  bool kwarg_only = false;
  std::optional<AliasInfo> alias = {};

  /// Is it written to (DSP-307)?
  bool is_written() const;
};

struct FunctionSchema {
  OperatorName name = {};
  std::vector<SchemaArgument> arguments = {};
  std::vector<SchemaArgument> returns = {};
  bool vararg = false;
  bool varret = false;

  /// Some argument is written (DSP-307).
  bool is_mutable() const;
};

/// The canonical text, which reads back as an equal schema (DSP-309). PyTorch's own does not
/// always: `kCompat` writes devices without quotes, minus zero without its sign, and fresh alias
/// sets.
std::string to_text(const FunctionSchema& schema, Deviations deviations = Deviations::kStrict);

/// Raises `schema`, with the line and a caret under the offending word, for what is no schema, and
/// `error` for a name alone (DSP-312).
FunctionSchema parse_schema(std::string_view text, const Contract& contract);
/// The other way round: `error` for a schema.
OperatorName parse_name(std::string_view text, const Contract& contract);
std::variant<OperatorName, FunctionSchema> parse_schema_or_name(std::string_view text,
                                                                const Contract& contract);

/// Why a kernel of the inferred schema does not fit the declared one; nothing when it does
/// (DSP-314).
std::optional<std::string> schema_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred);

/// How returns and arguments relate where nobody has written it down (DSP-313).
enum class AliasKind : std::uint8_t { kFromSchema, kConservative, kPureFunction };
std::string_view name_of(AliasKind kind);

}  // namespace assay::reference
