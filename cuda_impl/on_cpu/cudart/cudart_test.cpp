// The simulated runtime by its own entry points: order, gates, versions, legacy streams, capture,
// failures.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>

#include "cuda_impl/on_cpu/cudart/controls.h"

namespace {

/// Reads what the devices have written so far, without synchronization.
__attribute__((no_sanitize("thread"))) std::uint32_t peek(const std::uint32_t* word) {
  return *word;
}

class Cudart : public testing::Test {
 protected:
  void SetUp() override { assay_cudart_reset(); }
  void TearDown() override {
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    assay_cudart_reset();
  }

  cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithPriority(&made, flags, 0), cudaSuccess);
    streams_.push_back(made);
    return made;
  }
  cudaEvent_t event(unsigned flags = cudaEventDisableTiming) {
    cudaEvent_t made = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&made, flags), cudaSuccess);
    events_.push_back(made);
    return made;
  }
  /// A word of device memory that holds 0.
  std::uint32_t* word() {
    void* address = nullptr;
    EXPECT_EQ(cudaMalloc(&address, sizeof(std::uint32_t)), cudaSuccess);
    auto* made = static_cast<std::uint32_t*>(address);
    *made = 0;
    return made;
  }
  void store(cudaStream_t stream, std::uint32_t* where, std::uint32_t value) {
    ASSERT_EQ(assay_cudart_fill(stream, where, &value, sizeof value, 1), 0);
  }

 private:
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> events_;
};

TEST_F(Cudart, AClosedGateHoldsWhatIsBehindItAndNothingElse) {
  const auto held = stream();
  const auto free = stream();
  std::uint32_t* word = this->word();
  std::uint32_t* other = this->word();
  void* gate = assay_cudart_gate(held, 2000);

  store(held, word, 1);
  store(free, other, 1);
  EXPECT_EQ(peek(word), 0u);
  EXPECT_EQ(peek(other), 1u);
  EXPECT_EQ(cudaStreamQuery(held), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(free), cudaSuccess);

  assay_cudart_open(gate);
  EXPECT_EQ(peek(word), 1u);
  EXPECT_EQ(assay_cudart_gate_state(gate), 1);
  assay_cudart_forget_gate(gate);
}

TEST_F(Cudart, AWaitIsForTheVersionAtTheCall) {
  const auto first = stream();
  const auto second = stream();
  const auto marker = event();
  ASSERT_EQ(cudaEventRecord(marker, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, marker, 0), cudaSuccess);
  void* gate = assay_cudart_gate(first, 2000);
  ASSERT_EQ(cudaEventRecord(marker, first), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(marker), cudaErrorNotReady);

  assay_cudart_open(gate);
  EXPECT_EQ(cudaEventQuery(marker), cudaSuccess);
  assay_cudart_forget_gate(gate);
}

TEST_F(Cudart, TheLegacyStreamIsAFenceForBlockingStreamsOnly) {
  const auto blocking = stream(cudaStreamDefault);
  const auto non_blocking = stream();
  void* gate = assay_cudart_gate(blocking, 2000);
  std::uint32_t* word = this->word();

  store(nullptr, word, 1);
  EXPECT_EQ(peek(word), 0u);
  store(non_blocking, word, 2);
  EXPECT_EQ(peek(word), 2u);

  assay_cudart_open(gate);
  EXPECT_EQ(peek(word), 1u);
  assay_cudart_forget_gate(gate);
}

