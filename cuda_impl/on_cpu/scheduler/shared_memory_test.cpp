// Shared memory: separate for each block, initialized for each, with red zones around its arrays.
#include "cuda_impl/on_cpu/scheduler/shared_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/testing.hpp"

extern "C" [[gnu::weak]] int __asan_address_is_poisoned(const volatile void* address);

namespace assay::cuda::on_cpu {
namespace {

constexpr std::array<SharedArray, 2> kArrays = {
    {{.offset = 0, .size = 12}, {.offset = 64, .size = 40}}};
constexpr GridRun kRun{.grid = {3, 1, 1},
                       .block = {8, 1, 1},
                       .static_shared_bytes = 128,
                       .shared = kArrays,
                       .dynamic_shared_bytes = 20};

class SharedMemoryInOrder : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, SharedMemoryInOrder, testing::ValuesIn(kEveryOrder), shown_order);

TEST_P(SharedMemoryInOrder, IsFilledAnewForEachBlock) {
  run_grid(kRun, [] {
    const std::uint32_t me = place().linear;
    std::byte* const arrays[] = {shared_memory(), shared_memory() + 64, shared_memory() + 128};
    for (std::byte* array : arrays) ASSERT_EQ(array[me], std::byte{0xff});
    block_barrier(false);
    for (std::byte* array : arrays) array[me] = std::byte{0x11};
  });
}

TEST(SharedMemoryLayout, IsAlignedAndAsLargeAsAskedFor) {
  run_grid(kRun, [] {
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(shared_memory()) % 256, 0);
    ASSERT_EQ(shared_memory_bytes(), 148);
  });
}

TEST(SharedMemoryLayout, MayBeAllDynamicAndLarge) {
  run_grid({.block = {2, 1, 1}, .dynamic_shared_bytes = 227 * 1024}, [] {
    std::byte& last = shared_memory()[227 * 1024 - 1];
    if (place().linear == 1) last = std::byte{7};
    block_barrier(false);
    ASSERT_EQ(last, std::byte{7});
  });
}

TEST(SharedMemoryLayout, IsARedZoneOutsideOfTheArrays) {
  run_grid(kRun, [] {
    for (std::ptrdiff_t at = -200; at < 400; ++at) {
      const bool is_in_array =
          (at >= 0 && at < 12) || (at >= 64 && at < 104) || (at >= 128 && at < 148);
      const bool is_poisoned =
          has_address_sanitizer() && __asan_address_is_poisoned(shared_memory() + at) != 0;
      ASSERT_EQ(is_poisoned, has_address_sanitizer() && !is_in_array) << "at " << at;
    }
  });
}

std::string refusal_of(std::size_t bytes, const std::vector<SharedArray>& arrays) {
  try {
    run_grid({.static_shared_bytes = bytes, .shared = arrays}, [] {});
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "not refused";
}

TEST(SharedMemoryLayout, ThatCannotBeIsRefused) {
  EXPECT_EQ(refusal_of(24, {}), "static shared memory must be a multiple of 16 bytes, got 24");
  EXPECT_EQ(refusal_of(64, {{.offset = 60, .size = 8}}),
            "shared array at 60 of 8 bytes overlaps another or leaves the 64 static bytes");
  EXPECT_EQ(refusal_of(64, {{.offset = 0, .size = 9}, {.offset = 8, .size = 8}}),
            "shared array at 8 of 8 bytes overlaps another or leaves the 64 static bytes");
  EXPECT_EQ(refusal_of(64, {{.offset = 0, .size = 8}, {.offset = 8, .size = 56}}), "not refused");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
