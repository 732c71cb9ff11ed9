// The simulated runtime where no case sees it: several threads of the host, launches that CUDA
// refuses.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

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

// Memory: bounds, misuse, copies of rows, pools, memory of graphs.

class CudartMemory : public testing::Test {
 protected:
  void SetUp() override {
    assay_cudart_reset();
    ASSERT_EQ(cudaMalloc(&memory_, 32), cudaSuccess);
  }
  void TearDown() override {
    assay_cudart_reset();
    cudaFree(memory_);
  }

  char* memory() const { return static_cast<char*>(memory_); }
  static std::string complaints() { return assay_cudart_complaints(); }

 private:
  void* memory_ = nullptr;
};

TEST_F(CudartMemory, ACopyThatEndsBehindItsMemoryIsRefusedWithItsName) {
  const char bytes[64] = {};

  EXPECT_EQ(cudaMemcpy(memory() + 16, bytes, 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(complaints(), "memcpy: expected 17 bytes from byte 16 of 32 bytes on device 0 on\n");
  EXPECT_EQ(cudaMemcpy(memory() + 16, bytes, 16, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(complaints(), "");
}

TEST_F(CudartMemory, AFillOfWhatIsNoDevicesIsRefused) {
  char bytes[4];

  EXPECT_EQ(cudaMemset(bytes, 0, 4), cudaErrorInvalidValue);
  EXPECT_NE(complaints().find("memset: expected memory of a device"), std::string::npos);
  EXPECT_EQ(cudaMemset(memory() + 32, 0, 1), cudaErrorInvalidValue);
  EXPECT_NE(complaints().find("0 bytes behind the end of 32 bytes on device 0"), std::string::npos);
  EXPECT_EQ(cudaMemset(memory(), 0, 32), cudaSuccess);
}

TEST_F(CudartMemory, ADeviceWithMoreInUseThanItHasHasNothingFree) {
  assay_cudart_machine(-1, -1, 1, 16, -1, -1);
  std::size_t free_bytes = 1;
  std::size_t total_bytes = 0;

  EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  EXPECT_EQ(free_bytes, 0u);
  EXPECT_EQ(total_bytes, 16u);
}

TEST_F(CudartMemory, TheDirectionOfACopyIsHeldAgainstTheMemory) {
  char bytes[4] = {};

  EXPECT_EQ(cudaMemcpy(bytes, memory(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(bytes, bytes, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(bytes, memory(), 4, cudaMemcpyDefault), cudaSuccess);
}

TEST_F(CudartMemory, WhatIsFreedTwiceOrNeverAllocatedIsTold) {
  void* twice = nullptr;
  ASSERT_EQ(cudaMalloc(&twice, 8), cudaSuccess);
  ASSERT_EQ(cudaFree(twice), cudaSuccess);

  EXPECT_EQ(cudaFree(twice), cudaErrorInvalidValue);
  EXPECT_NE(complaints().find("byte 0 of 8 bytes on device 0 that were freed"), std::string::npos);
  int mine = 0;
  EXPECT_EQ(cudaFree(&mine), cudaErrorInvalidValue);
  EXPECT_NE(complaints().find("an address that is no device's"), std::string::npos);
  EXPECT_EQ(cudaFree(memory() + 4), cudaErrorInvalidValue);
  EXPECT_NE(complaints().find("byte 4 of 32 bytes on device 0"), std::string::npos);
}

TEST_F(CudartMemory, WhatIsStillThereIsListed) {
  const std::string before = assay_cudart_alive();
  cudaEvent_t event = nullptr;
  void* pinned = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 12), cudaSuccess);

  const std::string after = assay_cudart_alive();
  EXPECT_NE(after.find("32 bytes on device 0\n"), std::string::npos);
  EXPECT_NE(after.find("12 bytes of the host\n"), std::string::npos);
  EXPECT_NE(after.find("events: "), std::string::npos);

  cudaEventDestroy(event);
  cudaFreeHost(pinned);
  EXPECT_EQ(assay_cudart_alive(), before);
}

TEST_F(CudartMemory, WhatALostContextKeepsIsNoLeak) {
  const std::string before = assay_cudart_alive();
  void* kept = nullptr;
  void* refused = nullptr;
  ASSERT_EQ(cudaMalloc(&refused, 12), cudaSuccess);
  assay_cudart_faults("free 1 0 1 0 0");
  EXPECT_EQ(cudaFree(refused), cudaErrorInvalidValue);
  EXPECT_NE(assay_cudart_alive(), before) << "it can be freed later";
  assay_cudart_faults("malloc 1 1 700 1 0");
  EXPECT_EQ(cudaMalloc(&kept, 8), cudaErrorIllegalAddress);
  ASSERT_NE(kept, nullptr);
  EXPECT_NE(std::string(assay_cudart_alive()).find("8 bytes on device 0\n"), std::string::npos);

  EXPECT_EQ(cudaFree(kept), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaFree(refused), cudaErrorIllegalAddress);

  EXPECT_EQ(assay_cudart_alive(), before);
  assay_cudart_reset();
  EXPECT_EQ(cudaFree(kept), cudaSuccess);
  EXPECT_EQ(cudaFree(refused), cudaSuccess);
}

TEST_F(CudartMemory, RowsAreCopiedWithTheirPitches) {
  const std::vector<char> rows = {1, 2, 3, 0, 4, 5, 6, 0};
  ASSERT_EQ(cudaMemset2D(memory(), 8, 9, 8, 4), cudaSuccess);

  ASSERT_EQ(cudaMemcpy2D(memory(), 8, rows.data(), 4, 3, 2, cudaMemcpyHostToDevice), cudaSuccess);

  std::vector<char> seen(16);
  ASSERT_EQ(cudaMemcpy(seen.data(), memory(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, (std::vector<char>{1, 2, 3, 9, 9, 9, 9, 9, 4, 5, 6, 9, 9, 9, 9, 9}));
  EXPECT_EQ(cudaMemcpy2D(memory(), 2, rows.data(), 4, 3, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(memory(), 16, 0, 8, 3), cudaErrorInvalidValue);
}

TEST_F(CudartMemory, MemoryIsFreedInTheOrderOfItsStream) {
  assay_cudart_schedule(2, 0);  // manual
  const int before = assay_cudart_live(2);
  void* pooled = nullptr;
  ASSERT_EQ(cudaMallocAsync(&pooled, 16, cudaStreamPerThread), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(pooled, 0, 16, cudaStreamPerThread), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(pooled, cudaStreamPerThread), cudaSuccess);

  EXPECT_EQ(assay_cudart_live(2), before + 1);
  assay_cudart_run();
  EXPECT_EQ(assay_cudart_live(2), before);
}

TEST_F(CudartMemory, APoolHoldsTheNumbersThatItWasGiven) {
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  std::uint64_t threshold = 1 << 20;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);

  threshold = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  EXPECT_EQ(threshold, std::uint64_t{1} << 20);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 99), cudaErrorInvalidDevice);
}

/// A graph that allocates 16 bytes, fills them, and frees them if `frees`.
cudaGraphExec_t graph_with_memory(cudaStream_t stream, bool frees, unsigned long long flags) {
  void* memory = nullptr;
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&memory, 16, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 1, 16, stream), cudaSuccess);
  if (frees) {
    EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  }
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphExec_t made = nullptr;
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&made, graph, flags), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  return made;
}

TEST_F(CudartMemory, AGraphMakesItsMemoryAnewAtEachLaunch) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  const int before = assay_cudart_live(2);
  cudaGraphExec_t made = graph_with_memory(stream, true, 0);

  EXPECT_EQ(assay_cudart_live(2), before);
  EXPECT_EQ(cudaGraphLaunch(made, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(made, stream), cudaSuccess);
  EXPECT_EQ(assay_cudart_live(2), before);

  cudaGraphExecDestroy(made);
  cudaStreamDestroy(stream);
}

TEST_F(CudartMemory, AGraphWhoseMemoryIsStillThereIsNotLaunchedAgain) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  cudaGraphExec_t keeps = graph_with_memory(stream, false, 0);
  cudaGraphExec_t frees =
      graph_with_memory(stream, false, cudaGraphInstantiateFlagAutoFreeOnLaunch);

  EXPECT_EQ(cudaGraphLaunch(keeps, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(keeps, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(frees, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(frees, stream), cudaSuccess);

  cudaGraphExecDestroy(keeps);
  cudaGraphExecDestroy(frees);
  cudaStreamDestroy(stream);
}

}  // namespace
