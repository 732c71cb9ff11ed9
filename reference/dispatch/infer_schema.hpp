// The schema that a C++ function's type implies (DSP-313).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "reference/core/scalar.hpp"
#include "reference/dispatch/argument_types.hpp"
#include "reference/dispatch/key_set.hpp"
#include "reference/dispatch/schema.hpp"

namespace assay::reference {

/// `type()` of a C++ type; a type without one cannot be a kernel's parameter: float, any integer
/// but int64_t and bool, const char*.
template <typename T>
struct SchemaTypeOf;

template <typename T>
concept HasSchemaType = requires {
  { SchemaTypeOf<std::remove_cvref_t<T>>::type() } -> std::same_as<SchemaType>;
};

template <typename T>
SchemaType schema_type_of() {
  return SchemaTypeOf<std::remove_cvref_t<T>>::type();
}

namespace detail {

template <TypeKind kind>
struct WordType {
  static SchemaType type() { return {kind, {}, {}}; }
};

/// Lists and values of dicts hold no Scalar, and no bool that is packed.
template <typename T>
concept Element = HasSchemaType<T> && !std::same_as<T, Scalar>;

template <typename T>
concept DictKey = std::same_as<T, std::int64_t> || std::same_as<T, double> ||
    std::same_as<T, bool> || std::same_as<T, std::string>;

template <Element T>
struct ListType {
  static SchemaType type() { return list_of(schema_type_of<T>()); }
};

}  // namespace detail

template <>
struct SchemaTypeOf<Tensor> : detail::WordType<TypeKind::kTensor> {};
template <>
struct SchemaTypeOf<std::int64_t> : detail::WordType<TypeKind::kInt> {};
template <>
struct SchemaTypeOf<double> : detail::WordType<TypeKind::kFloat> {};
template <>
struct SchemaTypeOf<bool> : detail::WordType<TypeKind::kBool> {};
template <>
struct SchemaTypeOf<std::string> : detail::WordType<TypeKind::kStr> {};
template <>
struct SchemaTypeOf<std::string_view> : detail::WordType<TypeKind::kStr> {};
template <>
struct SchemaTypeOf<Scalar> : detail::WordType<TypeKind::kScalar> {};
template <>
struct SchemaTypeOf<ScalarType> : detail::WordType<TypeKind::kScalarType> {};
template <>
struct SchemaTypeOf<Layout> : detail::WordType<TypeKind::kLayout> {};
template <>
struct SchemaTypeOf<Device> : detail::WordType<TypeKind::kDevice> {};
template <>
struct SchemaTypeOf<Generator> : detail::WordType<TypeKind::kGenerator> {};

template <HasSchemaType T>
struct SchemaTypeOf<std::optional<T>> {
  static SchemaType type() { return optional_of(schema_type_of<T>()); }
};
template <detail::Element T>
struct SchemaTypeOf<std::span<const T>> : detail::ListType<T> {};
template <detail::Element T>
struct SchemaTypeOf<SharedList<T>> : detail::ListType<T> {};
template <detail::Element T, std::size_t N>
struct SchemaTypeOf<std::array<T, N>> : detail::ListType<T> {};
template <detail::Element T>
requires(!std::same_as<T, bool>) struct SchemaTypeOf<std::vector<T>> : detail::ListType<T> {
};
template <detail::DictKey K, detail::Element V>
struct SchemaTypeOf<std::map<K, V>> {
  static SchemaType type() {
    return {TypeKind::kDict, {schema_type_of<K>(), schema_type_of<V>()}, {}};
  }
};

namespace detail {

template <typename... T>
std::vector<SchemaArgument> numbered() {
  std::vector<SchemaArgument> made;
  (made.push_back({.name = "_" + std::to_string(made.size()), .type = schema_type_of<T>()}), ...);
  return made;
}

template <typename R>
struct Returns {
  static constexpr bool kKnown = HasSchemaType<R>;
  static std::vector<SchemaArgument> make() { return numbered<R>(); }
};
template <>
struct Returns<void> {
  static constexpr bool kKnown = true;
  static std::vector<SchemaArgument> make() { return {}; }
};
template <typename... T>
struct Returns<std::tuple<T...>> {
  static constexpr bool kKnown = (HasSchemaType<T> && ...);
  static std::vector<SchemaArgument> make() { return numbered<T...>(); }
};

template <typename F>
struct Inferred {
  static constexpr bool kKnown = false;
};
template <typename R, typename... A>
struct Inferred<R(A...)> {
  static constexpr bool kKnown = Returns<R>::kKnown && (HasSchemaType<A> && ...);
  static FunctionSchema make() {
    return {.name = {}, .arguments = numbered<A...>(), .returns = Returns<R>::make()};
  }
};
/// A key set in front is the dispatcher's business, not the operator's.
template <typename R, typename... A>
struct Inferred<R(KeySet, A...)> : Inferred<R(A...)> {};

}  // namespace detail

template <typename F>
concept Inferable = detail::Inferred<F>::kKnown;

/// Arguments and returns are `_0`, `_1`, …; nothing has a default, an alias, or is kwarg-only. The
/// name is the caller's to set.
template <Inferable F>
FunctionSchema infer_schema() {
  return detail::Inferred<F>::make();
}

}  // namespace assay::reference
