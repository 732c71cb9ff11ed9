// Passes boxed values to C++ parameters, and boxes parameters.
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/Generator.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/Optional.h>

#include <array>
#include <exception>
#include <string>
#include <vector>

#include "harness/subject/arguments.hpp"

namespace assay::libtorch {

/// Throws InvalidArgument unless they are equal: such a call would not compile.
void expect_count(std::size_t parameters, std::size_t values);
[[noreturn]] void refuse_argument(std::size_t number, const char* why);

// Converts a value to T, for parameters by value.
inline void unbox(const c10::IValue& value, at::Tensor& to) {
  to = value.isNone() ? at::Tensor() : value.toTensor();
}
inline void unbox(const c10::IValue& value, std::int64_t& to) { to = value.toInt(); }
inline void unbox(const c10::IValue& value, double& to) {
  to = value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble();
}
inline void unbox(const c10::IValue& value, bool& to) { to = value.toBool(); }
inline void unbox(const c10::IValue& value, std::string& to) { to = value.toStringRef(); }
inline void unbox(const c10::IValue& value, at::Scalar& to) { to = value.toScalar(); }
inline void unbox(const c10::IValue& value, c10::Device& to) { to = value.toDevice(); }
inline void unbox(const c10::IValue& value, at::ScalarType& to) { to = value.toScalarType(); }
inline void unbox(const c10::IValue& value, at::Generator& to) { to = value.toGenerator(); }

template <typename T>
void unbox(const c10::IValue& value, std::vector<T>& to);

template <typename T>
void unbox(const c10::IValue& value, c10::optional<T>& to) {
  if (value.isNone()) return;
  to.emplace(T{});
  unbox(value, *to);
}

template <typename T>
void unbox(const c10::IValue& value, std::vector<T>& to) {
  for (const c10::IValue& item : value.toListRef()) {
    T one{};
    unbox(item, one);
    to.push_back(std::move(one));
  }
}

template <typename T>
void unbox(const c10::IValue& value, c10::List<T>& to) {
  for (const c10::IValue& item : value.toListRef()) {
    T one{};
    unbox(item, one);
    to.push_back(std::move(one));
  }
}

template <std::size_t N>
void unbox(const c10::IValue& value, std::array<at::Tensor, N>& to) {
  const auto items = value.toListRef();
  expect_count(N, items.size());
  for (std::size_t i = 0; i < N; ++i) unbox(items[i], to[i]);
}

inline void unbox(const c10::IValue& value, c10::Dict<std::string, at::Tensor>& to) {
  for (const auto& entry : value.toGenericDict()) {
    to.insert(entry.key().toStringRef(), entry.value().toTensor());
  }
}

/// Holds the value of a parameter during a call.
template <typename T>
struct Holder {
  T value{};
  T& get() { return value; }
};
template <>
struct Holder<c10::Device> {
  c10::Device value{c10::kCPU};
  c10::Device& get() { return value; }
};
template <typename T>
struct Holder<c10::ArrayRef<T>> {
  std::vector<T> value;
  c10::ArrayRef<T> get() { return value; }
};
template <typename T>
struct Holder<c10::optional<c10::ArrayRef<T>>> {
  c10::optional<std::vector<T>> value;
  c10::optional<c10::ArrayRef<T>> get() {
    if (!value) return c10::nullopt;
    return c10::ArrayRef<T>(*value);
  }
};

template <typename Parameter>
using Passed = Holder<std::decay_t<Parameter>>;

template <typename Parameter>
Passed<Parameter> passed(const c10::IValue& value, std::size_t number) {
  Passed<Parameter> held;
  try {
    unbox(value, held.value);
  } catch (const InvalidArgument&) {
    throw;
  } catch (const std::exception& misfit) {
    refuse_argument(number, misfit.what());
  }
  return held;
}

inline c10::IValue boxed_argument(const at::Generator& argument) {
  return argument.defined() ? c10::IValue(argument) : c10::IValue();
}
/// A parameter in the form passed to the client's kernel.
template <typename T>
c10::IValue boxed_argument(const T& argument) {
  return c10::IValue(argument);
}
template <typename T>
c10::IValue boxed_argument(const c10::optional<T>& argument) {
  return argument ? boxed_argument(*argument) : c10::IValue();
}
template <std::size_t N>
c10::IValue boxed_argument(const std::array<at::Tensor, N>& argument) {
  return boxed_argument(std::vector<at::Tensor>(argument.begin(), argument.end()));
}

}  // namespace assay::libtorch
