// Boxing and unboxing of C++ arguments and returns (DSP-607 to DSP-611).
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

/// A random number generator of a device; `state` may be null.
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

/// Raises `internal`: a boxed value is never converted to another kind (CORE-16).
[[noreturn]] void refuse_kind(std::string_view wanted, const Boxed& got);
inline void expect_kind(BoxedKind kind, const Boxed& boxed) {
  if (!boxed.is(kind)) [[unlikely]]
    refuse_kind(name_of(kind), boxed);
}

/// Raises `internal` if no dtype has this number.
Dtype dtype_numbered(std::int64_t number, Release release);

/// Boxing of one type. `expect` raises `internal` if the box holds another kind; `take` moves the
/// value out of a box that was checked, if the type is an owning one (DSP-611).
template <typename T>
struct Boxing;

namespace detail {

template <typename T, BoxedKind kKind, T (Boxed::*kGet)() const>
struct PlainBoxing {
  static Boxed box(T value, Release) { return Boxed(value); }
  static void expect(const Boxed& boxed) { expect_kind(kKind, boxed); }
  static T take(Boxed& boxed, Release) { return (boxed.*kGet)(); }
};

/// Boxing of lists, whose elements are boxed one by one.
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
  /// Copies the elements, because the list may be shared.
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

/// Boxed as its number (CORE-15).
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
  static void expect(const Boxed& boxed) { expect_kind(BoxedKind::kGenerator, boxed); }
  static Generator take(Boxed& boxed, Release) {
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

/// One argument of a typed kernel, unboxed from a stack for the call. If the parameter is a
/// reference or a view, this object holds the value that it refers to.
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

/// Refers to the tensor in the box.
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
