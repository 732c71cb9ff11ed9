// A boxed value: holds one of twelve kinds and can be read as that kind only (CORE-15, CORE-16).
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

class Boxed;

struct BoxedGenerator {
  Device device;
  std::uint64_t seed = 0;
};
struct BoxedItems {
  std::vector<Boxed> items;
};
/// A separate type, because a tuple is not a list.
struct BoxedTuple {
  std::vector<Boxed> items;
};
struct BoxedDict {
  std::vector<std::pair<Boxed, Boxed>> items;
};

enum class BoxedKind : std::uint8_t {
  kNone,
  kDouble,
  kComplex,
  kInt,
  kBool,
  kDevice,
  // The kinds below are reference-counted.
  kTensor,
  kString,
  kList,
  kDict,
  kTuple,
  kGenerator,
};

/// Returns PyTorch's name of a kind: `None`, `Tensor`, …
std::string_view name_of(BoxedKind kind);

/// Copies share tensors, strings and the items of containers. A moved-from value is None. Numbers
/// and tensors need no heap allocation.
class Boxed {
 public:
  Boxed() : plain_() {}
  explicit Boxed(double value) : kind_(BoxedKind::kDouble), plain_() { double_ = value; }
  explicit Boxed(std::complex<double> value) : kind_(BoxedKind::kComplex), plain_() {
    complex_ = value;
  }
  explicit Boxed(std::int64_t value) : kind_(BoxedKind::kInt), plain_() { int_ = value; }
  explicit Boxed(bool value) : kind_(BoxedKind::kBool), plain_() { bool_ = value; }
  explicit Boxed(Device value) : kind_(BoxedKind::kDevice), plain_() { device_ = value; }
  explicit Boxed(const Tensor& value) : kind_(BoxedKind::kTensor), tensor_(value) {}
  explicit Boxed(Tensor&& value) noexcept : kind_(BoxedKind::kTensor), tensor_(std::move(value)) {}
  explicit Boxed(std::string value);
  explicit Boxed(const Scalar& scalar);
  explicit Boxed(std::shared_ptr<BoxedItems> value) : Boxed(BoxedKind::kList, std::move(value)) {}
  explicit Boxed(std::shared_ptr<BoxedDict> value) : Boxed(BoxedKind::kDict, std::move(value)) {}
  explicit Boxed(std::shared_ptr<BoxedTuple> value) : Boxed(BoxedKind::kTuple, std::move(value)) {}
  explicit Boxed(std::shared_ptr<BoxedGenerator> value)
      : Boxed(BoxedKind::kGenerator, std::move(value)) {}

  Boxed(const Boxed& other) : plain_() { copy_from(other); }
  Boxed(Boxed&& other) noexcept { take_from(other); }
  Boxed& operator=(const Boxed& other) {
    Boxed copy(other);
    return *this = std::move(copy);
  }
  Boxed& operator=(Boxed&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take_from(other);
    return *this;
  }
  ~Boxed() { clear(); }

  BoxedKind kind() const { return kind_; }
  bool is(BoxedKind kind) const { return kind_ == kind; }
  bool is_none() const { return kind_ == BoxedKind::kNone; }
  bool is_tensor() const { return kind_ == BoxedKind::kTensor; }

  /// Unchecked accessors: the value must be of the matching kind.
  Tensor& tensor() { return tensor_; }
  const Tensor& tensor() const { return tensor_; }
  double real() const { return double_; }
  std::complex<double> complex() const { return complex_; }
  std::int64_t integer() const { return int_; }
  bool boolean() const { return bool_; }
  Device device() const { return device_; }
  const std::string& text() const { return *static_cast<const std::string*>(held_.get()); }
  std::vector<Boxed>& list() const { return static_cast<BoxedItems*>(held_.get())->items; }
  std::vector<Boxed>& tuple() const { return static_cast<BoxedTuple*>(held_.get())->items; }
  std::vector<std::pair<Boxed, Boxed>>& dict() const {
    return static_cast<BoxedDict*>(held_.get())->items;
  }
  const BoxedGenerator& generator() const { return *static_cast<BoxedGenerator*>(held_.get()); }
  std::shared_ptr<BoxedGenerator> generator_pointer() const {
    return std::static_pointer_cast<BoxedGenerator>(held_);
  }
  std::shared_ptr<BoxedItems> list_pointer() const {
    return std::static_pointer_cast<BoxedItems>(held_);
  }

  /// Raises on a kind mismatch: `error` if `kind` is Tensor, otherwise `internal`.
  void expect(std::string_view kind) const;
  /// Raises `error` if the value is not a number.
  Scalar to_scalar() const;
  /// Appends to the list, which all copies share. Raises `internal` if the value is not a list.
  void push(Boxed item) const;

 private:
  Boxed(BoxedKind kind, std::shared_ptr<void> held) : kind_(kind), held_(std::move(held)) {}

  bool is_counted() const { return kind_ >= BoxedKind::kTensor; }
  void copy_from(const Boxed& other) {
    if (other.is_tensor()) {
      ::new (&tensor_) Tensor(other.tensor_);
    } else if (other.is_counted()) {
      ::new (&held_) std::shared_ptr<void>(other.held_);
    } else {
      std::memcpy(static_cast<void*>(&plain_), static_cast<const void*>(&other.plain_),
                  sizeof plain_);
    }
    kind_ = other.kind_;
  }
  /// Relocates a counted value bitwise, which is valid since owners do not know their address.
  void take_from(Boxed& other) noexcept {
    std::memcpy(static_cast<void*>(&plain_), static_cast<const void*>(&other.plain_),
                sizeof plain_);
    kind_ = std::exchange(other.kind_, BoxedKind::kNone);
  }
  void clear() {
    if (is_tensor()) {
      tensor_.~Tensor();
    } else if (is_counted()) {
      held_.~shared_ptr();
    }
    kind_ = BoxedKind::kNone;
  }

  BoxedKind kind_ = BoxedKind::kNone;
  union {
    std::array<std::uint64_t, 2> plain_;  ///< the bits of a value that is not counted
    double double_;
    std::complex<double> complex_;
    std::int64_t int_;
    bool bool_;
    Device device_;
    Tensor tensor_;
    std::shared_ptr<void> held_;
  };
};

static_assert(sizeof(Tensor) == 8 && sizeof(std::shared_ptr<void>) == 16);

}  // namespace assay::cuda
