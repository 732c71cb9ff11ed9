// Infers schemas from C++ function types, and compares them with declared ones.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// Maps a C++ type without references to its schema type: `static Type
/// get()`. Types that a kernel cannot take have no specialization and
/// do not compile (DSP-313). Specialize it for custom types.
template <typename T>
struct SchemaType;

namespace detail {
template <TypeKind kKind>
struct PlainType {
  static Type get() { return Type(kKind); }
};
template <typename Element>
struct ListType {
  static_assert(!std::is_same_v<Element, Scalar>, "no kernel takes a list of Scalar");
  static Type get() { return Type::list(SchemaType<Element>::get()); }
};
}  // namespace detail

template <>
struct SchemaType<Tensor> : detail::PlainType<TypeKind::kTensor> {};
template <>
struct SchemaType<Scalar> : detail::PlainType<TypeKind::kScalar> {};
template <>
struct SchemaType<std::int64_t> : detail::PlainType<TypeKind::kInt> {};
template <>
struct SchemaType<double> : detail::PlainType<TypeKind::kFloat> {};
template <>
struct SchemaType<bool> : detail::PlainType<TypeKind::kBool> {};
template <>
struct SchemaType<std::string> : detail::PlainType<TypeKind::kStr> {};
template <>
struct SchemaType<std::string_view> : detail::PlainType<TypeKind::kStr> {};
template <>
struct SchemaType<Device> : detail::PlainType<TypeKind::kDevice> {};
template <>
struct SchemaType<Dtype> : detail::PlainType<TypeKind::kScalarType> {};
template <typename T>
struct SchemaType<std::optional<T>> {
  static Type get() { return Type::optional(SchemaType<T>::get()); }
};
template <typename T>
struct SchemaType<std::vector<T>> : detail::ListType<T> {
  static_assert(!std::is_same_v<T, bool>, "no kernel takes a vector of bool");
};
template <typename T, std::size_t kSize>
struct SchemaType<std::array<T, kSize>> : detail::ListType<T> {};
template <typename T, std::size_t kExtent>
struct SchemaType<std::span<T, kExtent>> : detail::ListType<std::remove_const_t<T>> {};

namespace detail {

template <typename T>
using Bare = std::remove_cv_t<std::remove_reference_t<T>>;

/// The returns of a function: none, one, or the elements of a tuple.
template <typename R>
struct ReturnTypes {
  static std::vector<Type> get() { return {SchemaType<Bare<R>>::get()}; }
};
template <>
struct ReturnTypes<void> {
  static std::vector<Type> get() { return {}; }
};
template <typename... Rs>
struct ReturnTypes<std::tuple<Rs...>> {
  static std::vector<Type> get() { return {SchemaType<Bare<Rs>>::get()...}; }
};

template <typename F>
struct SignatureTypes;
template <typename R, typename... Args>
struct SignatureTypes<R(Args...)> {
  static std::vector<Type> arguments() { return {SchemaType<Bare<Args>>::get()...}; }
  static std::vector<Type> returns() { return ReturnTypes<R>::get(); }
};

}  // namespace detail

/// Names the arguments and returns `_0`, `_1`, … (DSP-313). The schema has no operator name.
Schema schema_of_types(std::vector<Type> arguments, std::vector<Type> returns);

/// Infers the schema of `R(Args...)`, without a leading key set.
template <typename Signature>
Schema infer_schema() {
  using Types = detail::SignatureTypes<Signature>;
  return schema_of_types(Types::arguments(), Types::returns());
}

/// Infers the schema of a signature in text form: `Tensor(const Tensor&,optional<int64_t>)`. Raises
/// `error` if no kernel of the release can have it.
Schema schema_of_signature(std::string_view signature, Release release = kNewestRelease);

/// Describes the first mismatch; empty if the schemas match. Compares only counts and types
/// (DSP-314).
std::optional<std::string> schema_difference(const Schema& declared, const Schema& inferred,
                                             const Contract& contract = {});

/// A schema and its origin, the text of a registration.
struct SchemaAt {
  const Schema& schema;
  std::string where;
};
/// Raises `error` if the kernel's schema does not match (DSP-315).
void require_fit(const OperatorName& op, const SchemaAt& declared, const SchemaAt& inferred,
                 const Contract& contract = {});

/// Raises `schema` for a schema that can be parsed but not defined: one with type variables, unless
/// it is one of PyTorch's (DSP-303).
void require_definable(const Schema& schema, const Contract& contract = {});

}  // namespace assay::cuda::dispatch
