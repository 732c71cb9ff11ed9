// A value of any kind in one box, as operators' arguments are passed without types (CORE-15,
// CORE-16).
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/device.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

class IValue;

struct GeneratorState {
  Device device;
  std::uint64_t seed = 0;
};

/// A copy shares what it holds; a moved-from box is None.
class IValue {
 public:
  using List = std::vector<IValue>;
  using Dict = std::vector<std::pair<IValue, IValue>>;
  struct Tuple {
    List items;
  };
  using ListPtr = std::shared_ptr<List>;
  using DictPtr = std::shared_ptr<Dict>;
  using TuplePtr = std::shared_ptr<Tuple>;
  using GeneratorPtr = std::shared_ptr<GeneratorState>;
  /// In the order of `kind()`'s names.
  using Payload = std::variant<std::monostate, Tensor, double, std::complex<double>, std::int64_t,
                               bool, std::string, ListPtr, DictPtr, TuplePtr, Device, GeneratorPtr>;

  IValue() = default;
  /// An undefined tensor is a Tensor, not None.
  explicit IValue(Tensor value) : payload_(std::move(value)) {}
  explicit IValue(double value) : payload_(value) {}
  explicit IValue(std::complex<double> value) : payload_(value) {}
  explicit IValue(std::int64_t value) : payload_(value) {}
  explicit IValue(bool value) : payload_(value) {}
  explicit IValue(std::string value) : payload_(std::move(value)) {}
  explicit IValue(ListPtr value) : payload_(std::move(value)) {}
  explicit IValue(DictPtr value) : payload_(std::move(value)) {}
  explicit IValue(TuplePtr value) : payload_(std::move(value)) {}
  explicit IValue(Device value) : payload_(value) {}
  explicit IValue(GeneratorPtr value) : payload_(std::move(value)) {}
  /// The kind of its storage.
  explicit IValue(const Scalar& value);
  /// A dtype is its number.
  IValue(ScalarType value, Release release);

  IValue(const IValue&) = default;
  IValue& operator=(const IValue&) = default;
  IValue(IValue&& other) noexcept { swap_out(other); }
  IValue& operator=(IValue&& other) noexcept {
    if (this != &other) swap_out(other);
    return *this;
  }
  ~IValue() = default;

  /// `None`, `Tensor`, `Double`, `ComplexDouble`, `Int`, `Bool`, `String`, `List`, `Dict`, `Tuple`,
  /// `Device`, `Generator`
  std::string_view kind() const;
  const Payload& payload() const { return payload_; }

  /// None of these converts: another kind raises `internal`, and None for a tensor `error`
  /// (CORE-16).
  Tensor to_tensor() const;
  double to_double() const;
  std::int64_t to_int() const;
  /// Raises `internal` unless the box is of that kind.
  void expect_kind(std::string_view wanted) const;
  /// Of an Int, Double, Bool or ComplexDouble.
  Scalar to_scalar() const;

  /// Adds to the list that all copies share. Raises `internal` for another kind.
  void push(IValue value) const;

 private:
  void swap_out(IValue& other) noexcept;

  Payload payload_;
};

}  // namespace assay::reference
