// Applies functions to elements on the host.
#include "cuda_impl/aten/by_element.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

std::vector<double> doubles(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  const std::size_t width = size_bytes(tensor.dtype());
  std::vector<double> numbers(static_cast<std::size_t>(tensor.numel()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = from_element(bytes.data() + i * width, tensor.dtype()).real();
  }
  return numbers;
}

void store(const Tensor& target, const std::vector<double>& numbers) {
  const std::size_t width = size_bytes(target.dtype());
  std::vector<std::byte> bytes(numbers.size() * width);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Element element = to_element_unchecked(Scalar(numbers[i]), target.dtype());
    std::memcpy(bytes.data() + i * width, element.data(), width);
  }
  write_elements(target, bytes.data());
}

Dtype floating(Dtype dtype) {
  require(!facts(dtype).is_complex, ErrorKind::kNotImplemented,
          [] { return "this operator is not implemented for complex numbers"; });
  return facts(dtype).is_floating ? dtype : Dtype::kFloat32;
}

/// NumPy's rule: aligns sizes at the end and expands sizes of 1.
Shape broadcast(const Shape& left, const Shape& right) {
  Shape sizes(std::max(left.size(), right.size()));
  const auto size_at = [&](const Shape& shape, std::size_t from_end) {
    return from_end < shape.size() ? shape[shape.size() - 1 - from_end] : 1;
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t a = size_at(left, i);
    const std::int64_t b = size_at(right, i);
    require(a == b || a == 1 || b == 1, [&] {
      return "the sizes " + std::to_string(a) + " and " + std::to_string(b) +
             " cannot be broadcast";
    });
    sizes[sizes.size() - 1 - i] = a == 1 ? b : a;
  }
  return sizes;
}

}  // namespace

Tensor map_elements(const std::function<double(double)>& function, const Tensor& tensor) {
  const Tensor result = empty(tensor.sizes(), floating(tensor.dtype()), tensor.device());
  if (tensor.is_meta()) return result;
  std::vector<double> numbers = doubles(tensor);
  for (double& number : numbers) number = function(number);
  store(result, numbers);
  return result;
}

Tensor map_elements(const std::function<double(double, double)>& function, const Tensor& left,
                    const Tensor& right) {
  const std::array<Operand, 2> operands{left, right};
  const Shape sizes = broadcast(left.sizes(), right.sizes());
  const Tensor result = empty(sizes, floating(result_type(operands)), left.device());
  if (left.is_meta()) return result;
  std::vector<double> numbers = doubles(expand(left, sizes));
  const std::vector<double> others = doubles(expand(right, sizes));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = function(numbers[i], others[i]);
  store(result, numbers);
  return result;
}

}  // namespace assay::cuda::aten
