// Default values in schemas.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda::dispatch {

/// None, a number, a string, a device or a list of them. Dtypes and layouts are ints (DSP-304).
class Constant {
 public:
  using List = std::vector<Constant>;
  using Payload = std::variant<std::monostate, bool, std::int64_t, double, std::complex<double>,
                               std::string, Device, List>;

  Constant() = default;
  explicit Constant(Payload payload) : payload_(std::move(payload)) {}

  const Payload& payload() const { return payload_; }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(payload_);
  }
  /// Returns null if it holds another type.
  template <typename T>
  const T* get_if() const {
    return std::get_if<T>(&payload_);
  }
  bool is_none() const { return is<std::monostate>(); }

  /// Compares floats by value: NaN is unequal to itself, and 0 equals -0.
  bool operator==(const Constant&) const = default;

 private:
  Payload payload_;
};

}  // namespace assay::cuda::dispatch
