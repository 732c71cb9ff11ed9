// Every half value, unscaled with a dozen inverses, compared with digests made with MPFR.
#include <bit>

#include "suites/amp/support.hpp"
#include "suites/formats/digests.hpp"
#include "suites/formats/formats.hpp"
#include "suites/formats/sweep.hpp"

namespace assay {
std::span<const EmbeddedFile> suite_amp_digests();
}

namespace assay::suites {
namespace {

struct Inverse {
  const char* name;    ///< name of the case
  const char* digits;  ///< its bits in the digests' file
  std::uint32_t bits;
};

constexpr Inverse kInverses[] = {
    {"one", "3f800000", 0x3f800000},
    {"a_half", "3f000000", 0x3f000000},
    {"a_third", "3eaaaaab", 0x3eaaaaab},
    {"a_tenth", "3dcccccd", 0x3dcccccd},
    {"two_to_the_minus_16", "37800000", 0x37800000},
    {"two_to_the_minus_24", "33800000", 0x33800000},
    {"two", "40000000", 0x40000000},
    {"a_thousandth", "3a83126f", 0x3a83126f},
    {"two_to_the_minus_127", "00400000", 0x00400000},
    {"zero", "00000000", 0x00000000},
    {"infinity", "7f800000", 0x7f800000},
    {"nan", "7fc00000", 0x7fc00000},
};

UnscaleArguments unscaling(const TensorValue& grad, std::uint32_t inverse) {
  UnscaleArguments arguments;
  arguments.grads = {grad};
  arguments.inv_scale = float_of(inverse);
  return arguments;
}

/// AMP-202, AMP-204: one product in float32, then one rounding to the half type.
std::uint64_t unscaled_half(Dtype dtype, std::uint64_t bits, std::uint32_t inverse) {
  if (inverse == 0x3f800000) return converted_bits(dtype, dtype, bits);
  const auto half = static_cast<std::uint16_t>(bits);
  const float wide = std::bit_cast<float>(dtype == Dtype::kFloat16 ? float_of_half(half)
                                                                   : float_of_bfloat16(half));
  const float product = wide * float_of(inverse);
  return converted_bits(Dtype::kFloat32, dtype, std::bit_cast<std::uint32_t>(product));
}

Digest digest_of_unscaled(Session& session, UnscaleArguments arguments, std::uint64_t block) {
  arguments.digest = block;
  const UnscaleResult result = session.amp().unscale(arguments);
  if (!result.grads.at(0).digest) throw BadReply("expected the gradients as digests");
  return *result.grads.at(0).digest;
}

Sweep unscaling_sweep(Session& session, Dtype dtype, std::uint32_t inverse) {
  return {.from = dtype,
          .to = dtype,
          .digest =
              [&session, inverse](const TensorValue& input, std::uint64_t block) {
                return digest_of_unscaled(session, unscaling(input, inverse), block);
              },
          .values =
              [&session, inverse](const TensorValue& input) {
                return session.amp().unscale(unscaling(input, inverse)).grads.at(0);
              },
          .expected =
              [dtype, inverse](std::uint64_t bits) { return unscaled_half(dtype, bits, inverse); }};
}

void expect_every_half(Session& session, Dtype dtype, const Inverse& inverse) {
  const std::string sweep = std::string(name_of(dtype)) + "_by_" + inverse.digits;
  const auto digests = digests_in(suite_amp_digests(), "digests/unscale.txt", sweep);

  expect_sweep(unscaling_sweep(session, dtype, inverse.bits), digests);
}

/// AMP-207, AMP-208: the flag depends on the inputs, not on the results.
void expect_flag_of_inputs(Session& session, Dtype dtype, std::uint32_t inverse) {
  const std::uint64_t infinity = dtype == Dtype::kFloat16 ? 0x7c00 : 0x7f80;
  const auto flag_for = [&](std::uint64_t first, std::uint64_t count) {
    const TensorValue grad =
        by_recipe(dtype, static_cast<std::int64_t>(count), {Recipe::Kind::kCounter, first, 1, {}});
    return session.amp().unscale(unscaling(grad, inverse)).found_inf;
  };

  expect_bits(flag_for(0, infinity), 0.0f);
  expect_bits(flag_for(0x8000, infinity), 0.0f);
  expect_bits(flag_for(0, infinity + 1), 1.0f);
  expect_bits(flag_for(0x8000, 0x8000), 1.0f);
}

}  // namespace

CASES("amp/sweep") {
  for (const Inverse& inverse : kInverses) {
    kernel_case(std::string("every_float16_unscaled_by_") + inverse.name,
                {"AMP-202", "AMP-203", "AMP-204", "AMP-211"}, [&inverse](Session& session) {
                  expect_every_half(session, Dtype::kFloat16, inverse);
                  expect_flag_of_inputs(session, Dtype::kFloat16, inverse.bits);
                });
    kernel_case(std::string("every_bfloat16_unscaled_by_") + inverse.name,
                {"AMP-202", "AMP-203", "AMP-204", "AMP-211"},
                [&inverse](Session& session) {
                  expect_every_half(session, Dtype::kBfloat16, inverse);
                  expect_flag_of_inputs(session, Dtype::kBfloat16, inverse.bits);
                })
        .only(DeviceRules::kCpu);
  }
}

}  // namespace assay::suites
