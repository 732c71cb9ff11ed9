// Device memory of tests.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <vector>

namespace assay::cuda::on_cpu::testing {

/// Device memory that is copied in and out. A call that fails throws.
template <typename T>
class Array {
 public:
  explicit Array(const std::vector<T>& values) : count_(values.size()) {
    must(cudaMalloc(&data_, count_ * sizeof(T)));
    must(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyDefault));
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return static_cast<T*>(data_); }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    must(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDefault));
    return values;
  }

 private:
  static void must(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
  }

  std::size_t count_;
  void* data_ = nullptr;
};

}  // namespace assay::cuda::on_cpu::testing
