// Rounding to a binary format, done by MPFR: no rounding of ours is involved.
#pragma once

#include <mpfr.h>

#include <cstdint>

namespace assay::digests {

/// A binary interchange format; exponents as MPFR counts them (0.5 <= significand < 1).
struct Format {
  int width;  ///< bits of an element
  mpfr_prec_t precision;
  mpfr_exp_t least;  ///< exponent of the smallest subnormal
  mpfr_exp_t most;   ///< exponent of the largest finite number
  std::uint64_t canonical_nan;
};

inline constexpr Format kFloat16{16, 11, -23, 16, 0x7e00};
inline constexpr Format kBfloat16{16, 8, -132, 128, 0x7fc0};
inline constexpr Format kFloat32{32, 24, -148, 128, 0x7fc00000};
inline constexpr Format kFloat64{64, 53, -1073, 1024, 0x7ff8000000000000};

/// An MPFR number with 64 bits, enough for every product of two float32.
class Number {
 public:
  Number() { mpfr_init2(value_, 64); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  /// The exact value of these bits.
  void decode(const Format& format, std::uint64_t bits);
  /// Rounds to nearest even, with the format's subnormals and overflow.
  void round_to(const Format& format);
  /// Bits in `format`, which holds the number exactly; NaNs canonical.
  std::uint64_t encode(const Format& format) const;
  /// Exact: 24 by 24 bits fit.
  void multiply_by(const Number& other);

 private:
  mpfr_t value_;
};

}  // namespace assay::digests
