// Sizes, by the test vectors of the specification.
#include "reference/memory/sizes.hpp"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

AllocatorConfig with_divisions(std::uint64_t divisions) {
  AllocatorConfig config;
  config.power2_divisions.fill(divisions);
  return config;
}

TEST(MemorySizes, BlocksAreMultiplesOf512) {  // V-60
  EXPECT_EQ(rounded_size(1, {}), 512u);
  EXPECT_EQ(rounded_size(512, {}), 512u);
  EXPECT_EQ(rounded_size(513, {}), 1024u);
  EXPECT_EQ(rounded_size(1025, {}), 1536u);
}

TEST(MemorySizes, SegmentsFollowTheSizeOfTheBlock) {  // V-61 to V-63
  const auto segment = [](std::uint64_t size) { return segment_size(rounded_size(size, {})); };

  EXPECT_EQ(rounded_size(1048575, {}), 1048576u);
  EXPECT_EQ(segment(1048575), 2097152u);
  EXPECT_EQ(segment(1048576), 2097152u);
  EXPECT_EQ(rounded_size(1048577, {}), 1049088u);
  EXPECT_EQ(segment(1048577), 20971520u);
  EXPECT_EQ(segment(10485248), 20971520u);
  EXPECT_EQ(segment(10485249), 10485760u);
  EXPECT_EQ(segment(10485760), 10485760u);
  EXPECT_EQ(segment(10485761), 12582912u);
  EXPECT_EQ(segment(12582913), 14680064u);
  EXPECT_EQ(segment(20971521), 23068672u);
}

TEST(MemorySizes, DivisionsOfPowersOfTwoBeginAbove512Times) {  // V-64
  const AllocatorConfig four = with_divisions(4);

  EXPECT_EQ(rounded_size(1200, four), 1536u);
  EXPECT_EQ(rounded_size(2049, four), 2560u);
  EXPECT_EQ(rounded_size(3000, four), 3072u);
  EXPECT_EQ(rounded_size(4097, four), 5120u);
  EXPECT_EQ(rounded_size(5121, four), 6144u);
  EXPECT_EQ(rounded_size(1048577, four), 1310720u);
}

TEST(MemorySizes, AStepIsNoSmallerThanOne) {  // V-65
  EXPECT_EQ(next_step(1200, 4), 1280u);
  EXPECT_EQ(next_step(3, 8), 4u);
}

TEST(MemorySizes, TextChangesItsUnitAboveAThousandOfTheOneBefore) {  // V-66
  EXPECT_EQ(size_text(1024), "1024 bytes");
  EXPECT_EQ(size_text(1025), "1.00 KiB");
  EXPECT_EQ(size_text(1048576), "1024.00 KiB");
  EXPECT_EQ(size_text(1048577), "1.00 MiB");
  EXPECT_EQ(size_text(1073741824), "1024.00 MiB");
  EXPECT_EQ(size_text(1073741825), "1.00 GiB");
}

}  // namespace
}  // namespace assay::reference
