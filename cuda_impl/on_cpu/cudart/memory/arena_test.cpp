// The arena, and the reports of guarded memory.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"

namespace assay::cuda::on_cpu {
namespace {

TEST(Arena, WhatIsGivenBackIsNotTakenAgainAtOnce) {
  Arena arena;
  arena.open();
  void* const first = arena.take(100);
  std::memset(first, 1, 100);
  arena.give_back(first, 100);

  void* const second = arena.take(100);

  EXPECT_NE(first, second);
  EXPECT_EQ(*static_cast<char*>(first), 1);
  EXPECT_TRUE(arena.contains(second));
  EXPECT_FALSE(arena.contains(&arena));
}

TEST(Arena, AByteBehindAPieceIsSeen) {
  Arena arena;
  arena.open();
  char* const piece = static_cast<char*>(arena.take(4096));
  std::memset(piece, 1, 4096);
  EXPECT_TRUE(arena.is_intact_behind(piece, 4096));

  piece[4096] = 1;
  EXPECT_FALSE(arena.is_intact_behind(piece, 4096));
}

TEST(Arena, PagesAreTakenAgainWhenMuchWasGivenBack) {
  Arena arena;
  arena.open();
  void* const first = arena.take(1 << 20);
  arena.give_back(first, 1 << 20);
  bool is_taken_again = false;
  for (int i = 0; i < 200 && !is_taken_again; ++i) {
    void* const next = arena.take(1 << 20);
    is_taken_again = next == first;
    arena.give_back(next, 1 << 20);
  }
  EXPECT_TRUE(is_taken_again);
}

TEST(GuardDeathTest, AHostThatReadsDeviceMemoryEnds) {
  assay_cudart_guard(1);
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);

  EXPECT_DEATH(static_cast<volatile char*>(memory)[0] = 1, "");
  EXPECT_EQ(cudaMemset(memory, 7, 16), cudaSuccess);
  char seen[16] = {};
  EXPECT_EQ(cudaMemcpy(seen, memory, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen[15], 7);

  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  assay_cudart_guard(0);
}

TEST(Guard, WhatWasWrittenBehindAPieceIsToldWhenItIsFreed) {
  assay_cudart_reset();
  assay_cudart_guard(1);
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  const char element = 1;
  assay_cudart_fill(nullptr, memory, &element, 1, 17);

  EXPECT_EQ(cudaFree(memory), cudaSuccess);

  EXPECT_EQ(std::string(assay_cudart_complaints()),
            "something was written behind the end of byte 0 of 16 bytes on device 0\n");
  assay_cudart_guard(0);
}

}  // namespace
}  // namespace assay::cuda::on_cpu
