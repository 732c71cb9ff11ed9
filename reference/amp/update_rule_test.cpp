// The test vectors of _amp_update_scale_ for both devices.
#include "reference/amp/update_rule.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>

namespace assay::reference {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kNaNBits = 0x7fc00000;

struct After {
  std::uint32_t scale;
  std::int64_t tracker;
};

struct Vector {
  const char* id;
  std::uint32_t scale;
  std::int64_t tracker;
  std::uint32_t found_inf;
  ScaleFactors factors;
  After cpu;
  After cuda;
};

void PrintTo(const Vector& vector, std::ostream* out) { *out << vector.id; }

constexpr Vector kVectors[] = {
    {"U01", 0x40800000, 0, 0x00000000, {2, 0.25, 2}, {0x40800000, 1}, {0x40800000, 1}},
    {"U02", 0x40800000, 1, 0x00000000, {2, 0.25, 2}, {0x41000000, 0}, {0x41000000, 0}},
    {"U03", 0x41000000, 0, 0x3f800000, {2, 0.25, 2}, {0x40000000, 0}, {0x40000000, 0}},
    {"U04", 0x47800000, 1998, 0x00000000, {2, 0.5, 2000}, {0x47800000, 1999}, {0x47800000, 1999}},
    {"U05", 0x47800000, 1999, 0x00000000, {2, 0.5, 2000}, {0x48000000, 0}, {0x48000000, 0}},
    {"U06", 0x47800000, 2000, 0x00000000, {2, 0.5, 2000}, {0x47800000, 2001}, {0x47800000, 2001}},
    {"U07", 0x47800000, 5000, 0x00000000, {2, 0.5, 2000}, {0x47800000, 5001}, {0x47800000, 5001}},
    {"U08", 0x47800000, 0, 0x00000000, {2, 0.5, 1}, {0x48000000, 0}, {0x48000000, 0}},
    {"U09", 0x47800000, 0, 0x00000000, {2, 0.5, 0}, {0x47800000, 1}, {0x47800000, 1}},
    {"U10", 0x47800000, -1, 0x00000000, {2, 0.5, 0}, {0x48000000, 0}, {0x48000000, 0}},
    {"U11", 0x47800000, -4, 0x00000000, {2, 0.5, -3}, {0x48000000, 0}, {0x48000000, 0}},
    {"U12", 0x47800000, -2, 0x00000000, {2, 0.5, 1}, {0x47800000, -1}, {0x47800000, -1}},
    {"U13",
     0x47800000,
     2147483647,
     0x00000000,
     {2, 0.5, 2000},
     {0x47800000, -2147483648},
     {0x47800000, -2147483648}},
    {"U14",
     0x47800000,
     2147483647,
     0x00000000,
     {2, 0.5, -2147483648},
     {0x48000000, 0},
     {0x48000000, 0}},
    {"U15", 0x47800000, 0, 0x00000000, {2, 0.5, 4294967297}, {0x47800000, 1}, {0x48000000, 0}},
    {"U16",
     0x47800000,
     2147483647,
     0x00000000,
     {2, 0.5, 2147483648},
     {0x47800000, -2147483648},
     {0x48000000, 0}},
    {"U17", 0x47800000, 7, 0x7fc00000, {2, 0.5, 8}, {0x47000000, 0}, {0x47000000, 0}},
    {"U18", 0x47800000, 7, 0xbf800000, {2, 0.5, 8}, {0x47000000, 0}, {0x47000000, 0}},
    {"U19", 0x47800000, 7, 0x80000000, {2, 0.5, 8}, {0x48000000, 0}, {0x48000000, 0}},
    {"U20", 0x47800000, 7, 0x00000001, {2, 0.5, 8}, {0x47000000, 0}, {0x47000000, 0}},
    {"U21", 0x47800000, 7, 0x40000000, {2, 0.5, 8}, {0x47000000, 0}, {0x47000000, 0}},
    {"U22", 0x47800000, 7, 0x7f800000, {2, 0.5, 8}, {0x47000000, 0}, {0x47000000, 0}},
    {"U23", 0x7e800000, 0, 0x00000000, {2, 0.5, 1}, {0x7f000000, 0}, {0x7f000000, 0}},
    {"U24", 0x7f000000, 0, 0x00000000, {2, 0.5, 1}, {0x7f000000, 0}, {0x7f000000, 0}},
    {"U25", 0x7effffff, 0, 0x00000000, {2, 0.5, 1}, {0x7f7fffff, 0}, {0x7f7fffff, 0}},
    {"U26", 0x7f7fffff, 0, 0x00000000, {1.00000002, 0.5, 1}, {0x7f7fffff, 0}, {0x7f7fffff, 0}},
    {"U27", 0x7f7fffff, 0, 0x00000000, {1.00000003, 0.5, 1}, {0x7f7fffff, 0}, {0x7f7fffff, 0}},
    {"U28", 0x7e967699, 0, 0x00000000, {16, 0.5, 1}, {0x7e967699, 0}, {0x7e967699, 0}},
    {"U29", 0x7f800000, 0, 0x00000000, {2, 0.5, 1}, {0x7f800000, 0}, {0x7f800000, 0}},
    {"U30", 0x7f800000, 5, 0x3f800000, {2, 0.5, 9}, {0x7f800000, 0}, {0x7f800000, 0}},
    {"U31", 0x7fc00000, 3, 0x3f800000, {2, 0.5, 9}, {kNaNBits, 0}, {kNaNBits, 0}},
    {"U32", 0x00800000, 3, 0x3f800000, {2, 0.5, 9}, {0x00400000, 0}, {0x00400000, 0}},
    {"U33", 0x00800001, 3, 0x3f800000, {2, 0.5, 9}, {0x00400000, 0}, {0x00400000, 0}},
    {"U34", 0x00000003, 3, 0x3f800000, {2, 0.5, 9}, {0x00000002, 0}, {0x00000002, 0}},
    {"U35", 0x00000001, 3, 0x3f800000, {2, 0.5, 9}, {0x00000000, 0}, {0x00000000, 0}},
    {"U36", 0x00000000, 0, 0x00000000, {2, 0.5, 1}, {0x00000000, 0}, {0x00000000, 0}},
    {"U37", 0x3f800000, 0, 0x3f800000, {2, 4, 1}, {0x40800000, 0}, {0x40800000, 0}},
    {"U38", 0x7e800000, 0, 0x3f800000, {2, 8, 1}, {0x7f800000, 0}, {0x7f800000, 0}},
    {"U39", 0x47800000, 0, 0x3f800000, {2, 0, 1}, {0x00000000, 0}, {0x00000000, 0}},
    {"U40", 0x47800000, 0, 0x3f800000, {2, -0.5, 1}, {0xc7000000, 0}, {0xc7000000, 0}},
    {"U41", 0x40400000, 0, 0x00000000, {kNaN, 0.5, 1}, {0x40400000, 0}, {0x40400000, 0}},
    {"U42", 0x40400000, 0, 0x3f800000, {2, kNaN, 1}, {kNaNBits, 0}, {kNaNBits, 0}},
    {"U43", 0xc1000000, 0, 0x00000000, {2, 0.5, 1}, {0xc1800000, 0}, {0xc1800000, 0}},
    {"U44", 0x47800000, 0, 0x00000000, {1.1, 0.7, 1}, {0x478ccccd, 0}, {0x478ccccd, 0}},
    {"U45", 0x47e2c284, 0, 0x00000000, {1.1, 0.5, 1}, {0x47f96f91, 0}, {0x47f96f91, 0}},
    {"U46", 0x47a66666, 0, 0x00000000, {1.3, 0.5, 1}, {0x47d851eb, 0}, {0x47d851eb, 0}},
    {"U47", 0x47666666, 0, 0x3f800000, {2, 0.9, 1}, {0x474f5c29, 0}, {0x474f5c29, 0}},
    {"U48", 0x4675dcc6, 0, 0x3f800000, {2, 0.7, 1}, {0x462c1a8b, 0}, {0x462c1a8b, 0}},
};

void expect_after(const Vector& vector, const UpdateRules& rules, const After& wanted) {
  const ScaleState before{std::bit_cast<float>(vector.scale),
                          static_cast<std::int32_t>(vector.tracker)};

  const ScaleState after =
      next_scale_state(before, std::bit_cast<float>(vector.found_inf), vector.factors, rules);

  if (wanted.scale == kNaNBits) {
    EXPECT_TRUE(std::isnan(after.scale));
  } else {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(after.scale), wanted.scale);
  }
  EXPECT_EQ(after.tracker, wanted.tracker);
}

