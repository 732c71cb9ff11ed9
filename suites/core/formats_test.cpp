// Tests the conversions that cases expect, against MPFR's digests and known thresholds.
#include "suites/formats/formats.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/recipe.hpp"
#include "harness/suite/tensors.hpp"
#include "suites/formats/digests.hpp"

namespace assay {
std::span<const EmbeddedFile> suite_core_digests();
}

namespace assay::suites {
namespace {

struct Sample {
  const char* sweep;
  Dtype from;
  Dtype to;
  std::uint64_t start;
  std::uint64_t step;
};

constexpr Sample kSamples[] = {
    {"float32_to_float16", Dtype::kFloat32, Dtype::kFloat16, 0, 4099},
    {"float32_to_bfloat16", Dtype::kFloat32, Dtype::kBfloat16, 0, 4099},
    {"float64_to_float16", Dtype::kFloat64, Dtype::kFloat16, 0x3e50000000000000, 0x2b00000001},
    {"float64_to_bfloat16", Dtype::kFloat64, Dtype::kBfloat16, 0x3e50000000000000, 0x2b00000001},
    {"float16_to_float32", Dtype::kFloat16, Dtype::kFloat32, 0, 1},
    {"bfloat16_to_float32", Dtype::kBfloat16, Dtype::kFloat32, 0, 1},
    {"float16_to_bfloat16", Dtype::kFloat16, Dtype::kBfloat16, 0, 1},
    {"bfloat16_to_float16", Dtype::kBfloat16, Dtype::kFloat16, 0, 1},
};

Digest digest_by_formats(const Sample& sample, const ExpectedDigests& expected) {
  const auto count = static_cast<std::int64_t>(expected.block * expected.crc.size());
  const TensorValue input = materialize(
      by_recipe(sample.from, count, {Recipe::Kind::kCounter, sample.start, sample.step, {}}));
  TensorValue output = filled(sample.to, count, 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    output.set_bits(i, converted_bits(sample.from, sample.to, input.bits_at(i)));
  }
  return digest_of(output, expected.block);
}

TEST(Formats, agree_with_mpfr_on_every_committed_sample) {
  for (const Sample& sample : kSamples) {
    const ExpectedDigests expected =
        digests_in(suite_core_digests(), "digests/samples.txt", sample.sweep);

    EXPECT_EQ(digest_by_formats(sample, expected).crc, expected.crc) << sample.sweep;
  }
}

TEST(Formats, narrow_at_the_thresholds_as_the_text_says) {
  EXPECT_EQ(half_of(0x477fefff), 0x7bff);
  EXPECT_EQ(half_of(0x477ff000), 0x7c00);
  EXPECT_EQ(half_of(0x33000000), 0x0000);
  EXPECT_EQ(half_of(0x33000001), 0x0001);
  EXPECT_EQ(bfloat16_of(0x7f7f7fff), 0x7f7f);
  EXPECT_EQ(bfloat16_of(0x7f7f8000), 0x7f80);
  EXPECT_EQ(bfloat16_of(0x00008001), 0x0001);
}

TEST(Formats, a_sweep_that_is_not_there_is_an_error) {
  EXPECT_THROW(digests_in(suite_core_digests(), "digests/samples.txt", "no_such_sweep"),
               std::logic_error);
}

}  // namespace
}  // namespace assay::suites
