// Floating-point formats by MPFR: values read from bits, results rounded to bits.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <string>

namespace assay::cuda::on_cpu::ptx::snippets {

/// An owning MPFR number. 2200 bits suffice for sums, products and remainders of quotients of the
/// formats here.
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

/// The exact value of bits of f16, bf16, f32 or f64.
double value_of(std::uint64_t bits, const std::string& type);

bool is_nan_of(std::uint64_t bits, const std::string& type);

/// The NaN that arithmetic produces.
std::uint64_t canonical_nan(const std::string& type);

/// An MPFR operation on operands that are already set. Stores a rounded result and returns the
/// ternary value.
using Operation = std::function<int(mpfr_ptr result, mpfr_rnd_t rounding)>;

/// The operation's result rounded once to the format, including subnormals and infinity.
std::uint64_t rounded_to(const std::string& type, mpfr_rnd_t rounding, const Operation& operation);

/// Rounding modes: rn, rz, rm, rp, and rni and so on.
mpfr_rnd_t rounding_of(const std::string& name);

}  // namespace assay::cuda::on_cpu::ptx::snippets
