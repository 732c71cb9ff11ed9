// A boxed value: one of twelve kinds, taken out as what it was put in as (CORE-15, CORE-16).
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_impl/core/device.hpp"
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
/// A type of its own, because a tuple is no list.
struct BoxedTuple {
  std::vector<Boxed> items;
};
struct BoxedDict {
  std::vector<std::pair<Boxed, Boxed>> items;
};

/// A copy shares tensors and what containers hold. None after a move.
class Boxed {
 public:
  using Payload =
      std::variant<std::monostate, Tensor, double, std::complex<double>, std::int64_t, bool,
                   std::string, std::shared_ptr<BoxedItems>, std::shared_ptr<BoxedDict>,
                   std::shared_ptr<BoxedTuple>, Device, std::shared_ptr<BoxedGenerator>>;

  Boxed() = default;
  explicit Boxed(Payload payload) : payload_(std::move(payload)) {}
  explicit Boxed(const Scalar& scalar);
  Boxed(const Boxed&) = default;
  Boxed& operator=(const Boxed&) = default;
  Boxed(Boxed&& other) noexcept : payload_(std::exchange(other.payload_, {})) {}
  Boxed& operator=(Boxed&& other) noexcept {
    payload_ = std::exchange(other.payload_, {});
    return *this;
  }
  ~Boxed() = default;

  const Payload& payload() const { return payload_; }
  /// `None`, `Tensor`, …
  std::string_view kind() const;
  /// Raises `error` for what is no tensor, `internal` for every other kind that it is not.
  void expect(std::string_view kind) const;
  /// Raises `error` for what is no number.
  Scalar to_scalar() const;
  /// To the list that all copies share. Raises `internal` for what is no list.
  void push(Boxed item) const;

 private:
  Payload payload_;
};

}  // namespace assay::cuda
