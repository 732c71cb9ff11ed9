// A boxed value of any kind, for passing operator arguments without static types (CORE-15,
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

/// Copies share the content; a moved-from value is None.
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
  /// In the order of the names that `kind()` returns.
  using Payload = std::variant<std::monostate, Tensor, double, std::complex<double>, std::int64_t,
                               bool, std::string, ListPtr, DictPtr, TuplePtr, Device, GeneratorPtr>;

  IValue() = default;
  /// An undefined tensor is boxed as Tensor, not as None.
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
  /// Takes the kind of the scalar's stored value.
  explicit IValue(const Scalar& value);
  /// Boxed as the dtype's number.
  IValue(ScalarType value, Release release);

  IValue(const IValue&) = default;
  IValue& operator=(const IValue&) = default;
  IValue(IValue&& other) noexcept { swap_out(other); }
  IValue& operator=(IValue&& other) noexcept {
    if (this != &other) swap_out(other);
    return *this;
  }
  ~IValue() = default;

  /// Returns `None`, `Tensor`, `Double`, `ComplexDouble`, `Int`, `Bool`, `String`, `List`, `Dict`,
  /// `Tuple`, `Device` or `Generator`.
  std::string_view kind() const;
  const Payload& payload() const { return payload_; }

  /// These never convert: another kind raises `internal`, and None read as a tensor raises `error`
  /// (CORE-16).
  Tensor to_tensor() const;
  double to_double() const;
  std::int64_t to_int() const;
  /// Raises `internal` if the value is of another kind.
  void expect_kind(std::string_view wanted) const;
  /// Accepts Int, Double, Bool and ComplexDouble.
  Scalar to_scalar() const;

  /// Appends to the list, which is shared by all copies. Raises `internal` for another kind.
  void push(IValue value) const;

 private:
  void swap_out(IValue& other) noexcept;

  Payload payload_;
};

}  // namespace assay::reference
