// Arguments and returns of C++ signatures, into boxes and out of them (DSP-607 to DSP-611).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/signature.hpp"

namespace assay::cuda::dispatch {

/// Random numbers of a device; none where it points to nothing.
struct Generator {
  std::shared_ptr<BoxedGenerator> state;
};
using TensorDict = std::vector<std::pair<std::string, Tensor>>;
using TensorList = std::span<const Tensor>;
using IntList = std::span<const std::int64_t>;
using FloatList = std::span<const double>;

template <>
struct SchemaType<Generator> {
  static Type get() { return Type::optional(Type(TypeKind::kGenerator)); }
};
template <>
struct SchemaType<TensorDict> {
  static Type get() {
    return Type(TypeKind::kDict, {Type(TypeKind::kStr), Type(TypeKind::kTensor)});
  }
};

/// Raises `internal`: a box holds what it was made of, and nothing is converted (CORE-16).
[[noreturn]] void refuse_kind(std::string_view wanted, const Boxed& got);
inline void expect_kind(BoxedKind kind, const Boxed& boxed) {
  if (!boxed.is(kind)) [[unlikely]]
    refuse_kind(name_of(kind), boxed);
}

/// Raises `internal` for the number of no dtype.
Dtype dtype_numbered(std::int64_t number, Release release);

/// How a type is boxed. `expect` raises `internal` for a box that holds something else; `take`
/// moves out of one that was looked at, if the type is one that owns (DSP-611).
template <typename T>
struct Boxing;

namespace detail {

template <typename T, BoxedKind kKind, T (Boxed::*kGet)() const>
struct PlainBoxing {
  static Boxed box(T value, Release) { return Boxed(value); }
  static void expect(const Boxed& boxed) { expect_kind(kKind, boxed); }
  static T take(Boxed& boxed, Release) { return (boxed.*kGet)(); }
};

/// Of lists with elements of their own.
template <typename List, typename T>
struct ListBoxing {
  static Boxed box(const List& list, Release release) {
    auto items = std::make_shared<BoxedItems>();
    items->items.reserve(list.size());
    for (const T& item : list) items->items.push_back(Boxing<T>::box(item, release));
    return Boxed(std::move(items));
  }
  static void expect(const Boxed& boxed) {
    expect_kind(BoxedKind::kList, boxed);
    for (const Boxed& item : boxed.list()) Boxing<T>::expect(item);
  }
  /// The elements are copied: others may hold the list.
  static std::vector<T> copy(const Boxed& boxed, Release release) {
    std::vector<T> items;
    items.reserve(boxed.list().size());
    for (Boxed item : boxed.list()) items.push_back(Boxing<T>::take(item, release));
    return items;
  }
};

}  // namespace detail

template <>
struct Boxing<std::int64_t> : detail::PlainBoxing<std::int64_t, BoxedKind::kInt, &Boxed::integer> {
};
template <>
struct Boxing<double> : detail::PlainBoxing<double, BoxedKind::kDouble, &Boxed::real> {};
template <>
struct Boxing<bool> : detail::PlainBoxing<bool, BoxedKind::kBool, &Boxed::boolean> {};
template <>
struct Boxing<Device> : detail::PlainBoxing<Device, BoxedKind::kDevice, &Boxed::device> {};

template <>
struct Boxing<Tensor> {
  static Boxed box(const Tensor& value, Release) { return Boxed(value); }
  static Boxed box(Tensor&& value, Release) { return Boxed(std::move(value)); }
  static void expect(const Boxed& boxed) { expect_kind(BoxedKind::kTensor, boxed); }
  static Tensor take(Boxed& boxed, Release) {
    Boxed taken = std::move(boxed);
    return std::move(taken.tensor());
  }
};

template <>
struct Boxing<std::string> {
  static Boxed box(std::string value, Release) { return Boxed(std::move(value)); }
  static void expect(const Boxed& boxed) { expect_kind(BoxedKind::kString, boxed); }
  static std::string take(Boxed& boxed, Release) {
    const Boxed taken = std::move(boxed);
    return taken.text();
  }
};

template <>
struct Boxing<Scalar> {
  static Boxed box(const Scalar& value, Release) { return Boxed(value); }
  static void expect(const Boxed& boxed) {
    const bool is_number = boxed.is(BoxedKind::kInt) || boxed.is(BoxedKind::kDouble) ||
                           boxed.is(BoxedKind::kBool) || boxed.is(BoxedKind::kComplex);
    if (!is_number) refuse_kind("Scalar", boxed);
  }
  static Scalar take(Boxed& boxed, Release) { return boxed.to_scalar(); }
};

/// By its number (CORE-15).
template <>
struct Boxing<Dtype> {
  static Boxed box(Dtype value, Release release) { return Boxed(number_of(value, release)); }
  static void expect(const Boxed& boxed) { expect_kind(BoxedKind::kInt, boxed); }
  static Dtype take(Boxed& boxed, Release release) {
    return dtype_numbered(boxed.integer(), release);
  }
};

template <>
struct Boxing<Generator> {
  static Boxed box(const Generator& value, Release) {
    return value.state == nullptr ? Boxed() : Boxed(value.state);
  }
  static void expect(const Boxed& boxed) {
    if (!boxed.is_none()) expect_kind(BoxedKind::kGenerator, boxed);
  }
  static Generator take(Boxed& boxed, Release) {
    if (boxed.is_none()) return {};
    const Boxed taken = std::move(boxed);
    return {taken.generator_pointer()};
  }
};

template <>
struct Boxing<TensorDict> {
  static Boxed box(const TensorDict& value, Release);
  static void expect(const Boxed& boxed);
  static TensorDict take(Boxed& boxed, Release);
};

template <typename T>
struct Boxing<std::vector<T>> : detail::ListBoxing<std::vector<T>, T> {
  static std::vector<T> take(Boxed& boxed, Release release) {
    const Boxed taken = std::move(boxed);
    return detail::ListBoxing<std::vector<T>, T>::copy(taken, release);
  }
};

template <typename T>
struct Boxing<std::span<const T>> : detail::ListBoxing<std::span<const T>, T> {};

template <typename T, std::size_t kSize>
struct Boxing<std::array<T, kSize>> : detail::ListBoxing<std::array<T, kSize>, T> {
  using Base = detail::ListBoxing<std::array<T, kSize>, T>;
  static void expect(const Boxed& boxed) {
    Base::expect(boxed);
    require(boxed.list().size() == kSize, ErrorKind::kInternal, [&] {
      return "Expected a list of " + std::to_string(kSize) + " but got one of " +
             std::to_string(boxed.list().size());
    });
  }
  static std::array<T, kSize> take(Boxed& boxed, Release release) {
    std::array<T, kSize> items;
    std::vector<T> copied = Base::copy(boxed, release);
    for (std::size_t i = 0; i < kSize; ++i) items[i] = std::move(copied[i]);
    return items;
  }
};

template <typename T>
struct Boxing<std::optional<T>> {
  static Boxed box(const std::optional<T>& value, Release release) {
    return value ? Boxing<T>::box(*value, release) : Boxed();
  }
  static void expect(const Boxed& boxed) {
    if (!boxed.is_none()) Boxing<T>::expect(boxed);
  }
  static std::optional<T> take(Boxed& boxed, Release release) {
    if (boxed.is_none()) return std::nullopt;
    return Boxing<T>::take(boxed, release);
  }
};

/// An argument of a typed kernel while it runs, read from a stack: what it points to, if it is a
/// reference or a view.
template <typename Argument>
class Unboxed {
 public:
  using Value = std::remove_cvref_t<Argument>;

