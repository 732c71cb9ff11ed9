// Element-wise arithmetic of optimizers. Numbers are first converted to the computation type.
#include "reference/optim/elements.hpp"

#include <cmath>

#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

void check_dense(const Tensor& tensor) {
  check(!tensor.is_sparse(), ErrorKind::kNotImplemented,
        [&] { return "an optimizer computes with dense tensors only, got " + describe(tensor); });
}

void check_held(const Contract& contract, const Tensor& param, double number) {
  const bool is_half = param.dtype() == ScalarType::kHalf || param.dtype() == ScalarType::kBFloat16;
  const ScalarType computed = param.is_cuda() && is_half ? ScalarType::kFloat : param.dtype();
  if (is_floating(computed)) {
    Scalar(number).bits_as(computed, contract);
  }
}

Elements elements_of(const Tensor& tensor) {
  check_dense(tensor);
  Elements elements{tensor.dtype(), {}};
  elements.values.reserve(static_cast<std::size_t>(tensor.numel()));
  for (std::int64_t i = 0; i < tensor.numel(); ++i) elements.values.push_back(real_at(tensor, i));
  return elements;
}

void write_elements(const Tensor& tensor, const Elements& elements, int versions) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    set_real_at(tensor, static_cast<std::int64_t>(i), elements.values[i]);
  }
  for (int counted = 0; counted < versions; ++counted) tensor.bump_version();
}

double rounded_to(ScalarType dtype, double value) {
  return real_of_bits(dtype, bits_of_real(dtype, value));
}

Elements negated(const Elements& x) {
  return map_elements([](auto a) { return -a; }, x);
}

Elements add(const Elements& x, const Elements& y, double alpha) {
  return map_elements(
      [&](auto a, auto b) { return std::fma(static_cast<decltype(a)>(alpha), b, a); }, x, y);
}

Elements add(const Elements& x, double number) {
  return map_elements([&](auto a) { return a + static_cast<decltype(a)>(number); }, x);
}

Elements mul(const Elements& x, double number) {
  return map_elements([&](auto a) { return a * static_cast<decltype(a)>(number); }, x);
}

Elements div(const Elements& x, double number) {
  return map_elements([&](auto a) { return a / static_cast<decltype(a)>(number); }, x);
}

Elements addcmul(const Elements& x, const Elements& y, const Elements& z, double value) {
  return map_elements(
      [&](auto a, auto b, auto c) { return a + static_cast<decltype(a)>(value) * b * c; }, x, y, z);
}

Elements addcdiv(const Elements& x, const Elements& y, const Elements& z, double value) {
  return map_elements(
      [&](auto a, auto b, auto c) { return a + static_cast<decltype(a)>(value) * b / c; }, x, y, z);
}

Elements lerp(const Elements& x, const Elements& end, double weight) {
  return map_elements(
      [&](auto a, auto b) {
        const auto w = static_cast<decltype(a)>(weight);
        return w < decltype(a){0.5} ? a + w * (b - a) : b - (b - a) * (1 - w);
      },
      x, end);
}

Elements sqrt(const Elements& x) {
  return map_elements([](auto a) { return std::sqrt(a); }, x);
}

Elements maximum(const Elements& x, const Elements& y) {
  return map_elements([](auto a, auto b) { return std::isnan(a) || a > b ? a : b; }, x, y);
}

Elements raised_to(const Elements& x, const Elements& y) {
  return map_elements([](auto a, auto b) { return a < b ? b : a; }, x, y);
}

}  // namespace assay::reference
