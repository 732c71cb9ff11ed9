// Update of the scale: backoff, growth or no change, in exact arithmetic.
#include <cmath>
#include <limits>

#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

/// One update with the default factors.
struct Step {
  std::int64_t tracker = 0;
  float found_inf = 0.0f;
  std::int64_t interval = 2000;
  double growth = 2.0;
  double backoff = 0.5;
  float scale = 8.0f;
};

void expect_step(Session& session, const Step& step, float scale, std::int64_t tracker,
                 Where where = Where::current()) {
  const auto result = session.amp().update_scale({.scale = step.scale,
                                                  .tracker = step.tracker,
                                                  .found_inf = step.found_inf,
                                                  .growth = step.growth,
                                                  .backoff = step.backoff,
                                                  .interval = step.interval});

  expect_bits(result.scale, scale, where);
  expect_equal(result.tracker, tracker, where);
}

constexpr std::int64_t kLeastInt32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

}  // namespace

CASES("amp/update_scale") {
  kernel_case("backs_off_even_when_growth_was_due", {"AMP-101", "AMP-102"},
              [](Session& session) {
                for (const float flag : {1.0f, -1.0f, 0.25f, 3.0f, kInf, -kInf, kNaN}) {
                  const ScopedTrace at("found_inf " + std::to_string(flag));
                  expect_step(session, {.tracker = 4, .found_inf = flag, .interval = 5}, 4.0f, 0);
                }
              })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag);

  kernel_case(
      "backs_off_for_the_smallest_flags", {"AMP-102"},
      [](Session& session) {
        for (const std::uint32_t bits : {0x00000001u, 0x80000001u, 0x007fffffu, 0x00800000u}) {
          expect_step(session, {.tracker = 1, .found_inf = float_of(bits), .interval = 2}, 4.0f, 0);
        }
      })
      .reach(Reach::kArguments)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag);

  kernel_case("forgets_the_count_when_it_backs_off", {"AMP-103"}, [](Session& session) {
    for (const std::int64_t tracker : {std::int64_t{-7}, std::int64_t{0}, std::int64_t{1},
                                       std::int64_t{1999}, std::int64_t{2000}, kMostInt32}) {
      const ScopedTrace at("tracker " + std::to_string(tracker));
      expect_step(session, {.tracker = tracker, .found_inf = 1.0f}, 4.0f, 0);
    }
  }).reach(Reach::kState);

  kernel_case("has_no_floor_below_one", {"AMP-103"},
              [](Session& session) {
                expect_step(session, {.found_inf = 1.0f, .scale = 1.0f}, 0.5f, 0);
                expect_step(session, {.found_inf = 1.0f, .scale = 0x1p-126f}, 0x1p-127f, 0);
              })
      .reach(Reach::kState)
      .unless(Property::kFlushesSubnormals);

  kernel_case("backs_off_by_infinity_and_nan_unguarded", {"AMP-103", "AMP-114"},
              [](Session& session) {
                const float inf = kInf;
                expect_step(session, {.found_inf = 1.0f, .backoff = inf}, inf, 0);
                expect_step(session, {.found_inf = 1.0f, .backoff = -inf}, -inf, 0);
                expect_step(session, {.found_inf = 1.0f, .backoff = inf, .scale = 0}, kNaN, 0);
                expect_step(session, {.found_inf = 1.0f, .backoff = 1e300}, inf, 0);
                expect_step(session, {.found_inf = 1.0f, .backoff = 1.0}, 8.0f, 0);
              })
      .unless(Property::kDoubleScale);

  kernel_case("keeps_the_bits_of_the_scale_while_it_waits", {"AMP-104"},
              [](Session& session) {
                for (const std::uint32_t bits : {0x00000000u, 0x80000000u, 0x00000001u, 0x3dcccccdu,
                                                 0x7f7fffffu, 0xff800000u}) {
                  const float scale = float_of(bits);
                  expect_step(session, {.tracker = 3, .scale = scale}, scale, 4);
                }
              })
      .reach(Reach::kState)
      .unless(Property::kFlushesSubnormals);

  kernel_case("counts_in_integers", {"AMP-104"}, [](Session& session) {
    for (const std::int64_t tracker :
         {255, 256, 32767, 32768, 65535, 65536, 16777215, 16777216, 16777217, 2147483646}) {
      expect_step(session, {.tracker = tracker}, 8.0f, tracker + 1);
    }
  }).reach(Reach::kState);

  kernel_case("grows_when_the_count_becomes_the_interval", {"AMP-105"}, [](Session& session) {
    for (const std::int64_t interval :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{256}, std::int64_t{32768},
          std::int64_t{65536}, std::int64_t{16777217}, kMostInt32}) {
      const ScopedTrace at("interval " + std::to_string(interval));
      expect_step(session, {.tracker = interval - 1, .interval = interval}, 16.0f, 0);
      expect_step(session, {.tracker = interval, .interval = interval}, 8.0f,
                  interval == kMostInt32 ? kLeastInt32 : interval + 1);
      expect_step(session, {.tracker = interval - 2, .interval = interval}, 8.0f, interval - 1);
    }
  }).reach(Reach::kState);

  kernel_case("grows_by_the_growth_factor_and_backs_off_by_the_other", {"AMP-103", "AMP-105"},
              [](Session& session) {
                const Step due = {.interval = 1, .growth = 3.0, .backoff = 0.25};
                const Step bad = {.found_inf = 1.0f, .interval = 1, .growth = 3.0, .backoff = 0.25};
                expect_step(session, due, 24.0f, 0);
                expect_step(session, bad, 2.0f, 0);
              });

  kernel_case("grows_by_factors_that_shrink_or_negate", {"AMP-105", "AMP-114"},
              [](Session& session) {
                expect_step(session, {.interval = 1, .growth = 0.5}, 4.0f, 0);
                expect_step(session, {.interval = 1, .growth = 1.0}, 8.0f, 0);
                expect_step(session, {.interval = 1, .growth = 0.0}, 0.0f, 0);
                expect_step(session, {.interval = 1, .growth = -0.0}, -0.0f, 0);
                expect_step(session, {.interval = 1, .growth = -2.0}, -16.0f, 0);
                expect_step(session, {.interval = 1, .growth = 0x1p-200}, 0.0f, 0);
              })
      .unless(Property::kDoubleScale);

  // The product is rounded to double, then to float: these values differ by one ULP from a single
  // rounding.
  kernel_case(
      "rounds_the_product_to_double_before_it_rounds_to_float", {"AMP-103", "AMP-105"},
      [](Session& session) {
        struct Row {
          std::uint32_t scale;
          double factor;
          std::uint32_t after;
        };
        for (const Row& row : {Row{0x4b2265b1, 0x1.c67cd624a9d66p-1, 0x4b1027c4},
                               Row{0x4b414c35, 0x1.a300256b418a6p-1, 0x4b1e2fec},
                               Row{0x4b07d4bf, 0x1.f80592a79edadp-1, 0x4b05b6e6}}) {
          const float scale = float_of(row.scale);
          const float after = float_of(row.after);
          expect_step(session, {.interval = 1, .growth = row.factor, .scale = scale}, after, 0);
          expect_step(session, {.found_inf = 1, .backoff = row.factor, .scale = scale}, after, 0);
        }
      })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  kernel_case(
      "refuses_growth_to_either_infinity_and_to_nan", {"AMP-106", "AMP-107"},
      [](Session& session) {
        const float most = std::numeric_limits<float>::max();
        const double inf = kInf;
        expect_step(session, {.tracker = 4, .interval = 5, .scale = 0x1p127f}, 0x1p127f, 0);
        expect_step(session, {.tracker = 4, .interval = 5, .scale = -0x1p127f}, -0x1p127f, 0);
        expect_step(session, {.tracker = 4, .interval = 5, .growth = inf}, 8.0f, 0);
        expect_step(session, {.tracker = 4, .interval = 5, .growth = -inf}, 8.0f, 0);
        expect_step(session, {.tracker = 4, .interval = 5, .growth = 1e300, .scale = most}, most,
                    0);
        expect_step(session, {.tracker = 4, .interval = 5, .growth = inf, .scale = 0}, 0, 0);
        expect_step(session, {.tracker = 4, .interval = 5, .growth = kNaN}, 8.0f, 0);
      })
      .reach(Reach::kArguments)
      .unless(Property::kDoubleScale)
      .since(Release::k2_4);

  kernel_case("grows_to_infinity_as_old_releases_do", {"AMP-106"},
              [](Session& session) {
                expect_step(session, {.tracker = 4, .interval = 5, .scale = 0x1p127f}, kInf, 0);
                expect_step(session, {.tracker = 4, .interval = 5, .scale = -0x1p127f}, -kInf, 0);
                expect_step(session, {.tracker = 4, .interval = 5, .growth = kNaN}, kNaN, 0);
              })
      .reach(Reach::kArguments)
      .unless(Property::kDoubleScale)
      .until(Release::k1_13);

  kernel_case(
      "stores_the_largest_float_when_growth_rounds_to_it", {"AMP-106"},
      [](Session& session) {
        const float most = std::numeric_limits<float>::max();
        expect_step(session, {.interval = 1, .growth = 1.0 + 1e-9, .scale = most}, most, 0);
        expect_step(session, {.interval = 1, .growth = 1.0 + 0x1p-26, .scale = most}, most, 0);
        expect_step(session, {.interval = 1, .growth = 2.0 + 0x1p-25, .scale = 0x1.fffffep126f},
                    most, 0);
        expect_step(session, {.interval = 1, .scale = 0x1.fffffep126f}, most, 0);
      })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  kernel_case("waits_a_full_interval_after_a_refused_growth", {"AMP-107"},
              [](Session& session) {
                std::int64_t tracker = 0;
                for (const std::int64_t after : {1, 0, 1, 0}) {
                  expect_step(session, {.tracker = tracker, .interval = 2, .scale = 0x1p127f},
                              0x1p127f, after);
                  tracker = after;
                }
              })
      .unless(Property::kDoubleScale)
      .since(Release::k2_4);

  kernel_case("never_grows_once_the_count_is_past_the_interval", {"AMP-108"}, [](Session& session) {
    for (const std::int64_t tracker : {3, 4, 7, 100, 2147483646}) {
      expect_step(session, {.tracker = tracker, .interval = 3}, 8.0f, tracker + 1);
    }
  });

  kernel_case("grows_from_one_below_a_negative_interval", {"AMP-109"}, [](Session& session) {
    expect_step(session, {.tracker = -3, .interval = -3}, 8.0f, -2);
    expect_step(session, {.tracker = -1, .interval = 0}, 16.0f, 0);
    expect_step(session, {.tracker = -1, .interval = -1}, 8.0f, 0);
    expect_step(session, {.tracker = -2, .interval = -1}, 16.0f, 0);
    expect_step(session, {.tracker = kLeastInt32, .interval = kLeastInt32 + 1}, 16.0f, 0);
  });

  kernel_case(
      "wraps_past_the_largest_count_whatever_the_interval", {"AMP-110"}, [](Session& session) {
        for (const std::int64_t interval :
             {std::int64_t{1}, std::int64_t{0}, std::int64_t{-1}, kMostInt32}) {
          expect_step(session, {.tracker = kMostInt32, .interval = interval}, 8.0f, kLeastInt32);
        }
        expect_step(session, {.tracker = kLeastInt32}, 8.0f, kLeastInt32 + 1);
      });
}

