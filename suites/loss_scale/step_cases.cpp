// Backoff, growth and the count of clean steps, without options.
#include <cmath>

#include "suites/loss_scale/stepping.hpp"

namespace assay::suites {
namespace {

/// From 64, by the factors 2 and 0.5.
LossScaleSettings every(std::int64_t growth_interval) {
  return {
      .scale = 64, .growth_factor = 2, .backoff_factor = 0.5, .growth_interval = growth_interval};
}

/// Of the first four growths.
std::vector<std::int64_t> steps_between_growths(const std::vector<double>& scales) {
  std::vector<std::int64_t> between;
  std::size_t last = 0;
  for (std::size_t at = 0; at < scales.size() && between.size() < 4; ++at) {
    const double before = at == 0 ? 64 : scales[at - 1];
    if (scales[at] == before) continue;
    between.push_back(static_cast<std::int64_t>(at - last));
    last = at;
  }
  if (!between.empty()) between.erase(between.begin());  // until the first one
  return between;
}

/// Fifteen steps, with growths, and overflows in the middle of an interval of 3.
constexpr std::string_view kMixed = "..o...o......o.";

}  // namespace

CASES("loss_scale/step") {
  loss_scale_case("begins_with_the_scale_that_was_given", {"LSC-101"}, [](Session& subject) {
    for (const double first : {1.0, 0.25, 65536.0, 3.0}) {
      LossScaleSettings settings = every(2);
      settings.scale = first;
      const LossScaleHandle scale = made(subject, settings);

      expect_bits(scale.get(), first);
      expect_bits(scale.get(), first);
      expect_scales(scale, ".", {first});
      expect_bits(scale.get(), first);
    }
  });

  loss_scale_case("every_overflow_backs_off_at_once", {"LSC-102"}, [](Session& subject) {
    const LossScaleHandle scale = made(subject, every(4));

    expect_scales(scale, "oo", {32, 16});
    expect_scales(scale, "...o", {16, 16, 16, 8});
    expect_bits(scale.get(), 8.0);
  });

  loss_scale_case("the_backoff_factor_is_not_one_through_the_growth_factor", {"LSC-102"},
                  [](Session& subject) {
                    LossScaleSettings settings = every(4);
                    settings.backoff_factor = 0.25;

                    expect_scales(made(subject, settings), "oo", {16, 4});
                  });

  loss_scale_case("the_growth_factor_is_not_one_through_the_backoff_factor", {"LSC-103"},
                  [](Session& subject) {
                    LossScaleSettings settings = every(2);
                    settings.growth_factor = 8;

                    expect_scales(made(subject, settings), "..", {64, 512});
                  });

  loss_scale_case("grows_after_exactly_the_interval", {"LSC-103"}, [](Session& subject) {
    for (const std::int64_t interval : {1, 2, 3, 5, 17}) {
      const ScopedTrace at("interval " + std::to_string(interval));
      const LossScaleHandle scale = made(subject, every(interval));

      std::string steps(static_cast<std::size_t>(interval), '.');
      std::vector<double> wanted(steps.size(), 64);
      wanted.back() = 128;
      expect_scales(scale, steps, wanted);
    }
  });

  loss_scale_case("grows_at_every_clean_step_with_interval_1", {"LSC-103"}, [](Session& subject) {
    expect_scales(made(subject, every(1)), "..o.o..", {128, 256, 128, 256, 128, 256, 512});
  });

  loss_scale_case("an_overflow_begins_the_interval_again", {"LSC-104"}, [](Session& subject) {
    expect_scales(made(subject, every(3)), "..o...", {64, 64, 32, 32, 32, 64});
    expect_scales(made(subject, every(3)), ".o..o...", {64, 32, 32, 32, 16, 16, 16, 32});
  });

  loss_scale_case("a_growth_begins_the_interval_again", {"LSC-105"}, [](Session& subject) {
    expect_scales(made(subject, every(3)), ".......", {64, 64, 128, 128, 128, 256, 256});
    expect_scales(made(subject, every(2)), "..o..", {64, 128, 64, 64, 128});
  });

  // Also of a subject whose first growth is late.
  loss_scale_case("growths_in_a_row_are_an_interval_apart", {"LSC-105"}, [](Session& subject) {
    for (const std::int64_t interval : {1, 2, 4}) {
      const ScopedTrace at("interval " + std::to_string(interval));
      const std::vector<bool> steps(static_cast<std::size_t>(5 * interval), false);
      const std::vector<double> scales = made(subject, every(interval)).update(steps);

      expect_equal(steps_between_growths(scales), {interval, interval, interval});
    }
  });

  loss_scale_case("a_long_run_grows_once_an_interval", {"LSC-103", "LSC-105"},
                  [](Session& subject) {
                    const LossScaleHandle scale = made(subject, every(500));
                    Model model(every(500));

                    std::vector<bool> steps(1610, false);
                    steps[1100] = true;
                    expect_as_model(scale, model, steps);
                  });

  loss_scale_case("a_backoff_factor_of_one_only_counts_again", {"LSC-106"}, [](Session& subject) {
    LossScaleSettings settings = every(3);
    settings.backoff_factor = 1;

    expect_scales(made(subject, settings), "oo..o...", {64, 64, 64, 64, 64, 64, 64, 128});
  });

  loss_scale_case("a_growth_factor_of_one_keeps_the_scale", {"LSC-106"}, [](Session& subject) {
    LossScaleSettings settings = every(2);
    settings.growth_factor = 1;

    expect_scales(made(subject, settings), ".....o..", {64, 64, 64, 64, 64, 32, 32, 32});
  });

  // Beyond the range of double too, so that the width of the scale does not matter.
  loss_scale_case("growth_to_infinity_is_refused", {"LSC-107"}, [](Session& subject) {
    LossScaleSettings settings = every(2);
    settings.scale = std::ldexp(1.0, 100);
    settings.growth_factor = std::ldexp(1.0, 1000);
    const double scale = settings.scale;

    expect_scales(made(subject, settings), "....o..",
                  {scale, scale, scale, scale, scale / 2, scale / 2, scale / 2});
  }).reach(Reach::kArguments);

  loss_scale_case("backoff_goes_down_to_zero", {"LSC-108"}, [](Session& subject) {
    LossScaleSettings settings = every(2);
    settings.scale = std::ldexp(1.0, -100);
    settings.backoff_factor = std::ldexp(1.0, -1000);

    expect_scales(made(subject, settings), "o..o", {0, 0, 0, 0});
  }).reach(Reach::kArguments);

  loss_scale_case("backoff_goes_below_one", {"LSC-108"}, [](Session& subject) {
    LossScaleSettings settings = every(2);
    settings.scale = 1;

    expect_scales(made(subject, settings), "ooo", {0.5, 0.25, 0.125});
  });

  for (const std::int64_t interval : {1, 2, 3, 5, 8}) {
    every_list_of_eight("with_interval_" + std::to_string(interval),
                        {"LSC-103", "LSC-104", "LSC-105", "LSC-102"}, every(interval));
  }
}

// What the scales are is the business of other cases: here they are only the same.
CASES("loss_scale/list") {
  loss_scale_case("steps_one_by_one_are_the_same_as_a_list", {"LSC-109"}, [](Session& subject) {
    const LossScaleHandle single = made(subject, every(3));
    const std::vector<double> wanted = made(subject, every(3)).update(steps_of(kMixed));

    for (std::size_t at = 0; at < kMixed.size(); ++at) {
      expect_scales(single, kMixed.substr(at, 1), {wanted.at(at)});
      expect_bits(single.get(), wanted[at]);
    }
  });

  loss_scale_case("a_list_may_end_in_the_middle_of_an_interval", {"LSC-109"}, [](Session& subject) {
    const LossScaleHandle parts = made(subject, every(3));
    const LossScaleHandle single = made(subject, every(3));

    for (std::size_t at = 0; at < kMixed.size(); at += 5) {
      std::vector<double> wanted;
      for (std::size_t each = at; each < at + 5; ++each) {
        single.update(steps_of(kMixed.substr(each, 1)));
        wanted.push_back(single.get());
      }
      expect_scales(parts, kMixed.substr(at, 5), wanted);
    }
  });

  loss_scale_case("an_empty_list_is_no_step", {"LSC-109"}, [](Session& subject) {
    const LossScaleHandle often = made(subject, every(3));
    const LossScaleHandle never = made(subject, every(3));

    for (std::size_t at = 0; at < kMixed.size(); ++at) {
      expect_scales(often, "", {});
      expect_same_scales(often, never, kMixed.substr(at, 1));
    }
  });
}

CASES("loss_scale/objects") {
  loss_scale_case("two_objects_count_for_themselves", {"LSC-110"}, [](Session& subject) {
    const std::vector<double> alone = made(subject, every(3)).update(steps_of(kMixed));
    const LossScaleHandle left = made(subject, every(3));
    const LossScaleHandle right = made(subject, every(2));

    for (std::size_t at = 0; at < kMixed.size(); ++at) {
      expect_scales(left, kMixed.substr(at, 1), {alone.at(at)});
      right.update(steps_of(at % 4 == 3 ? "o" : ".."));
      expect_bits(left.get(), alone[at]);
    }
  });

  loss_scale_case("a_new_object_begins_at_zero", {"LSC-110", "LSC-101"}, [](Session& subject) {
    const std::vector<double> first = made(subject, every(3)).update(steps_of("...."));
    const LossScaleHandle old = made(subject, every(3));
    old.update(steps_of("o.."));

    expect_scales(made(subject, every(3)), "....", first);
  });
}

// Where the width of the scale shows. The values are those of a GradScaler.
CASES("loss_scale/width") {
  loss_scale_case("is_rounded_to_float32_after_each_step", {"LSC-111"}, [](Session& subject) {
    const LossScaleHandle scale = made(subject, {.scale = 1000.1,
                                                 .growth_factor = 1.1,
                                                 .backoff_factor = 0.7,
                                                 .growth_interval = 1,
                                                 .dtype = Dtype::kFloat32});
    auto wanted = static_cast<float>(1000.1);
    expect_bits(scale.get(), static_cast<double>(wanted));

    for (const bool overflow : steps_of("...oo..o......oooooo....")) {
      wanted = static_cast<float>(static_cast<double>(wanted) * (overflow ? 0.7 : 1.1));
      expect_scales(scale, overflow ? "o" : ".", {static_cast<double>(wanted)});
    }
  }).unless(Property::kDoubleScale);

  loss_scale_case("growth_ends_at_the_largest_float32", {"LSC-111", "LSC-107"},
                  [](Session& subject) {
                    LossScaleSettings settings = every(1);
                    settings.scale = std::ldexp(1.0, 125);
                    settings.dtype = Dtype::kFloat32;
                    const double most = std::ldexp(1.0, 127);

                    expect_scales(made(subject, settings), "....o.",
                                  {most / 2, most, most, most, most / 2, most});
                  })
      .unless(Property::kDoubleScale);

  loss_scale_case(
      "backoff_passes_the_denormals", {"LSC-111", "LSC-108"},
      [](Session& subject) {
        LossScaleSettings settings = every(4);
        settings.scale = std::ldexp(3.0, -149);
        settings.dtype = Dtype::kFloat32;
        const double least = std::ldexp(1.0, -149);

        expect_scales(made(subject, settings), "oooo", {2 * least, least, 0, 0});  // ties to even
      })
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);
}

}  // namespace assay::suites
