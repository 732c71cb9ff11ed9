// Region guards: not copyable or movable; effects of leaving out of order.
#include "reference/autocast/region.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

namespace assay::reference {
namespace {

template <typename T>
constexpr bool kStays = !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> &&
                        !std::is_copy_assignable_v<T> && !std::is_move_assignable_v<T>;

// CAST-616
TEST(RegionGuard, LeftOutOfOrderRestoresWhatItHadSeen) {
  EXPECT_TRUE(kStays<RegionGuard>);
  EXPECT_TRUE(kStays<AutocastRegion>);
  Runtime runtime;
  AutocastRegion outer(runtime, {.device = "cuda", .cuda_available = true});
  AutocastRegion inner(runtime, {.device = "cuda", .enabled = false, .cuda_available = true});
  auto first = std::make_unique<RegionGuard>(outer);
  auto second = std::make_unique<RegionGuard>(inner);
  EXPECT_FALSE(is_autocast_enabled(runtime, DeviceType::kCuda));

  first.reset();
  EXPECT_FALSE(is_autocast_enabled(runtime, DeviceType::kCuda)) << "as before the outer one";
  second.reset();

  EXPECT_TRUE(is_autocast_enabled(runtime, DeviceType::kCuda)) << "as before the inner one";
}

TEST(RegionGuard, LeftInOrderRestoresEverything) {
  Runtime runtime;
  AutocastRegion region(runtime, {.device = "cuda", .cuda_available = true});
  {
    const RegionGuard guard(region);
    EXPECT_TRUE(is_autocast_enabled(runtime, DeviceType::kCuda));
  }

  EXPECT_FALSE(is_autocast_enabled(runtime, DeviceType::kCuda));
}

}  // namespace
}  // namespace assay::reference
