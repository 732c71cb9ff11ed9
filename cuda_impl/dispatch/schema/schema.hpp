// The schema of an operator: names, types, defaults and aliasing of arguments and returns.
#pragma once

#include <complex>
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
#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda::dispatch {

/// None, a number, a string, a device or a list of them. Dtypes and layouts are ints (DSP-304).
class Constant {
 public:
  using List = std::vector<Constant>;
  using Payload = std::variant<std::monostate, bool, std::int64_t, double, std::complex<double>,
                               std::string, Device, List>;

  Constant() = default;
  explicit Constant(Payload payload) : payload_(std::move(payload)) {}

  const Payload& payload() const { return payload_; }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(payload_);
  }
  /// Returns null if it holds another type.
  template <typename T>
  const T* get_if() const {
    return std::get_if<T>(&payload_);
  }
  bool is_none() const { return is<std::monostate>(); }

  /// Compares floats by value: NaN is unequal to itself, and 0 equals -0.
  bool operator==(const Constant&) const = default;

 private:
  Payload payload_;
};

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
