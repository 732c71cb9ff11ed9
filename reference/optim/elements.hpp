// Element-wise arithmetic as optimizers write it: each operation computes in float32 (float64 for
// float64) and rounds once to the parameter's type.
#pragma once

#include <vector>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// A tensor's elements, taken out to compute with. Every value is exact in `dtype`.
struct Elements {
  ScalarType dtype = ScalarType::kFloat;
  std::vector<double> values;

  std::size_t size() const { return values.size(); }
};

/// Raises `error` for a finite number that is beyond the type that a parameter is computed in: its
/// own on the host, and at least float32 on a device (OPT-019).
void check_held(const Contract& contract, const Tensor& param, double number);
/// Raises `not_implemented` for a sparse tensor.
void check_dense(const Tensor& tensor);
Elements elements_of(const Tensor& tensor);
/// Writes in place. `versions`: how many operators in place PyTorch would have used (OPT-005).
void write_elements(const Tensor& tensor, const Elements& elements, int versions = 1);

/// `value` as `dtype` holds it.
double rounded_to(ScalarType dtype, double value);

/// f(x, y, …) for each element. `f` is called with floats, or with doubles for float64; its own
/// operations round as those types do.
template <typename Function, typename... More>
Elements map_elements(const Function& f, const Elements& first, const More&... more) {
  Elements result{first.dtype, {}};
  result.values.reserve(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double exact = first.dtype == ScalarType::kDouble
                             ? f(first.values[i], more.values[i]...)
                             : static_cast<double>(f(static_cast<float>(first.values[i]),
                                                     static_cast<float>(more.values[i])...));
    result.values.push_back(rounded_to(first.dtype, exact));
  }
  return result;
}

Elements negated(const Elements& x);
/// x + alpha * y
Elements add(const Elements& x, const Elements& y, double alpha);
Elements add(const Elements& x, double number);
Elements mul(const Elements& x, double number);
Elements div(const Elements& x, double number);
/// x + value * y * z
Elements addcmul(const Elements& x, const Elements& y, const Elements& z, double value);
/// x + value * y / z
Elements addcdiv(const Elements& x, const Elements& y, const Elements& z, double value);
/// x + weight * (end - x)
Elements lerp(const Elements& x, const Elements& end, double weight);
Elements sqrt(const Elements& x);
/// NaN wins.
Elements maximum(const Elements& x, const Elements& y);
/// `y` where it is larger: a NaN is not.
Elements raised_to(const Elements& x, const Elements& y);

}  // namespace assay::reference
