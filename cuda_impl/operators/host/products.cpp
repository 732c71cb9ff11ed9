// CPU matrix products and convolutions.
#include "cuda_impl/kernels/products.cuh"

#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/operators/host/on_host.hpp"

namespace assay::cuda::on_host {
namespace {

template <typename T>
WideOf<T> at(const Matrices& matrices, std::int64_t batch, std::int64_t row, std::int64_t column) {
  const auto* data = static_cast<const T*>(matrices.data);
  return convert<WideOf<T>>(
      data[batch * matrices.batch + row * matrices.row + column * matrices.column]);
}

template <typename T>
T product_at(const MatmulTask& task, std::int64_t batch, std::int64_t row, std::int64_t column) {
  using Wide = WideOf<T>;
  Wide sum = 0;
  for (std::int64_t i = 0; i < task.inner; ++i) {
    sum = multiply_add(at<T>(task.left, batch, row, i), at<T>(task.right, batch, i, column), sum);
  }
  sum *= static_cast<Wide>(task.alpha);
  if (task.bias.data != nullptr) {
    sum += static_cast<Wide>(task.beta) * at<T>(task.bias, batch, row, column);
  }
  return convert<T>(sum);
}

template <typename T>
void multiply(const MatmulTask& task) {
  auto* out = static_cast<T*>(task.out);
  for (std::int64_t batch = 0; batch < task.batches; ++batch) {
    for (std::int64_t row = 0; row < task.rows; ++row) {
      for (std::int64_t column = 0; column < task.columns; ++column) {
        *out++ = product_at<T>(task, batch, row, column);
      }
    }
  }
}

template <typename T>
void convolve(const ConvolutionTask& task) {
  auto* out = static_cast<T*>(task.out);
  for (std::int64_t i = 0; i < task.count(); ++i) out[i] = convolved<T>(task, i);
}

}  // namespace

void matmul(const MatmulTask& task) {
  visit_floating(task.dtype, [&](auto tag) { multiply<Tagged<decltype(tag)>>(task); });
}

void convolution(const ConvolutionTask& task) {
  visit_floating(task.dtype, [&](auto tag) { convolve<Tagged<decltype(tag)>>(task); });
}

}  // namespace assay::cuda::on_host
