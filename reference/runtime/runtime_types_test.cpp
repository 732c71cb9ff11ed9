// Compile-time properties of the runtime's types.
#include <gtest/gtest.h>

#include <type_traits>

#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/guards/stream.hpp"

namespace assay::reference {
namespace {

template <typename T>
constexpr bool kStays = !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> &&
                        !std::is_copy_assignable_v<T> && !std::is_move_assignable_v<T>;

template <typename T>
constexpr bool kOnlyMoves =
    !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> &&
    std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;

// A movable guard could end on another thread, or twice.
TEST(RuntimeTypes, GuardsAreNeitherCopiedNorMoved) {
  EXPECT_TRUE(kStays<BackendDeviceGuard>);
  EXPECT_TRUE(kStays<OptionalDeviceGuard>);
  EXPECT_TRUE(kStays<StreamGuard>);
  EXPECT_TRUE(kStays<OptionalStreamGuard>);
  EXPECT_TRUE(kStays<MultiStreamGuard>);
}

TEST(RuntimeTypes, EventsAreMovedAndNotCopied) {
  EXPECT_TRUE(kOnlyMoves<Event>);
  EXPECT_TRUE(kOnlyMoves<CudaEvent>);
}

TEST(RuntimeTypes, StreamIsSixteenBytes) {
  EXPECT_EQ(sizeof(Stream), 16u);
  EXPECT_TRUE(std::is_trivially_copyable_v<Stream>);
}

TEST(RuntimeTypes, DestructorsDoNotThrow) {
  EXPECT_TRUE(std::is_nothrow_destructible_v<StreamGuard>);
  EXPECT_TRUE(std::is_nothrow_destructible_v<CudaEvent>);
}

}  // namespace
}  // namespace assay::reference
