// The types of arguments and returns in schemas.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::cuda::dispatch {

/// DSP-303
enum class TypeKind : std::uint8_t {
  kTensor,
  kScalar,
  kInt,
  kFloat,
  kBool,
  kStr,
  kComplex,
  kSymInt,
  kSymBool,
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
  kQuantizer,
  kCapsule,
  kAnyClass,
  kAnyEnum,
  kVariable,  ///< a type variable: an unknown lower-case word; only with PyTorch's deviations
  // The kinds below have inner types.
  kOptional,
  kList,
  kTuple,
  kDict,  ///< key, value
  kFuture,
  kRRef,
  kAwait,
};

class Type {
 public:
  explicit Type(TypeKind kind = TypeKind::kTensor, std::vector<Type> inner = {})
      : kind_(kind), inner_(std::move(inner)) {}
  static Type variable(std::string name);
  /// An optional of an optional is that optional itself.
  static Type optional(Type inner);
  static Type list(Type element) { return Type(TypeKind::kList, {std::move(element)}); }

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  bool is_optional() const { return kind_ == TypeKind::kOptional; }
  bool is_list() const { return kind_ == TypeKind::kList; }
  const std::vector<Type>& inner() const { return inner_; }
  /// The inner type of a list or an optional.
  const Type& element() const { return inner_.front(); }
  /// The inner type of an optional; any other type itself.
  const Type& without_optional() const { return is_optional() ? element() : *this; }
  /// Whether it is a type variable or contains one.
  bool has_variable() const;
  /// Returns `int[]?`, `Dict(str, Tensor)`.
  std::string text() const;

  bool operator==(const Type&) const = default;

 private:
  TypeKind kind_;
  std::vector<Type> inner_;
  std::string variable_;
};

}  // namespace assay::cuda::dispatch
