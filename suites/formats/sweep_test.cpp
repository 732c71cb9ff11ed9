// Tests that a sweep finds a single wrong element.
#include "suites/formats/sweep.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/protocol/recipe.hpp"
#include "suites/formats/formats.hpp"

namespace assay::suites {
namespace {

constexpr std::uint64_t kNoBits = ~std::uint64_t{0};

/// Converts correctly, except for the float32 with these bits.
TensorValue converted(const TensorValue& input, std::uint64_t wrong_bits) {
  const TensorValue made = materialize(input);
  TensorValue result = filled(Dtype::kFloat16, made.numel(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(made.numel()); ++i) {
    const std::uint64_t bits = made.bits_at(i);
    const auto right = half_of(static_cast<std::uint32_t>(bits));
    result.set_bits(i, bits == wrong_bits ? right + 1u : right);
  }
  return result;
}

Sweep sweep_with(std::uint64_t wrong_bits) {
  return {.from = Dtype::kFloat32,
          .to = Dtype::kFloat16,
          .start = 0x3f800000,
          .step = 3,
          .digest =
              [wrong_bits](const TensorValue& input, std::uint64_t block) {
                return digest_of(converted(input, wrong_bits), block);
              },
          .values = [wrong_bits](const TensorValue& input) { return converted(input, wrong_bits); },
          .expected = [](std::uint64_t bits) { return half_of(static_cast<std::uint32_t>(bits)); }};
}

ExpectedDigests right_digests(const Sweep& sweep) {
  const Digest digest = digest_of(converted(sweep.input(0, 1000), kNoBits), 100);
  return {digest.block, digest.crc};
}

std::string failure_of(const Sweep& sweep, const ExpectedDigests& digests) {
  try {
    expect_sweep(sweep, digests);
  } catch (const CheckFailed& failed) {
    return failed.what();
  }
  return "no failure";
}

TEST(Sweep, passes_when_every_block_is_right) {
  const Sweep sweep = sweep_with(kNoBits);

  EXPECT_NO_THROW(expect_sweep(sweep, right_digests(sweep)));
}

TEST(Sweep, names_the_wrong_element_wherever_it_is) {
  for (const std::uint64_t index : {0u, 1u, 99u, 100u, 437u, 998u, 999u}) {
    const std::uint64_t bits = 0x3f800000 + 3 * index;
    char text[9];
    std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(bits));
    const Sweep sweep = sweep_with(bits);

    EXPECT_NE(failure_of(sweep, right_digests(sweep)).find(text), std::string::npos) << index;
  }
}

TEST(Sweep, says_so_when_only_the_digest_is_wrong) {
  const Sweep sweep = sweep_with(kNoBits);
  ExpectedDigests digests = right_digests(sweep);
  digests.crc[4] ^= 1;

  EXPECT_NE(failure_of(sweep, digests).find("even its last element is right"), std::string::npos);
}

}  // namespace
}  // namespace assay::suites
