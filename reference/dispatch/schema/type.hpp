// Types as schemas write them (DSP-303).
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
  kVariable,  ///< a lower-case name that stands for any type
  kOpaque,    ///< a name that says all: `Capsule`, `Quantizer`; `Await(T)`
};

struct SchemaType {
  TypeKind kind = TypeKind::kTensor;
  std::vector<SchemaType> items;  ///< what it is made of
  std::string name;               ///< of kVariable and kOpaque

  bool operator==(const SchemaType&) const;
};

SchemaType list_of(SchemaType item);
SchemaType optional_of(SchemaType item);

/// Printed: `Tensor?[]`, `Dict(str, Tensor)`.
std::string to_text(const SchemaType& type);
/// `int`; empty for kinds that need more than a word.
std::string_view word_of(TypeKind kind);

/// Behaves as an int where defaults and boxes are concerned: ScalarType, Layout, MemoryFormat
/// (DSP-304).
bool is_int_like(TypeKind kind);

/// Does an argument of this type bring keys into a boxed call (DSP-205)?
bool is_dispatch_argument(const SchemaType& type);

}  // namespace assay::reference
