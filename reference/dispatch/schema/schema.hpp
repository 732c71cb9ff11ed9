// The schema of an operator: its arguments and returns (DSP-301 to DSP-316), and their types
// (DSP-303).
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

namespace assay::reference {

enum class TypeKind : std::uint8_t {
  kTensor,
  kScalar,
  kInt,
  kFloat,
  kBool,
  kStr,
  kComplex,
  kSymInt,
  kDevice,
  kGenerator,
  kScalarType,
  kLayout,
  kMemoryFormat,
  kQScheme,
  kStorage,
  kStream,
  kAny,
  kNone,
  kList,      ///< `T[]`
  kOptional,  ///< `T?`
  kDict,      ///< `Dict(K, V)`
  kTuple,     ///< `(T1, T2)`
  kFuture,    ///< `Future(T)`
  kRRef,      ///< `RRef(T)`
  kVariable,  ///< a lower-case type variable
  kOpaque,    ///< a type without a structure of interest: `Capsule`, `Quantizer`, `Await(T)`
};

struct SchemaType {
  TypeKind kind = TypeKind::kTensor;
  std::vector<SchemaType> items;  ///< inner types
  std::string name;               ///< for kVariable and kOpaque

  bool operator==(const SchemaType&) const;
};

SchemaType list_of(SchemaType item);
SchemaType optional_of(SchemaType item);

/// Formats as `Tensor?[]` or `Dict(str, Tensor)`.
std::string to_text(const SchemaType& type);
/// For example `int`; empty for kinds with inner types.
std::string_view word_of(TypeKind kind);

/// Returns whether defaults and boxes treat the type as an int: ScalarType, Layout, MemoryFormat
/// (DSP-304).
bool is_int_like(TypeKind kind);

/// Returns whether an argument of this type contributes keys to a boxed call (DSP-205).
bool is_dispatch_argument(const SchemaType& type);

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