TEST_F(Cudart, AHostThatWaitsIsWokenByTheThreadThatOpens) {
  const auto held = stream();
  void* gate = assay_cudart_gate(held, 10'000);
  std::uint32_t* word = this->word();
  store(held, word, 1);

  std::thread opener([&] { assay_cudart_open(gate); });
  EXPECT_EQ(cudaStreamSynchronize(held), cudaSuccess);
  opener.join();

  EXPECT_EQ(peek(word), 1u);
  assay_cudart_forget_gate(gate);
}

TEST_F(Cudart, AGateThatNobodyOpensExpires) {
  const auto held = stream();
  void* gate = assay_cudart_gate(held, 1);

  EXPECT_EQ(cudaStreamSynchronize(held), cudaSuccess);

  EXPECT_EQ(assay_cudart_gate_state(gate), 2);
  assay_cudart_forget_gate(gate);
}

TEST_F(Cudart, WorkIsLazyWhenAskedToBe) {
  assay_cudart_schedule(1, 0);
  const auto lazy = stream();
  std::uint32_t* word = this->word();

  store(lazy, word, 1);
  EXPECT_EQ(peek(word), 0u);
  EXPECT_EQ(assay_cudart_pending(), 1);

  EXPECT_EQ(cudaStreamQuery(lazy), cudaErrorNotReady);
  EXPECT_EQ(peek(word), 1u);
}

TEST_F(Cudart, WhatIsCapturedRunsWhenTheGraphIsLaunched) {
  const auto captured = stream();
  void* source = nullptr;
  ASSERT_EQ(cudaHostAlloc(&source, 4, 0), cudaSuccess);
  *static_cast<std::uint32_t*>(source) = 7;
  std::uint32_t* word = this->word();
  ASSERT_EQ(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(word, source, 4, cudaMemcpyHostToDevice, captured), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
  cudaGraphExec_t made = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&made, graph, 0), cudaSuccess);
  EXPECT_EQ(peek(word), 0u);

  ASSERT_EQ(cudaGraphLaunch(made, captured), cudaSuccess);

  EXPECT_EQ(peek(word), 7u);
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);
  cudaFreeHost(source);
}

TEST_F(Cudart, AStreamThatJoinedACaptureMustComeBack) {
  const auto origin = stream();
  const auto joined = stream();
  const auto fork = event();
  const auto join = event();
  const auto capture = [&](bool comes_back) {
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, origin);
    cudaStreamWaitEvent(joined, fork, 0);
    assay_cudart_kernel(joined, "work", 1, 0);
    cudaEventRecord(join, joined);
    if (comes_back) cudaStreamWaitEvent(origin, join, 0);
    const cudaError_t code = cudaStreamEndCapture(origin, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    return code;
  };

  EXPECT_EQ(capture(true), cudaSuccess);
  EXPECT_EQ(capture(false), cudaErrorStreamCaptureUnjoined);
}

TEST_F(Cudart, AskingACapturingStreamSpoilsTheCapture) {
  const auto captured = stream();
  ASSERT_EQ(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal), cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(captured), cudaErrorStreamCaptureUnsupported);

  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
}

TEST_F(Cudart, PageableMemoryIsReadInTheCallAndPinnedMemoryLater) {
  const auto held = stream();
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 4, 0), cudaSuccess);
  auto* host = static_cast<std::uint32_t*>(pinned);
  std::uint32_t pageable = 1;
  *host = 1;
  std::uint32_t* from_pinned = word();
  std::uint32_t* from_pageable = word();
  void* gate = assay_cudart_gate(held, 2000);
  cudaMemcpyAsync(from_pinned, host, 4, cudaMemcpyHostToDevice, held);
  cudaMemcpyAsync(from_pageable, &pageable, 4, cudaMemcpyHostToDevice, held);
  *host = pageable = 2;

  assay_cudart_open(gate);

  EXPECT_EQ(peek(from_pinned), 2u);
  EXPECT_EQ(peek(from_pageable), 1u);
  assay_cudart_forget_gate(gate);
  cudaFreeHost(pinned);
}

TEST_F(Cudart, PlannedCallsFailAndTheRegisterRemembers) {
  assay_cudart_faults("event_create 2 0 1 0 0");
  cudaEvent_t made = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&made, 0), cudaSuccess);
  cudaEventDestroy(made);

  EXPECT_EQ(cudaEventCreateWithFlags(&made, 0), cudaErrorInvalidValue);

  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_NE(std::string(assay_cudart_log()).find("event_create(0)!1"), std::string::npos);
}

TEST_F(Cudart, AKernelThatFailsLosesTheContext) {
  const auto failing = stream();
  EXPECT_EQ(assay_cudart_kernel(failing, "bad", 1, 700), 0);

  EXPECT_EQ(cudaStreamSynchronize(failing), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
}

TEST_F(Cudart, MemoryIsLimitedAndGivenBack) {
  const int before = assay_cudart_live(2);
  void* address = nullptr;
  EXPECT_EQ(cudaMalloc(&address, std::size_t{1} << 40), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&address, 1 << 20), cudaSuccess);
  EXPECT_EQ(assay_cudart_live(2), before + 1);

  EXPECT_EQ(cudaFree(address), cudaSuccess);
  EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue);
  EXPECT_EQ(assay_cudart_live(2), before);
}

TEST_F(Cudart, ALaunchOfNothingIsRefused) {
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(0), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(1), dim3(1025), nullptr, 0, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(1), dim3(1024), nullptr, 0, nullptr), cudaSuccess);
}

}  // namespace
