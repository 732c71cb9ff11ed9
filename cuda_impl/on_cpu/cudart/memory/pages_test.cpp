// Pages from the system: their addresses and their guard pages.
#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace assay::cuda::on_cpu {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHugePage = 2 << 20;
/// Around each bound: of a page, of a huge page, of several.
constexpr std::array<std::uint64_t, 9> kSizes = {
    1,         kPage,         kPage + 1,     kHugePage - kPage,    kHugePage - 1,
    kHugePage, kHugePage + 1, 5 * kHugePage, 5 * kHugePage + 12345};

/// Whether the process has the page that the address is in.
bool is_mapped(const char* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  unsigned char is_resident = 0;
  return mincore(reinterpret_cast<void*>(number / kPage * kPage), 1, &is_resident) == 0;
}

TEST(Pages, EveryByteIsThereAndLargeMemoryBeginsAtAHugePage) {
  for (const std::uint64_t size : kSizes) {
    SCOPED_TRACE(size);
    char* const begin = static_cast<char*>(map_pages(size));
    ASSERT_NE(begin, nullptr);

    std::memset(begin, 7, size);

    const std::uint64_t alignment = size > kHugePage - kPage ? kHugePage : kPage;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin) % alignment, 0U);
    EXPECT_EQ(begin[size - 1], 7);
    unmap_pages(begin, size);
  }
}

TEST(Pages, NothingOfThemIsLeft) {
  for (const std::uint64_t size : kSizes) {
    SCOPED_TRACE(size);
    char* const begin = static_cast<char*>(map_pages(size));
    ASSERT_NE(begin, nullptr);
    EXPECT_TRUE(is_mapped(begin - 1));
    EXPECT_TRUE(is_mapped(begin + size - 1 + kPage));

    unmap_pages(begin, size);

    EXPECT_FALSE(is_mapped(begin - 1));
    EXPECT_FALSE(is_mapped(begin));
    EXPECT_FALSE(is_mapped(begin + size - 1));
    EXPECT_FALSE(is_mapped(begin + size - 1 + kPage));
  }
}

TEST(FilledPages, AreTheSameAgainWhateverWasWrittenToOthers) {
  const FilledPages filled(0xa5, 2 * kHugePage);
  for (const std::uint64_t size : {kPage + 5, kHugePage + 12345, 2 * kHugePage}) {
    for (const int written : {1, 2}) {
      SCOPED_TRACE(size);
      char* const begin = static_cast<char*>(map_pages(size));
      ASSERT_NE(begin, nullptr);

      ASSERT_TRUE(filled.map_at(begin, size));

      const auto is_filled = [](char byte) { return byte == '\xa5'; };
      EXPECT_TRUE(std::all_of(begin, begin + size, is_filled));
      std::memset(begin, written, size);
      EXPECT_EQ(begin[size - 1], written);
      unmap_pages(begin, size);
    }
  }
}

TEST(FilledPages, OfMoreThanThereAreAreRefused) {
  const FilledPages filled(0xa5, kPage);
  char* const begin = static_cast<char*>(map_pages(2 * kPage));
  ASSERT_NE(begin, nullptr);

  EXPECT_FALSE(filled.map_at(begin, 2 * kPage));

  EXPECT_EQ(begin[0], 0);
  unmap_pages(begin, 2 * kPage);
}

TEST(PagesDeathTest, TheByteBeforeAndThePageBehindAreNobodys) {
  for (const std::uint64_t size : {kPage, kHugePage, 3 * kHugePage + kPage}) {
    SCOPED_TRACE(size);
    volatile char* const begin = static_cast<char*>(map_pages(size));
    ASSERT_NE(begin, nullptr);

    EXPECT_DEATH(begin[-1] = 1, "");
    EXPECT_DEATH(begin[size] = 1, "");

    unmap_pages(const_cast<char*>(begin), size);
  }
}

#if defined(__SANITIZE_ADDRESS__)
TEST(Pages, TheAddressSanitizerKnowsTheirBounds) {
  for (const std::uint64_t size : kSizes) {
    SCOPED_TRACE(size);
    char* const begin = static_cast<char*>(map_pages(size));
    ASSERT_NE(begin, nullptr);

    EXPECT_TRUE(__asan_address_is_poisoned(begin - 1));
    EXPECT_EQ(__asan_region_is_poisoned(begin, size), nullptr);
    EXPECT_TRUE(__asan_address_is_poisoned(begin + size));

    unmap_pages(begin, size);
    EXPECT_FALSE(__asan_address_is_poisoned(begin + size));
  }
}
#endif

}  // namespace
}  // namespace assay::cuda::on_cpu
