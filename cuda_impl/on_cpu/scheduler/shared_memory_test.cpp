// Shared memory: separate for each block, initialized for each, with red zones around each part.
#include "cuda_impl/on_cpu/scheduler/shared_memory.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/testing.hpp"

extern "C" [[gnu::weak]] int __asan_address_is_poisoned(const volatile void* address);

namespace assay::cuda::on_cpu {
namespace {

constexpr GridRun kRun{.grid = {3, 1, 1}, .block = {8, 1, 1}, .dynamic_shared_bytes = 20};
constexpr char kFirst = 0;
constexpr char kSecond = 0;

class SharedMemoryInOrder : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, SharedMemoryInOrder, testing::ValuesIn(kEveryOrder), shown_order);

TEST_P(SharedMemoryInOrder, IsFilledAnewForEachBlock) {
  run_grid(kRun, [] {
    const std::uint32_t me = place().linear;
    std::byte* const parts[] = {shared_memory(), shared_variable(&kFirst, 12),
                                shared_variable(&kSecond, 40)};
    for (std::byte* part : parts) ASSERT_EQ(part[me], std::byte{0xff});
    block_barrier(false);
    for (std::byte* part : parts) part[me] = std::byte{0x11};
  });
}

TEST_P(SharedMemoryInOrder, HasOneVariableOfAName) {
  run_grid(kRun, [] {
    std::byte* const first = shared_variable(&kFirst, 12);
    if (place().linear == 5) first[0] = std::byte{5};
    block_barrier(false);
    ASSERT_EQ(shared_variable(&kFirst, 12), first);
    ASSERT_EQ(first[0], std::byte{5});
    ASSERT_NE(shared_variable(&kSecond, 12), first);
  });
}

TEST(SharedMemoryLayout, IsAligned) {
  run_grid(kRun, [] {
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(shared_memory()) % 256, 0);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(shared_variable(&kFirst, 1)) % 16, 0);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(shared_variable(&kSecond, 1)) % 16, 0);
  });
}

TEST(SharedMemoryLayout, MayBeLarge) {
  run_grid({.block = {2, 1, 1}, .dynamic_shared_bytes = 227 * 1024}, [] {
    std::byte& last = shared_memory()[227 * 1024 - 1];
    if (place().linear == 1) last = std::byte{7};
    block_barrier(false);
    ASSERT_EQ(last, std::byte{7});
  });
}

void expect_red_zones_around(const std::byte* part, std::ptrdiff_t bytes) {
  for (std::ptrdiff_t at = -200; at < bytes + 200; ++at) {
    const bool is_poisoned = has_address_sanitizer() && __asan_address_is_poisoned(part + at) != 0;
    ASSERT_EQ(is_poisoned, has_address_sanitizer() && (at < 0 || at >= bytes)) << "at " << at;
  }
}

TEST(SharedMemoryLayout, HasRedZonesAroundEachPart) {
  run_grid({.dynamic_shared_bytes = 20}, [] {
    const std::byte* const first = shared_variable(&kFirst, 12);
    const std::byte* const second = shared_variable(&kSecond, 40);
    expect_red_zones_around(shared_memory(), 20);
    expect_red_zones_around(first, 12);
    expect_red_zones_around(second, 40);
  });
}

}  // namespace
}  // namespace assay::cuda::on_cpu
