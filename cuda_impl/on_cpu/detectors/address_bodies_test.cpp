// Out-of-bounds accesses in hand-written bodies that the address sanitizer must find.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "cuda_impl/on_cpu/detectors/child.hpp"

namespace assay::cuda::on_cpu {
namespace {

using testing::ExitedWithCode;

constexpr std::array<SharedArray, 2> kArrays = {
    {{.offset = 0, .size = 128}, {.offset = 192, .size = 128}}};
constexpr GridRun kRun{
    .block = {32, 1, 1}, .static_shared_bytes = 320, .shared = kArrays, .dynamic_shared_bytes = 12};

/// Each thread writes one float at `offset` bytes and waits, so that it gets its own stack.
void write_shared(std::ptrdiff_t offset) {
  run_grid(kRun, [&] {
    block_barrier(false);
    if (place().linear == 31) *reinterpret_cast<float*>(shared_memory() + offset) = 1.0f;
    block_barrier(false);
  });
}

TEST(AddressInBodies, InsideOfSharedArraysIsSilent) {
  for (const std::ptrdiff_t offset : {0, 124, 192, 316, 320, 328}) {
    EXPECT_EXIT(do_and_exit([=] { write_shared(offset); }), ExitedWithCode(kNothingFound), "");
  }
}

TEST(AddressInBodies, OutsideOfSharedArraysIsFound) {
  for (const std::ptrdiff_t offset : {-4, 128, 188, 332, 400}) {
    EXPECT_EXIT(do_and_exit([=] { write_shared(offset); }), ExitedWithCode(kAddressFound),
                "use-after-poison.*WRITE of size 4");
  }
}

void write_global(std::size_t elements) {
  std::vector<float> memory(elements);
  float* const out = memory.data();
  run_grid({.grid = {2, 1, 1}, .block = {32, 1, 1}}, [&] {
    block_barrier(false);
    out[place().block_index.x * 32 + place().linear] = 1.0f;
  });
}

TEST(AddressInBodies, OfGlobalMemoryIsFoundWhereItEnds) {
  EXPECT_EXIT(do_and_exit([] { write_global(64); }), ExitedWithCode(kNothingFound), "");
  EXPECT_EXIT(do_and_exit([] { write_global(63); }), ExitedWithCode(kAddressFound),
              "heap-buffer-overflow.*WRITE of size 4");
}

/// A local array of a thread, on its fiber's stack.
void read_local(std::size_t index) {
  run_grid({.block = {4, 1, 1}}, [=] {
    std::array<volatile int, 8> local{};
    block_barrier(false);
    const volatile int* const first = local.data();
    if (first[index] != 0) kernel_fault("not zero");
  });
}

TEST(AddressInBodies, OfAThreadsOwnStackIsFoundWhereAnArrayEnds) {
  EXPECT_EXIT(do_and_exit([] { read_local(7); }), ExitedWithCode(kNothingFound), "");
  EXPECT_EXIT(do_and_exit([] { read_local(8); }), ExitedWithCode(kAddressFound),
              "stack-buffer-overflow");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
