// Element-wise arithmetic of optimizers: each operation computes in float32 (float64 for float64)
// and rounds once to the parameter's dtype.
#pragma once

#include <vector>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// The elements of a tensor as doubles, each exactly representable in `dtype`.
struct Elements {
  ScalarType dtype = ScalarType::kFloat;
  std::vector<double> values;

  std::size_t size() const { return values.size(); }
};

/// Raises `error` unless a finite number is in the range of the type that computes the parameter:
/// on the host its own dtype, on a device float32 or wider (OPT-019).
void check_held(const Contract& contract, const Tensor& param, double number);
/// Raises `not_implemented` for sparse tensors.
void check_dense(const Tensor& tensor);
Elements elements_of(const Tensor& tensor);
/// Writes in place. `versions`: the number of in-place operators in PyTorch (OPT-005).
void write_elements(const Tensor& tensor, const Elements& elements, int versions = 1);

/// Rounds `value` to `dtype`.
double rounded_to(ScalarType dtype, double value);

/// Applies f(x, y, …) to each element. `f` takes floats, or doubles for float64, and its operations
/// round accordingly.
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
/// x + alpha * y, rounded once (OPT-022)
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
/// Propagates NaN.
Elements maximum(const Elements& x, const Elements& y);
/// Returns `y` where it is larger; a NaN in `y` is not.
Elements raised_to(const Elements& x, const Elements& y);

}  // namespace assay::reference
