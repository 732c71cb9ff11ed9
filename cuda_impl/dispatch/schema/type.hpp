// Types of arguments and returns, as schemas name them.
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
  kVariable,  ///< a lower-case word that is no type; only where PyTorch's deviations hold
  // With types inside, from here on.
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
  /// An optional of an optional is the optional.
  static Type optional(Type inner);
  static Type list(Type element) { return Type(TypeKind::kList, {std::move(element)}); }

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  bool is_optional() const { return kind_ == TypeKind::kOptional; }
  bool is_list() const { return kind_ == TypeKind::kList; }
  const std::vector<Type>& inner() const { return inner_; }
  /// Of a list or an optional: what it holds.
  const Type& element() const { return inner_.front(); }
  /// What an optional holds; any other type is its own.
  const Type& without_optional() const { return is_optional() ? element() : *this; }
  /// Is it a variable, or has one inside?
  bool has_variable() const;
  /// `int[]?`, `Dict(str, Tensor)`
  std::string text() const;

  bool operator==(const Type&) const = default;

 private:
  TypeKind kind_;
  std::vector<Type> inner_;
  std::string variable_;
};

}  // namespace assay::cuda::dispatch
