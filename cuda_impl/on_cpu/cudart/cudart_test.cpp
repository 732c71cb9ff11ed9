// The simulated runtime where no case sees it: several threads of the host, launches that CUDA
// refuses.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <thread>

#include "cuda_impl/on_cpu/cudart/controls.h"

namespace {

TEST(Cudart, AHostThatWaitsIsWokenByTheThreadThatOpens) {
  assay_cudart_reset();
  cudaStream_t held = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&held, cudaStreamNonBlocking), cudaSuccess);
  void* gate = assay_cudart_gate(held, 10'000);

  std::thread opener([&] { assay_cudart_open(gate); });
  EXPECT_EQ(cudaStreamSynchronize(held), cudaSuccess);
  opener.join();

  EXPECT_EQ(assay_cudart_gate_state(gate), 1);
  assay_cudart_forget_gate(gate);
  cudaStreamDestroy(held);
}

TEST(Cudart, ALaunchOfNothingIsRefused) {
  assay_cudart_reset();
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(0), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(1), dim3(1025), nullptr, 0, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(1), dim3(1024), nullptr, 0, nullptr), cudaSuccess);
  assay_cudart_reset();
}

}  // namespace
