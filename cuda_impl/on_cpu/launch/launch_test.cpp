// Launches of kernels, which run on the CPU.
#include "cuda_impl/on_cpu/launch/launch.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/launch/array_for_tests.hpp"
#include "cuda_impl/on_cpu/launch/kernels_test.hpp"

namespace assay::cuda::on_cpu::testing {
namespace {

class Launch : public ::testing::Test {
 protected:
  void SetUp() override { assay_cudart_reset(); }
  void TearDown() override { assay_cudart_reset(); }
};

TEST_F(Launch, ABlockOfCubSums) {
  std::vector<float> values(256);
  std::iota(values.begin(), values.end(), 1.0f);
  const Array<float> in(values);
  const Array<float> out({0.0f, 0.0f});

  sum_of_blocks(in.data(), out.data(), 2, nullptr);

  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(out.read(), (std::vector<float>{8256.0f, 24640.0f}));
}

TEST_F(Launch, ThreadsBeyondTheLastElementDoNothing) {
  const Array<float> values({1.0f, -2.0f, 3.0f});

  scale(values.data(), 3, 0.5f, nullptr);

  EXPECT_EQ(values.read(), (std::vector<float>{0.5f, -1.0f, 1.5f}));
}

TEST_F(Launch, ArgumentsAreThoseOfTheCall) {
  assay_cudart_schedule(1, 0);  // lazy
  const Array<int> values(std::vector<int>(16));
  Table table{{1, 2, 3, 4, 5, 6, 7, 8}};

  look_up(values.data(), 16, table, nullptr);
  table.values[0] = 99;

  EXPECT_EQ(values.read(), (std::vector<int>{1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008,  //
                                             1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008}));
}

TEST_F(Launch, AKernelRunsWhenItsTurnComes) {
  assay_cudart_schedule(2, 0);  // manual
  const Array<float> values({1.0f});

  scale(values.data(), 1, 2.0f, cudaStreamPerThread);
  EXPECT_EQ(assay_cudart_pending(), 1);
  EXPECT_EQ(assay_cudart_step(cudaStreamPerThread, 1), 1);

  EXPECT_EQ(values.read(), (std::vector<float>{2.0f}));
}

TEST_F(Launch, DynamicSharedMemoryIsOfTheLaunch) {
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Array<int> values(numbers);

  turn_around(values.data(), 64 * sizeof(int), nullptr);

  EXPECT_EQ(values.read(), std::vector<int>(numbers.rbegin(), numbers.rend()));
}

TEST_F(Launch, SharedMemoryBeyondTheUsualMustBeAskedFor) {
  const Array<int> values(std::vector<int>(64));
  const std::size_t much = 100 << 10;

  turn_around(values.data(), much, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);

  const void* kernel = turn_around_kernel();
  const auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaFuncSetAttribute(kernel, limit, 228 << 10), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaFuncSetAttribute(kernel, limit, much), cudaSuccess);
  turn_around(values.data(), much, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);

  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, static_cast<int>(much));
  EXPECT_EQ(attributes.ptxVersion, 90);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, limit, 48 << 10), cudaSuccess);
}

TEST_F(Launch, VariablesAreReadAndWrittenByTheirSymbols) {
  int count = 5;
  EXPECT_EQ(cudaMemcpyToSymbol(counter_symbol(), &count, sizeof count, 0, cudaMemcpyHostToDevice),
            cudaSuccess);

  count_threads(70, nullptr);
  EXPECT_EQ(cudaMemcpyFromSymbol(&count, counter_symbol(), sizeof count, 0, cudaMemcpyDefault),
            cudaSuccess);

  EXPECT_EQ(count, 75);
  std::size_t size = 0;
  EXPECT_EQ(cudaGetSymbolSize(&size, constant_symbol()), cudaSuccess);
  EXPECT_EQ(size, sizeof(int));
  EXPECT_EQ(cudaMemcpyFromSymbol(&count, counter_symbol(), 8, 0, cudaMemcpyDefault),
            cudaErrorInvalidSymbol);
}

TEST_F(Launch, ALaunchBeyondItsBoundsIsRefused) {
  bounded(64, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);

  bounded(65, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(Launch, AKernelThatNobodyBroughtIsRefused) {
  const int nothing = 0;
  EXPECT_EQ(cudaLaunchKernel(&nothing, dim3(1), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(Launch, ATrapIsSeenByTheNextCallAndStays) {
  assay_cudart_schedule(1, 0);  // lazy

  trap(nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);

  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorLaunchFailure);
  const std::string why = assay_cudart_why_lost(0);
  EXPECT_NE(why.find("trap_kernel"), std::string::npos) << why;
  EXPECT_NE(why.find("block (1,0,0), thread (3,0,0)"), std::string::npos) << why;
}

TEST_F(Launch, ThreadsThatWaitForEachOtherAreAFault) {
  diverge(nullptr);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  const std::string why = assay_cudart_why_lost(0);
  EXPECT_NE(why.find("diverge_kernel"), std::string::npos) << why;
}

TEST_F(Launch, AGraphLaunchesItsKernelsWithTheArgumentsThatWereCaptured) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  const Array<float> values({1.0f, 2.0f});
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  float factor = 2.0f;
  scale(values.data(), 2, factor, stream);
  factor = 100.0f;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphExec_t made = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&made, graph, 0), cudaSuccess);
  EXPECT_EQ(values.read(), (std::vector<float>{1.0f, 2.0f}));

  for (int i = 0; i < 3; ++i) EXPECT_EQ(cudaGraphLaunch(made, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);

  EXPECT_EQ(values.read(), (std::vector<float>{8.0f, 16.0f}));
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST(FaultCode, FollowsTheReason) {
  EXPECT_EQ(fault_code("trap"), 719);
  EXPECT_EQ(fault_code("misaligned address 0x3 for 4 bytes"), 716);
  EXPECT_EQ(fault_code("deadlock: 61 threads at barrier 0"), 719);
}

TEST(FaultCode, NamesAreReadable) {
  EXPECT_EQ(readable("_ZN5assay4cuda7unscaleEPf"), "assay::cuda::unscale(float*)");
  EXPECT_EQ(readable("_Z6kernelB16launch_bounds_64B11maxnreg_128v"), "kernel()");
  EXPECT_EQ(readable("plain"), "plain");
}

}  // namespace
}  // namespace assay::cuda::on_cpu::testing
