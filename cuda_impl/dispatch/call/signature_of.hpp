// C++ signatures: their names, and one unique object for each (DSP-409).
#pragma once

#include <string>
#include <tuple>

#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/dispatch/registry/kernel.hpp"

namespace assay::cuda::dispatch {

/// The name of a type as it appears in signatures: `static std::string get()`.
template <typename T>
struct CppName;

namespace detail {
template <typename T>
std::string inside(std::string_view outer) {
  return std::string(outer) + "<" + CppName<T>::get() + ">";
}
}  // namespace detail

template <>
struct CppName<void> {
  static std::string get() { return "void"; }
};
template <>
struct CppName<Tensor> {
  static std::string get() { return "Tensor"; }
};
template <>
struct CppName<std::int64_t> {
  static std::string get() { return "int64_t"; }
};
template <>
struct CppName<double> {
  static std::string get() { return "double"; }
};
template <>
struct CppName<bool> {
  static std::string get() { return "bool"; }
};
template <>
struct CppName<std::string> {
  static std::string get() { return "string"; }
};
template <>
struct CppName<Scalar> {
  static std::string get() { return "Scalar"; }
};
template <>
struct CppName<Device> {
  static std::string get() { return "Device"; }
};
template <>
struct CppName<Dtype> {
  static std::string get() { return "ScalarType"; }
};
template <>
struct CppName<Generator> {
  static std::string get() { return "Generator"; }
};
template <>
struct CppName<TensorList> {
  static std::string get() { return "TensorList"; }
};
template <>
struct CppName<IntList> {
  static std::string get() { return "IntList"; }
};
template <>
struct CppName<FloatList> {
  static std::string get() { return "FloatList"; }
};
template <>
struct CppName<TensorDict> {
  static std::string get() { return "Dict<string,Tensor>"; }
};
template <typename T>
struct CppName<std::vector<T>> {
  static std::string get() { return detail::inside<T>("List"); }
};
template <typename T>
struct CppName<std::optional<T>> {
  static std::string get() { return detail::inside<T>("optional"); }
};
template <typename T, std::size_t kSize>
struct CppName<std::array<T, kSize>> {
  static std::string get() {
    return "array<" + CppName<T>::get() + "," + std::to_string(kSize) + ">";
  }
};
template <typename T>
struct CppName<T&> {
  static std::string get() { return CppName<T>::get() + "&"; }
};
template <typename T>
struct CppName<const T&> {
  static std::string get() { return "const " + CppName<T>::get() + "&"; }
};

namespace detail {

template <typename... Ts>
std::string joined_names() {
  std::string all;
  ((all += (all.empty() ? "" : ",") + CppName<Ts>::get()), ...);
  return all;
}

}  // namespace detail

template <typename... Ts>
struct CppName<std::tuple<Ts...>> {
  static std::string get() { return "tuple<" + detail::joined_names<Ts...>() + ">"; }
};
template <typename R, typename... Args>
struct CppName<R(Args...)> {
  static std::string get() {
    return CppName<R>::get() + "(" + detail::joined_names<Args...>() + ")";
  }
};

namespace detail {
template <typename F>
inline constexpr std::size_t parameters_of = 0;
template <typename R, typename... Args>
inline constexpr std::size_t parameters_of<R(Args...)> = sizeof...(Args);
}  // namespace detail

/// The unique object of a signature.
template <typename F>
inline constexpr Signature signature_of{&CppName<F>::get, &infer_schema<F>,
                                        detail::parameters_of<F>};

}  // namespace assay::cuda::dispatch
