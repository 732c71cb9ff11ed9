// Floating-point operations with rounding modes other than to nearest.
#pragma once

#include <cfenv>

#include "cuda_impl/on_cpu/ptx/values.hpp"

namespace assay::cuda::on_cpu::ptx::detail {

/// Hides a value from the optimizer, so that its computation and its uses cannot move across this
/// point.
template <class T>
T opaque(T value) {
  if constexpr (Float<T>) {
    asm volatile("" : "+x"(value) : : "memory");
  } else {
    asm volatile("" : "+r"(value) : : "memory");
  }
  return value;
}

template <Rounding kRounding>
constexpr int rounding_mode() {
  if constexpr (kRounding == Rounding::rz) return FE_TOWARDZERO;
  if constexpr (kRounding == Rounding::rm) return FE_DOWNWARD;
  if constexpr (kRounding == Rounding::rp) return FE_UPWARD;
  if constexpr (kRounding == Rounding::rn) return FE_TONEAREST;
}

/// operation(operands...) in this rounding mode. Restores rounding to nearest afterwards.
template <Rounding kRounding, class Operation, class... Operands>
auto rounded(Operation operation, Operands... operands) {
  if constexpr (kRounding == Rounding::rn) {
    return operation(operands...);
  } else {
    std::fesetround(rounding_mode<kRounding>());
    const auto result = opaque(operation(opaque(operands)...));
    std::fesetround(FE_TONEAREST);
    return result;
  }
}

}  // namespace assay::cuda::on_cpu::ptx::detail
