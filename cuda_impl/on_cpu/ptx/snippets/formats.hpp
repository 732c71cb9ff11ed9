// Floating-point formats by MPFR: values read from bits, results rounded to bits.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <string>

namespace assay::cuda::on_cpu::ptx::snippets {

/// A number of MPFR that cleans up after itself. 2200 bits hold any sum, product and quotient's
/// remainder exactly enough of the formats here that are computed with it.
class Real {
 public:
  explicit Real(mpfr_prec_t precision = 2300) { mpfr_init2(value_, precision); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

/// The double that bits of f16, bf16, f32 or f64 stand for; exact.
double value_of(std::uint64_t bits, const std::string& type);

bool is_nan_of(std::uint64_t bits, const std::string& type);

/// The NaN that arithmetic gives.
std::uint64_t canonical_nan(const std::string& type);

/// An operation of MPFR on operands already set, that stores a rounded result and returns its
/// ternary value.
using Operation = std::function<int(mpfr_ptr result, mpfr_rnd_t rounding)>;

/// The operation's result rounded once to the format, with its subnormals and its infinity.
std::uint64_t rounded_to(const std::string& type, mpfr_rnd_t rounding, const Operation& operation);

/// rn, rz, rm and rp; rni and so on too.
mpfr_rnd_t rounding_of(const std::string& name);

}  // namespace assay::cuda::on_cpu::ptx::snippets