  Unboxed(Boxed& boxed, Release release) : value_(Boxing<Value>::take(boxed, release)) {}
  Argument get() { return static_cast<Argument>(value_); }

 private:
  Value value_;
};

template <typename T>
requires(!std::is_reference_v<T>) class UnboxedValue {
 public:
  UnboxedValue(Boxed& boxed, Release release) : value_(Boxing<T>::take(boxed, release)) {}
  T get() { return std::move(value_); }

 private:
  T value_;
};
template <>
class Unboxed<Tensor> : public UnboxedValue<Tensor> {
  using UnboxedValue<Tensor>::UnboxedValue;
};
template <>
class Unboxed<std::optional<Tensor>> : public UnboxedValue<std::optional<Tensor>> {
  using UnboxedValue<std::optional<Tensor>>::UnboxedValue;
};

/// In the box itself.
template <>
class Unboxed<const Tensor&> {
 public:
  Unboxed(Boxed& boxed, Release) : tensor_(boxed.tensor()) {}
  const Tensor& get() { return tensor_; }

 private:
  const Tensor& tensor_;
};
template <>
class Unboxed<Tensor&> {
 public:
  Unboxed(Boxed& boxed, Release) : tensor_(boxed.tensor()) {}
  Tensor& get() { return tensor_; }

 private:
  Tensor& tensor_;
};

template <typename T>
class Unboxed<std::span<const T>> {
 public:
  Unboxed(Boxed& boxed, Release release)
      : items_(Boxing<std::span<const T>>::copy(boxed, release)) {}
  std::span<const T> get() { return items_; }

 private:
  std::vector<T> items_;
};
template <typename T>
class Unboxed<std::optional<std::span<const T>>> {
 public:
  Unboxed(Boxed& boxed, Release release) {
    if (!boxed.is_none()) items_ = Boxing<std::span<const T>>::copy(boxed, release);
  }
  std::optional<std::span<const T>> get() {
    if (!items_) return std::nullopt;
    return std::span<const T>(*items_);
  }

 private:
  std::optional<std::vector<T>> items_;
};

}  // namespace assay::cuda::dispatch
