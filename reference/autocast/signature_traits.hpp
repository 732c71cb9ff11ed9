// Traits of function types, and wrappers that convert each argument before a call (CAST-301,
// CAST-302, CAST-309); cached_cast for the arguments of a typed call, with overloads by argument
// type.
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/autocast/casts.hpp"

namespace assay::reference {

/// Defined for plain function types only; other types do not compile.
template <typename Function>
struct SignatureTraits;

template <typename R, typename... Parameters>
struct SignatureTraits<R(Parameters...)> {
  using Return = R;
  using ParameterTypes = std::tuple<Parameters...>;  ///< including references
  static constexpr std::size_t kArity = sizeof...(Parameters);
};

namespace detail {

template <typename T>
struct PlainFunction;
template <typename R, typename... Parameters>
struct PlainFunction<R(Parameters...)> {
  using Type = R(Parameters...);
};
template <typename R, typename... Parameters>
struct PlainFunction<R (*)(Parameters...)> {
  using Type = R(Parameters...);
};
template <typename Functor, typename R, typename... Parameters>
struct PlainFunction<R (Functor::*)(Parameters...)> {
  using Type = R(Parameters...);
};
template <typename Functor, typename R, typename... Parameters>
struct PlainFunction<R (Functor::*)(Parameters...) const> {
  using Type = R(Parameters...);
};

template <typename T>
auto plain_function_of() {
  if constexpr (requires { &T::operator(); }) {
    return PlainFunction<decltype(&T::operator())>{};
  } else {
    return PlainFunction<T>{};
  }
}

}  // namespace detail

/// Also accepts function pointers and functors.
template <typename T>
using InferredSignature =
    SignatureTraits<typename decltype(detail::plain_function_of<std::remove_cvref_t<T>>())::Type>;

/// `call` has the parameters of the registered signature, maps each argument exactly once, and
/// calls F, which is a template argument. A wrong number of arguments does not compile.
template <typename Registered, typename Redispatched, Redispatched* F,
          typename = typename SignatureTraits<Registered>::ParameterTypes>
struct MappedFunction;

template <typename Registered, typename Redispatched, Redispatched* F, typename... Parameters>
struct MappedFunction<Registered, Redispatched, F, std::tuple<Parameters...>> {
  using Return = typename SignatureTraits<Registered>::Return;
  static_assert(sizeof...(Parameters) <= SignatureTraits<Redispatched>::kArity);

  /// `added`: the additional arguments of the redispatched signature (CAST-406).
  template <typename Map, typename... Added>
  static Return call(const Map& map, Parameters... arguments,
                     Added... added) requires(sizeof...(Parameters) + sizeof...(Added) ==
                                              SignatureTraits<Redispatched>::kArity) {
    return (*F)(map(std::forward<Parameters>(arguments))..., std::move(added)...);
  }
};

// cached_cast.

/// CAST-204 to CAST-207.
struct TypedCast {
  Runtime& runtime;
  ScalarType to;
  CastDevice device;

  Tensor operator()(const Tensor& tensor) const { return cached_cast(runtime, to, tensor, device); }
  std::optional<Tensor> operator()(const std::optional<Tensor>& tensor) const {
    if (!tensor) return std::nullopt;
    return (*this)(*tensor);
  }
  std::vector<Tensor> operator()(const std::vector<Tensor>& tensors) const {
    std::vector<Tensor> mapped;
    for (const Tensor& tensor : tensors) mapped.push_back((*this)(tensor));
    return mapped;
  }
  template <typename Anything>
  Anything operator()(Anything value) const {
    return value;
  }
};

}  // namespace assay::reference
