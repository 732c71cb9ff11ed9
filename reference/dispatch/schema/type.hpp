// The types in schemas (DSP-303).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace assay::reference
