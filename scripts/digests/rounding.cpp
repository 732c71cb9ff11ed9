// Formats in terms of MPFR's precision, exponent range and subnormalisation.
#include "scripts/digests/rounding.hpp"

#include <stdexcept>

namespace assay::digests {
namespace {

std::uint64_t infinity_bits(const Format& format) {
  const int fraction = static_cast<int>(format.precision) - 1;
  return ((1ull << (format.width - 1 - fraction)) - 1) << fraction;
}

}  // namespace

void Number::decode(const Format& format, std::uint64_t bits) {
  const int fraction_bits = static_cast<int>(format.precision) - 1;
  const std::uint64_t sign = bits >> (format.width - 1) & 1;
  const std::uint64_t magnitude = bits & ((1ull << (format.width - 1)) - 1);
  if (magnitude > infinity_bits(format)) {
    mpfr_set_nan(value_);
    return;
  }
  if (magnitude == infinity_bits(format)) {
    mpfr_set_inf(value_, 1);
  } else {
    const std::uint64_t exponent = magnitude >> fraction_bits;
    const std::uint64_t fraction = magnitude & ((1ull << fraction_bits) - 1);
    const std::uint64_t hidden = exponent == 0 ? 0 : 1ull << fraction_bits;
    const auto shift = static_cast<mpfr_exp_t>(exponent == 0 ? 0 : exponent - 1);
    mpfr_set_ui_2exp(value_, fraction | hidden, format.least - 1 + shift, MPFR_RNDN);
  }
  mpfr_setsign(value_, value_, sign != 0, MPFR_RNDN);
}

void Number::round_to(const Format& format) {
  const mpfr_exp_t widest_least = mpfr_get_emin();
  const mpfr_exp_t widest_most = mpfr_get_emax();
  int direction = mpfr_prec_round(value_, format.precision, MPFR_RNDN);
  mpfr_set_emin(format.least);
  mpfr_set_emax(format.most);
  direction = mpfr_check_range(value_, direction, MPFR_RNDN);
  mpfr_subnormalize(value_, direction, MPFR_RNDN);
  mpfr_set_emin(widest_least);
  mpfr_set_emax(widest_most);
  mpfr_prec_round(value_, 64, MPFR_RNDN);  // wider: exact
}

std::uint64_t Number::encode(const Format& format) const {
  if (mpfr_nan_p(value_)) return format.canonical_nan;
  const std::uint64_t sign = static_cast<std::uint64_t>(mpfr_signbit(value_) != 0)
                             << (format.width - 1);
  if (mpfr_inf_p(value_)) return sign | infinity_bits(format);
  if (mpfr_zero_p(value_)) return sign;

  const auto precision = static_cast<mpfr_exp_t>(format.precision);
  const mpfr_exp_t first_normal = format.least + precision - 1;
  const mpfr_exp_t exponent = mpfr_get_exp(value_);
  const mpfr_exp_t scale = exponent < first_normal ? first_normal : exponent;

  mpfr_t units;
  mp_limb_t limb[1];
  mpfr_custom_init(limb, 64);
  mpfr_custom_init_set(units, MPFR_ZERO_KIND, 0, 64, limb);
  const int inexact = mpfr_mul_2si(units, value_, precision - scale, MPFR_RNDN);
  if (inexact != 0 || !mpfr_integer_p(units)) throw std::logic_error("the format cannot hold it");
  mpfr_abs(units, units, MPFR_RNDN);
  const std::uint64_t significand = mpfr_get_ui(units, MPFR_RNDN);
  // A subnormal has biased exponent 0 and no hidden bit; a normal's hidden bit adds 1 to the rest.
  const auto rest = static_cast<std::uint64_t>(scale - first_normal);
  return sign | ((rest << (precision - 1)) + significand);
}

void Number::multiply_by(const Number& other) {
  if (mpfr_mul(value_, value_, other.value_, MPFR_RNDN) != 0 && mpfr_regular_p(value_)) {
    throw std::logic_error("a product that should be exact was rounded");
  }
}

}  // namespace assay::digests