CASES("amp/update_scale") {
  kernel_case("takes_the_interval_modulo_two_to_the_32", {"AMP-111"}, [](Session& session) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    expect_step(session, {.tracker = 1999, .interval = (std::int64_t{1} << 32) + 2000}, 16, 0);
    expect_step(session, {.tracker = 1999, .interval = (std::int64_t{1} << 40) + 2000}, 16, 0);
    expect_step(session, {.tracker = 0, .interval = 1 - (std::int64_t{1} << 32)}, 16, 0);
    expect_step(session, {.tracker = -2, .interval = kMost}, 16, 0);
    expect_step(session, {.tracker = -1, .interval = kLeast}, 16, 0);
  }).only(DeviceRules::kCuda);

  kernel_case("compares_the_count_with_all_64_bits_of_the_interval", {"AMP-111"},
              [](Session& session) {
                constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
                constexpr std::int64_t kTwo32 = std::int64_t{1} << 32;
                expect_step(session, {.tracker = 1999, .interval = kTwo32 + 2000}, 8, 2000);
                expect_step(session, {.tracker = 0, .interval = 1 - kTwo32}, 8, 1);
                expect_step(session, {.tracker = -2, .interval = kMost}, 8, -1);
                expect_step(session, {.tracker = -1, .interval = -kMost - 1}, 8, 0);
              })
      .only(DeviceRules::kCpu);

  kernel_case("cannot_leave_zero_infinity_or_nan_by_any_factor", {"AMP-112"}, [](Session& session) {
    for (const float fixed : {0.0f, -0.0f, kInf, -kInf, kNaN}) {
      const ScopedTrace at("scale " + std::to_string(fixed));
      expect_step(session, {.interval = 1, .growth = 3.0, .scale = fixed}, fixed, 0);
      expect_step(session, {.found_inf = 1.0f, .scale = fixed}, fixed, 0);
    }
  });

  kernel_case(
      "grows_out_of_the_subnormals", {"AMP-113"},
      [](Session& session) {
        expect_step(session, {.interval = 1, .scale = 0x1p-149f}, 0x1p-148f, 0);
        expect_step(session, {.interval = 1, .scale = 0x1p-127f}, 0x1p-126f, 0);
        expect_step(session, {.interval = 1, .growth = 1.5, .scale = 0x1p-149f}, 0x1p-148f, 0);
        expect_step(session, {.interval = 1, .growth = 1.25, .scale = 0x1p-149f}, 0x1p-149f, 0);
      })
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);

  kernel_case("agrees_with_its_definition_on_random_states", {"AMP-103", "AMP-104", "AMP-105"},
              [](Session& session) {
                Bits bits(0x5eed);
                for (int round = 0; round < 1500; ++round) {
                  const ScopedTrace at("round " + std::to_string(round));
                  // Far enough from the limits that growth always succeeds; see other cases.
                  const float scale =
                      std::ldexp(1.0f + static_cast<float>(bits.below(1 << 23)) * 0x1p-23f,
                                 static_cast<int>(bits.below(240)) - 140);
                  const double factor = static_cast<double>(bits.below(1ULL << 53)) * 0x1p-52;
                  const std::int64_t tracker = static_cast<std::int64_t>(bits.below(6)) - 2;
                  const bool bad = bits.below(3) == 0;
                  const bool grows = !bad && tracker + 1 == 3;
                  const auto product = static_cast<float>(static_cast<double>(scale) * factor);

                  expect_step(session,
                              {.tracker = tracker,
                               .found_inf = bad ? 1.0f : 0.0f,
                               .interval = 3,
                               .growth = bad ? 7.0 : factor,
                               .backoff = bad ? factor : 7.0,
                               .scale = scale},
                              bad || grows ? product : scale, bad || grows ? 0 : tracker + 1);
                }
              })
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);
}

}  // namespace assay::suites
