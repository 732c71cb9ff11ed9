// Floating-point formats by MPFR: values read from bits, results rounded to bits.
#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"

#include <cmath>
#include <limits>

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

struct Format {
  int precision;  ///< bits of the significand, including the leading one
  int max_exponent;
};

Format format_of(const std::string& type) {
  if (type == "f16") return {11, 15};
  if (type == "bf16") return {8, 127};
  return type == "f32" ? Format{24, 127} : Format{53, 1023};
}

int total_bits(const std::string& type) { return type == "f64" ? 64 : type == "f32" ? 32 : 16; }

/// The bits of a double that is exact in the format.
std::uint64_t bits_of(double value, const std::string& type) {
  const auto format = format_of(type);
  const int fraction_bits = format.precision - 1;
  const auto sign = std::uint64_t{std::signbit(value)} << (total_bits(type) - 1);
  const double magnitude = std::fabs(value);
  const auto infinity = static_cast<std::uint64_t>(2 * format.max_exponent + 1) << fraction_bits;
  if (std::isinf(magnitude)) return sign | infinity;
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - format.max_exponent);
  const auto units = static_cast<std::uint64_t>(std::ldexp(magnitude, fraction_bits - exponent));
  return sign | ((static_cast<std::uint64_t>(exponent + format.max_exponent - 1) << fraction_bits) +
                 units);
}

}  // namespace

double value_of(std::uint64_t bits, const std::string& type) {
  const auto format = format_of(type);
  const int fraction_bits = format.precision - 1;
  const auto fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto field = static_cast<int>(bits >> fraction_bits) & (2 * format.max_exponent + 1);
  const double sign = (bits >> (total_bits(type) - 1) & 1) != 0 ? -1.0 : 1.0;
  if (field == 2 * format.max_exponent + 1) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  const auto units = fraction + (field == 0 ? 0 : std::uint64_t{1} << fraction_bits);
  const int exponent = std::max(field, 1) - format.max_exponent - fraction_bits;
  return sign * std::ldexp(static_cast<double>(units), exponent);
}

bool is_nan_of(std::uint64_t bits, const std::string& type) {
  return std::isnan(value_of(bits, type));
}

std::uint64_t canonical_nan(const std::string& type) {
  if (type == "f64") return 0x7ff8000000000000;
  return type == "f32" ? 0x7fffffff : 0x7fff;
}

std::uint64_t rounded_to(const std::string& type, mpfr_rnd_t rounding, const Operation& operation) {
  const auto format = format_of(type);
  const auto old_min = mpfr_get_emin();
  const auto old_max = mpfr_get_emax();
  Real result(format.precision);
  // MPFR's significands are less than 1; its smallest exponent is that of the smallest subnormal.
  mpfr_set_emin(3 - format.max_exponent - format.precision);
  mpfr_set_emax(format.max_exponent + 1);
  int ternary = operation(result.get(), rounding);
  ternary = mpfr_check_range(result.get(), ternary, rounding);
  mpfr_subnormalize(result.get(), ternary, rounding);
  const double value = mpfr_get_d(result.get(), MPFR_RNDN);
  mpfr_set_emin(old_min);
  mpfr_set_emax(old_max);
  return std::isnan(value) ? canonical_nan(type) : bits_of(value, type);
}

mpfr_rnd_t rounding_of(const std::string& name) {
  switch (name[1]) {
    case 'z':
      return MPFR_RNDZ;
    case 'm':
      return MPFR_RNDD;
    case 'p':
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