class UpdateRuleVectors : public testing::TestWithParam<Vector> {};

TEST_P(UpdateRuleVectors, HoldOnTheCpu) {
  expect_after(GetParam(), {.interval_is_int32 = false}, GetParam().cpu);
}

TEST_P(UpdateRuleVectors, HoldOnCuda) {
  expect_after(GetParam(), {.interval_is_int32 = true}, GetParam().cuda);
}

INSTANTIATE_TEST_SUITE_P(Spec, UpdateRuleVectors, testing::ValuesIn(kVectors),
                         [](const auto& tested) { return tested.param.id; });

TEST(UpdateRule, StoresInfiniteGrowthBeforeRelease2_1) {
  const ScaleState after = next_scale_state(
      {0x1p+127F, 4}, 0.0F, {2.0, 0.5, 5}, {.interval_is_int32 = true, .growth_is_guarded = false});

  EXPECT_TRUE(std::isinf(after.scale));
  EXPECT_EQ(after.tracker, 0);
}

TEST(UpdateRule, RestartsTheTrackerWhenGrowthIsRefused) {
  const ScaleState after = next_scale_state({0x1p+127F, 4}, 0.0F, {2.0, 0.5, 5}, {});

  EXPECT_EQ(after.scale, 0x1p+127F);
  EXPECT_EQ(after.tracker, 0);
}

}  // namespace

}  // namespace assay::reference
