// The test vectors of CAST-901 to CAST-908, and round trips of all half values.
#include "reference/core/types/convert.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::reference {
namespace {

struct Narrowed {
  std::uint32_t wide;
  std::uint16_t half;
  std::uint16_t bfloat16;
};

constexpr Narrowed kNarrowed[] = {
    {0x00000000, 0x0000, 0x0000}, {0x80000000, 0x8000, 0x8000}, {0x00000001, 0x0000, 0x0000},
    {0x80000001, 0x8000, 0x8000}, {0x00008000, 0x0000, 0x0000}, {0x00008001, 0x0000, 0x0001},
    {0x00018000, 0x0000, 0x0002}, {0x007fffff, 0x0000, 0x0080}, {0x00800000, 0x0000, 0x0080},
    {0x32ffffff, 0x0000, 0x3300}, {0x33000000, 0x0000, 0x3300}, {0x33000001, 0x0001, 0x3300},
    {0x337fffff, 0x0001, 0x3380}, {0x33800000, 0x0001, 0x3380}, {0x33bfffff, 0x0001, 0x33c0},
    {0x33c00000, 0x0002, 0x33c0}, {0x33c00001, 0x0002, 0x33c0}, {0x34200000, 0x0002, 0x3420},
    {0x387fbfff, 0x03ff, 0x3880}, {0x387fc000, 0x03ff, 0x3880}, {0x387fdfff, 0x03ff, 0x3880},
    {0x387fe000, 0x0400, 0x3880}, {0x387fffff, 0x0400, 0x3880}, {0x38800000, 0x0400, 0x3880},
    {0x38800fff, 0x0400, 0x3880}, {0x38801000, 0x0400, 0x3880}, {0x38801001, 0x0401, 0x3880},
    {0x38803000, 0x0402, 0x3880}, {0x3f7fffff, 0x3c00, 0x3f80}, {0x3f800fff, 0x3c00, 0x3f80},
    {0x3f801000, 0x3c00, 0x3f80}, {0x3f801001, 0x3c01, 0x3f80}, {0x3f803000, 0x3c02, 0x3f80},
    {0x3f807fff, 0x3c04, 0x3f80}, {0x3f808000, 0x3c04, 0x3f80}, {0x3f808001, 0x3c04, 0x3f81},
    {0x3f818000, 0x3c0c, 0x3f82}, {0x3f828000, 0x3c14, 0x3f82}, {0x42c80000, 0x5640, 0x42c8},
    {0x461c4000, 0x70e2, 0x461c}, {0x477fdfff, 0x7bff, 0x4780}, {0x477fe000, 0x7bff, 0x4780},
    {0x477fefff, 0x7bff, 0x4780}, {0x477ff000, 0x7c00, 0x4780}, {0x477ff001, 0x7c00, 0x4780},
    {0x47800000, 0x7c00, 0x4780}, {0xc77fefff, 0xfbff, 0xc780}, {0xc77ff000, 0xfc00, 0xc780},
    {0x4b800001, 0x7c00, 0x4b80}, {0x7f7f0000, 0x7c00, 0x7f7f}, {0x7f7f7fff, 0x7c00, 0x7f7f},
    {0x7f7f8000, 0x7c00, 0x7f80}, {0x7f7fffff, 0x7c00, 0x7f80}, {0xff7fffff, 0xfc00, 0xff80},
    {0x7f800000, 0x7c00, 0x7f80}, {0xff800000, 0xfc00, 0xff80}, {0x3dcccccd, 0x2e66, 0x3dcd},
    {0x3eaaaaab, 0x3555, 0x3eab}, {0x40490fdb, 0x4248, 0x4049}, {0xb3000000, 0x8000, 0xb300},
};

TEST(Convert, narrows_the_vectors_of_the_specification) {
  for (const Narrowed& row : kNarrowed) {
    EXPECT_EQ(half_bits(row.wide, {}), row.half) << std::hex << row.wide;
    EXPECT_EQ(bfloat16_bits(row.wide, {}), row.bfloat16) << std::hex << row.wide;
  }
}

TEST(Convert, widens_the_vectors_of_the_specification) {
  EXPECT_EQ(float_bits_of_half(0x0001, {}), 0x33800000u);
  EXPECT_EQ(float_bits_of_half(0x0002, {}), 0x34000000u);
  EXPECT_EQ(float_bits_of_half(0x03ff, {}), 0x387fc000u);
  EXPECT_EQ(float_bits_of_half(0x83ff, {}), 0xb87fc000u);
  EXPECT_EQ(float_bits_of_half(0x0400, {}), 0x38800000u);
  EXPECT_EQ(float_bits_of_half(0x3555, {}), 0x3eaaa000u);
  EXPECT_EQ(float_bits_of_half(0x7bff, {}), 0x477fe000u);
  EXPECT_EQ(float_bits_of_half(0xfc00, {}), 0xff800000u);
  EXPECT_EQ(float_bits_of_bfloat16(0x0001), 0x00010000u);
}

TEST(Convert, every_half_that_is_no_nan_returns_from_float) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto narrow = static_cast<std::uint16_t>(bits);
    if ((bits & 0x7fff) <= 0x7c00) {
      EXPECT_EQ(half_from_float(float_from_half(narrow)), narrow);
    }
    if ((bits & 0x7fff) <= 0x7f80) {
      EXPECT_EQ(bfloat16_from_float(float_from_bfloat16(narrow)), narrow);
    }
  }
}

TEST(Convert, every_half_has_the_value_of_its_fields) {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const double fraction = bits & 0x3ff;
    const double value =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    EXPECT_EQ(float_from_half(static_cast<std::uint16_t>(bits)), value);
  }
}

TEST(Convert, nan_results_tell_who_converted) {
  for (const std::uint32_t nan : {0x7f800001u, 0x7fc00000u, 0xff800001u, 0xffffffffu}) {
    const std::uint32_t sign = (nan >> 16) & 0x8000;
    EXPECT_EQ(half_bits(nan, {Converter::kCpuScalar}), sign | 0x7e00);
    EXPECT_EQ(half_bits(nan, {Converter::kCuda}), 0x7fff);
    EXPECT_EQ(bfloat16_bits(nan, {Converter::kCpuScalar}), 0x7fc0);
    EXPECT_EQ(bfloat16_bits(nan, {Converter::kCpuVector}), 0xffff);
    EXPECT_EQ(bfloat16_bits(nan, {Converter::kCuda}), 0x7fff);
  }
  EXPECT_EQ(half_bits(0xff802fff, {.uses_f16c = true}), 0xfe01);
  EXPECT_EQ(half_bits(0x7fffffff, {.uses_f16c = true}), 0x7fff);
  EXPECT_EQ(float_bits_of_half(0x7c01, {Converter::kCpuScalar}), 0x7fc02000u);
  EXPECT_EQ(float_bits_of_half(0xfe00, {Converter::kCuda}), 0x7fffffffu);
  EXPECT_EQ(float_bits_of_bfloat16(0x7f81), 0x7f810000u);
}

}  // namespace
}  // namespace assay::reference
