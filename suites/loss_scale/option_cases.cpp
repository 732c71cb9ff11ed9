// Floor, ceiling and hysteresis, each by itself and together.
#include "suites/loss_scale/stepping.hpp"

namespace assay::suites {
namespace {

LossScaleSettings floored(double floor) {
  return {
      .scale = 16, .growth_factor = 2, .backoff_factor = 0.5, .growth_interval = 2, .floor = floor};
}

LossScaleSettings ceiled(double ceiling) {
  return {.scale = 16,
          .growth_factor = 2,
          .backoff_factor = 0.5,
          .growth_interval = 2,
          .ceiling = ceiling};
}

LossScaleSettings tolerant(std::int64_t hysteresis, std::int64_t growth_interval = 2) {
  return {.scale = 64,
          .growth_factor = 2,
          .backoff_factor = 0.5,
          .growth_interval = growth_interval,
          .hysteresis = hysteresis};
}

}  // namespace

CASES("loss_scale/floor") {
  loss_scale_case("backoff_stops_at_the_floor", {"LSC-201"}, [](Session& subject) {
    expect_scales(made(subject, floored(4)), "oooo", {8, 4, 4, 4});
  });

  loss_scale_case("a_floor_between_two_backoffs_is_reached", {"LSC-201"}, [](Session& subject) {
    expect_scales(made(subject, floored(3)), "oooo", {8, 4, 3, 3});
  });

  loss_scale_case("growth_goes_on_from_the_floor", {"LSC-201"}, [](Session& subject) {
    expect_scales(made(subject, floored(3)), "oooo..o", {8, 4, 3, 3, 3, 6, 3});
  });

  loss_scale_case("the_floor_does_not_stop_the_count_from_beginning_again", {"LSC-201", "LSC-104"},
                  [](Session& subject) {
                    expect_scales(made(subject, floored(16)), ".o.o..", {16, 16, 16, 16, 16, 32});
                  });

  loss_scale_case("objects_have_floors_of_their_own", {"LSC-201", "LSC-110"}, [](Session& subject) {
    const LossScaleHandle high = made(subject, floored(8));
    const LossScaleHandle low = made(subject, floored(2));

    expect_scales(high, "oo", {8, 8});
    expect_scales(low, "oooo", {8, 4, 2, 2});
    expect_scales(high, "o", {8});
  });
}

CASES("loss_scale/ceiling") {
  loss_scale_case("growth_stops_at_the_ceiling", {"LSC-202"}, [](Session& subject) {
    expect_scales(made(subject, ceiled(32)), "......o", {16, 32, 32, 32, 32, 32, 16});
  });

  loss_scale_case("a_ceiling_between_two_growths_is_reached", {"LSC-202"}, [](Session& subject) {
    expect_scales(made(subject, ceiled(24)), "....o..", {16, 24, 24, 24, 12, 12, 24});
  });

  loss_scale_case("the_ceiling_does_not_stop_the_count_from_beginning_again",
                  {"LSC-202", "LSC-105"}, [](Session& subject) {
                    expect_scales(made(subject, ceiled(32)), "...o.", {16, 32, 32, 16, 16});
                    expect_scales(made(subject, ceiled(16)), "...o..", {16, 16, 16, 8, 8, 16});
                  });
}

CASES("loss_scale/hysteresis") {
  loss_scale_case("the_first_overflows_keep_the_scale", {"LSC-203"}, [](Session& subject) {
    expect_scales(made(subject, tolerant(2)), "ooo", {64, 32, 16});
    expect_scales(made(subject, tolerant(4)), "ooooo", {64, 64, 64, 32, 16});
  });

  loss_scale_case("one_is_no_hysteresis", {"LSC-203"}, [](Session& subject) {
    expect_scales(made(subject, tolerant(1)), "ooo", {32, 16, 8});
  });

  loss_scale_case("an_overflow_that_keeps_the_scale_begins_the_interval_again",
                  {"LSC-203", "LSC-104"}, [](Session& subject) {
                    expect_scales(made(subject, tolerant(3, 3)), "..o..o...",
                                  {64, 64, 64, 64, 64, 64, 64, 64, 128});
                  });

  loss_scale_case("a_growth_restores_it", {"LSC-204"}, [](Session& subject) {
    expect_scales(made(subject, tolerant(2)), "oo..oo", {64, 32, 32, 64, 64, 32});
    expect_scales(made(subject, tolerant(3)), "o..ooo", {64, 64, 128, 128, 128, 64});
  });

  loss_scale_case("a_growth_at_the_ceiling_restores_it", {"LSC-204"}, [](Session& subject) {
    LossScaleSettings settings = tolerant(2);
    settings.ceiling = 64;

    expect_scales(made(subject, settings), "o..oo", {64, 64, 64, 64, 32});
  });

  loss_scale_case("a_growth_by_one_restores_it", {"LSC-204"}, [](Session& subject) {
    LossScaleSettings settings = tolerant(2);
    settings.growth_factor = 1;

    expect_scales(made(subject, settings), "o..oo", {64, 64, 64, 64, 32});
  });

  loss_scale_case("clean_steps_do_not_restore_it", {"LSC-205"}, [](Session& subject) {
    expect_scales(made(subject, tolerant(2, 3)), "o..o..o", {64, 64, 64, 32, 32, 32, 16});
  });

  loss_scale_case("a_backoff_does_not_restore_it", {"LSC-205"}, [](Session& subject) {
    expect_scales(made(subject, tolerant(3, 3)), "oooo.oo", {64, 64, 32, 16, 16, 8, 4});
  });

  loss_scale_case("objects_have_overflows_of_their_own", {"LSC-203", "LSC-110"},
                  [](Session& subject) {
                    const LossScaleHandle left = made(subject, tolerant(3));
                    const LossScaleHandle right = made(subject, tolerant(3));

                    expect_scales(left, "oo", {64, 64});
                    expect_scales(right, "oo", {64, 64});
                    expect_scales(left, "o", {32});
                    expect_scales(right, "o", {32});
                  });

  for (const std::int64_t interval : {1, 2, 3}) {
    for (const std::int64_t hysteresis : {2, 3}) {
      every_list_of_eight(
          "with_interval_" + std::to_string(interval) + "_and_" + std::to_string(hysteresis),
          {"LSC-203", "LSC-204", "LSC-205"}, tolerant(hysteresis, interval));
    }
  }
}

CASES("loss_scale/options") {
  LossScaleSettings settings = tolerant(2);
  settings.floor = 24;
  settings.ceiling = 160;
  every_list_of_eight("with_all_of_them", {"LSC-201", "LSC-202", "LSC-203", "LSC-204", "LSC-205"},
                      settings);
}

}  // namespace assay::suites
