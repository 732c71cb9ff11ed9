// Device memory of tests.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <vector>

namespace assay::cuda::on_cpu::testing {

/// Device memory that is copied in and out.
template <typename T>
class Array {
 public:
  explicit Array(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&data_, count_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyDefault), cudaSuccess);
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return static_cast<T*>(data_); }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDefault), cudaSuccess);
    return values;
  }

 private:
  std::size_t count_;
  void* data_ = nullptr;
};

}  // namespace assay::cuda::on_cpu::testing
