// The counting `operator new` of the test program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "cuda_impl/core/for_tests.hpp"

namespace {

thread_local std::int64_t allocations = 0;

void* counted(void* memory) {
  ++allocations;
  return memory;
}

void* never_null(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* aligned(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (size + step - 1) / step * step);
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size == 0 ? 1 : size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  return counted(aligned(size, alignment));
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  return never_null(operator new(size, std::nothrow));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return never_null(operator new(size, alignment, std::nothrow));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace assay::cuda {

std::int64_t allocations_so_far() { return allocations; }

namespace {

TEST(Allocations, AreCountedOnTheThreadThatMakesThem) {
  EXPECT_EQ(allocations_of([] {}), 0);
  EXPECT_EQ(allocations_of([] { std::make_unique<int>(1); }), 1);
  EXPECT_EQ(allocations_of([] { std::vector<double>(1000); }), 1);
  struct alignas(128) Wide {
    char bytes[128];
  };
  EXPECT_EQ(allocations_of([] { std::make_unique<Wide>(); }), 1);

  const std::int64_t before = allocations_so_far();
  std::thread other;  // starting it allocates on this thread
  other = std::thread([] { std::vector<std::vector<int>>(10, std::vector<int>(10)); });
  other.join();
  EXPECT_LE(allocations_so_far() - before, 2);
}

}  // namespace
}  // namespace assay::cuda
