// Tests of the expected data on a device, with explicit bytes.
#include "harness/measure/device_results.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <utility>
#include <vector>

#include "harness/measure/loops.hpp"

namespace assay::measure {
namespace {

std::uint32_t crc(const std::vector<std::uint8_t>& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

/// The loop is ignored.
LoopCall with(Axes arguments) {
  LoopCall call(*find_loop("copy"));
  call.arguments = std::move(arguments);
  return call;
}

LoopCall of(const char* dtype, std::int64_t count) {
  return with({{"dtype", dtype}, {"tensors", std::int64_t{1}}, {"N", count}});
}

// Elements 0 and 1 are -32 and 7735/1024 = 1.111000110111 * 2^2 in binary.

TEST(DeviceResults, ElementsAreRoundedToTheNearestAndTheirSignsTurned) {
  EXPECT_EQ(turned_signs(of("f32", 2), 0, Part::kWhole), crc({0, 0, 0, 0xc2, 0, 0xb8, 0xf1, 0x40}));
  EXPECT_EQ(turned_signs(of("f32", 2), 1, Part::kWhole), crc({0, 0, 0, 0x42, 0, 0xb8, 0xf1, 0xc0}));
  EXPECT_EQ(turned_signs(of("f16", 2), 2, Part::kWhole), crc({0, 0xd0, 0x8e, 0x47}));
  EXPECT_EQ(turned_signs(of("bf16", 2), 2, Part::kWhole), crc({0, 0xc2, 0xf2, 0x40}));
}

TEST(DeviceResults, CastsRoundOnceAndWidenExactly) {
  EXPECT_EQ(cast_from_f32(of("bf16", 2), 7, Part::kWhole), crc({0, 0xc2, 0xf2, 0x40}));
  EXPECT_EQ(cast_to_f32(of("bf16", 2), 7, Part::kWhole), crc({0, 0, 0, 0xc2, 0, 0, 0xf2, 0x40}));
  EXPECT_EQ(cast_to_f32(of("f16", 2), 7, Part::kWhole), crc({0, 0, 0, 0xc2, 0, 0xc0, 0xf1, 0x40}));
}

TEST(DeviceResults, ASeedMovesTheNumbersOfEveryTensor) {
  LoopCall call = with({{"N", std::int64_t{1}}, {"tensors", std::int64_t{2}}});
  call.seed = 65537;
  EXPECT_EQ(copied_f32(call, 1, Part::kWhole), crc({0, 0xb8, 0xf1, 0x40, 0, 0xb8, 0xf1, 0x40}));
  call.seed = ~std::uint64_t{0};  // element 65535 of the period, -7735/1024
  EXPECT_EQ(turned_signs(call, 0, Part::kWhole), crc({0, 0xb8, 0xf1, 0xc0, 0, 0xb8, 0xf1, 0xc0}));
}

TEST(DeviceResults, TheTrackerCountsIterations) {
  EXPECT_EQ(counted_tracker(with({}), 258, Part::kWhole), crc({0, 0, 0x80, 0x3f, 2, 1, 0, 0}));
}

TEST(DeviceResults, OnlyTheEndsOfLargeTensorsAreChecked) {
  const std::int64_t end = 65536;
  const auto small = copied_f32(with({{"N", end}}), 1, Part::kWhole);

  EXPECT_NE(copied_f32(with({{"N", end + 1}}), 1, Part::kEnds),
            copied_f32(with({{"N", end}}), 1, Part::kEnds));
  EXPECT_EQ(copied_f32(with({{"N", 3 * end}}), 1, Part::kEnds),
            copied_f32(with({{"N", end}}), 1, Part::kEnds));
  EXPECT_NE(copied_f32(with({{"N", 3 * end}}), 1, Part::kWhole), small);
}

TEST(DeviceResults, AllTensorsOfAListAreCheckedAsOne) {
  LoopCall two = of("f16", 2);
  two.arguments[1].second = std::int64_t{2};

  EXPECT_EQ(turned_signs(two, 0, Part::kWhole), crc({0, 0xd0, 0x8e, 0x47, 0, 0xd0, 0x8e, 0x47}));
  EXPECT_EQ(turned_signs(two, 0, Part::kEnds), turned_signs(two, 0, Part::kWhole));
}

TEST(DeviceResults, TensorsOfAListHaveTheirOwnSizes) {
  LoopCall list = of("f16", 99);
  list.sizes = {1, 2};

  EXPECT_EQ(turned_signs(list, 0, Part::kWhole), crc({0, 0xd0, 0, 0xd0, 0x8e, 0x47}));
  EXPECT_EQ(turned_signs(list, 0, Part::kEnds), turned_signs(list, 0, Part::kWhole));
}

TEST(DeviceResults, AStepAddsTheSignsAndTheNextSubtractsThem) {
  EXPECT_EQ(stepped_by_signs(of("f32", 2), 2, Part::kWhole),
            crc({0, 0, 0, 0xc2, 0, 0xb8, 0xf1, 0x40}));
  // -33 and 8759/1024
  EXPECT_EQ(stepped_by_signs(of("f32", 2), 7, Part::kWhole),
            crc({0, 0, 4, 0xc2, 0, 0xdc, 0x08, 0x41}));
}

TEST(DeviceResults, WordsAndBytesThatLoopsWrite) {
  const LoopCall counting = with({{"bytes", std::int64_t{8}}});
  const LoopCall idle = with({{"bytes", std::int64_t{0}}});
  EXPECT_EQ(counted_word(counting, 258, Part::kWhole), crc({2, 1, 0, 0}));
  EXPECT_EQ(counted_word(counting, 258, Part::kEnds), crc({2, 1, 0, 0, 2, 1, 0, 0}));
  EXPECT_EQ(counted_word(idle, 258, Part::kWhole), crc({0, 0, 0, 0}));
  EXPECT_EQ(set_bytes(of("f32", 1), 3, Part::kWhole), crc({0x5a, 0x5a, 0x5a, 0x5a}));
}

TEST(DeviceResults, AnUnknownDtypeIsAnErrorOfTheHarness) {
  EXPECT_THROW(turned_signs(of("f64", 2), 0, Part::kWhole), std::logic_error);
}

}  // namespace
}  // namespace assay::measure
