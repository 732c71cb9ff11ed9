// Getters, setters, and saving and loading of the state.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// The expected result of state_dict.
Dict state(double scale, double growth, double backoff, std::int64_t interval,
           std::int64_t tracker) {
  return dict_of({{"scale", scale},
                  {"growth_factor", growth},
                  {"backoff_factor", backoff},
                  {"growth_interval", interval},
                  {"_growth_tracker", tracker}});
}

void expect_state(const ScalerHandle& scaler, const Dict& wanted, Where where = Where::current()) {
  const Dict got = scaler.state_dict();
  const auto count = static_cast<std::int64_t>(got.items.size());
  expect_equal(count, static_cast<std::int64_t>(wanted.items.size()), where);
  for (const auto& [key, value] : wanted.items) {
    const ScopedTrace at(held_in<std::string>(key));
    bool found = false;
    for (const auto& [name, got_value] : got.items) {
      if (!identical(name, key)) continue;
      found = true;
      expect_bits(got_value, value, where);
    }
    expect_true(found, "the key is there", where);
  }
}

/// A scaler with initialized scalars and some iterations without overflow.
ScalerHandle trained(Session& subject, ScalerOptions options, int iterations) {
  auto scaler = ready(subject, std::move(options));
  for (int i = 0; i < iterations; ++i) {
    scaler.step(sgd(subject, {parameter(subject, 1, 1)}));
    scaler.update();
  }
  return scaler;
}

const char* const kKeys[] = {"scale", "growth_factor", "backoff_factor", "growth_interval",
                             "_growth_tracker"};

}  // namespace

CASES("scaler/state") {
  scaling("get_scale_is_the_double_before_and_the_float32_after", {"SCL-501"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 0.1});
            expect_bits(scaler.get_scale(), 0.1);

            scaler.scale(f32({1}));

            expect_bits(scaler.get_scale(), double{0.1F});
          })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  scaling("get_scale_of_a_disabled_scaler_is_one", {"SCL-501"}, [](Session& subject) {
    expect_bits(subject.scaler().make({.init_scale = 4, .enabled = false}).get_scale(), 1.0);
  });

  scaling("get_scale_reads_the_device_once_and_only_if_there_is_something_to_read", {"SCL-501"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            subject.count();
            scaler.get_scale();
            expect_equal(subject.counted("host_reads"), std::int64_t{0});

            scaler.scale(f32({1}));
            scaler.get_scale();

            expect_equal(subject.counted("host_reads"), std::int64_t{1});
          });

  scaling("a_disabled_scaler_has_no_factors", {"SCL-502"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});

    expect_error([&] { scaler.get_growth_factor(); }, ErrorKind::kAttribute);
    expect_error([&] { scaler.get_backoff_factor(); }, ErrorKind::kAttribute);
    expect_error([&] { scaler.get_growth_interval(); }, ErrorKind::kAttribute);
  });

  scaling("getters_return_what_was_stored", {"SCL-502"}, [](Session& subject) {
    auto scaler =
        subject.scaler().make({.growth_factor = 1.1, .backoff_factor = 0.7, .growth_interval = 17});

    expect_bits(scaler.get_growth_factor(), 1.1);
    expect_bits(scaler.get_backoff_factor(), 0.7);
    expect_equal(scaler.get_growth_interval(), std::int64_t{17});
  });

  scaling("setters_store_without_validation", {"SCL-503"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    scaler.set_growth_factor(0.5);
    scaler.set_backoff_factor(3.0);
    scaler.set_growth_interval(-7);

    expect_bits(scaler.get_growth_factor(), 0.5);
    expect_bits(scaler.get_backoff_factor(), 3.0);
    expect_equal(scaler.get_growth_interval(), std::int64_t{-7});
  });

  scaling("a_growth_below_one_shrinks_and_a_backoff_above_one_grows", {"SCL-503"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 8, .growth_interval = 1});
            scaler.set_growth_factor(0.5);
            scaler.set_backoff_factor(3.0);

            scaler.step(sgd(subject, {parameter(subject, 1, 1)}));
            scaler.update();
            expect_scale(scaler, 4);
            scaler.step(sgd(subject, {parameter(subject, 1, kInf)}));
            scaler.update();

            expect_scale(scaler, 12);
          });

  scaling("setters_work_on_disabled_scalers", {"SCL-503"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});

    scaler.set_growth_factor(3.0);
    scaler.set_backoff_factor(0.25);
    scaler.set_growth_interval(7);

    expect_bits(scaler.get_growth_factor(), 3.0);
    expect_bits(scaler.get_backoff_factor(), 0.25);
    expect_equal(scaler.get_growth_interval(), std::int64_t{7});
  });

  scaling("the_tracker_is_read_at_every_stage_of_its_life", {"SCL-504"}, [](Session& subject) {
    expect_tracker(subject.scaler().make({.enabled = false}), 0);
    auto scaler = subject.scaler().make({.init_scale = 4});
    expect_tracker(scaler, 0);

    scaler.load_state_dict(state(4, 2, 0.5, 100, 7));
    expect_tracker(scaler, 7);
    scaler.scale(f32({1}));
    expect_tracker(scaler, 7);
    scaler.step(sgd(subject, {parameter(subject, 1, 1)}));
    scaler.update();

    expect_tracker(scaler, 8);
  });

  scaling("state_dict_has_exactly_five_keys", {"SCL-506"}, [](Session& subject) {
    auto scaler = subject.scaler().make(
        {.init_scale = 0.1, .growth_factor = 3, .backoff_factor = 0.25, .growth_interval = 17});
    expect_state(scaler, state(0.1, 3, 0.25, 17, 0));

    scaler.scale(f32({1}));

    expect_state(scaler, state(double{0.1F}, 3, 0.25, 17, 0));
  });

  scaling("state_dict_follows_the_training", {"SCL-506"}, [](Session& subject) {
    auto scaler = trained(subject, {.init_scale = 4, .growth_interval = 2}, 3);

    expect_state(scaler, state(8, 2, 0.5, 2, 1));
  });

  scaling("state_dict_of_a_disabled_scaler_is_empty", {"SCL-506"}, [](Session& subject) {
    expect_equal(subject.scaler().make({.enabled = false}).state_dict(), Dict{});
  });

  scaling("loading_into_a_lazy_scaler_shows_at_the_first_scale", {"SCL-507"}, [](Session& subject) {
    auto scaler = subject.scaler().make(
        {.init_scale = 6, .growth_factor = 7, .backoff_factor = 0.8, .growth_interval = 1});

    scaler.load_state_dict(state(3, 4, 0.5, 2, 1));

    expect_no_tensors(scaler);
    expect_state(scaler, state(3, 4, 0.5, 2, 1));
    expect_bits(scaler.scale(f32({2})), f32({6}));
    expect_tracker(scaler, 1);
  });

  scaling(
      "loading_into_an_initialised_scaler_fills_its_scalars_in_place", {"SCL-507"},
      [](Session& subject) {
        auto scaler = trained(
            subject,
            {.init_scale = 6, .growth_factor = 7, .backoff_factor = 0.8, .growth_interval = 100},
            7);
        scaler.tensors("live");

        scaler.load_state_dict(state(3, 4, 0.5, 2, 0));

        expect_state(scaler, state(3, 4, 0.5, 2, 0));
        expect_equal(Tensor::named(subject, "live.scale").read().real_at(0), 3.0);
        expect_equal(Tensor::named(subject, "live.tracker").read().real_at(0), 0.0);
      });

  scaling("loaded_numbers_stay_ints_until_there_is_a_tensor", {"SCL-507", "SCL-510"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 6});
            const auto loaded = [](Value scale) {
              return dict_of({{"scale", std::move(scale)},
                              {"growth_factor", 4},
                              {"backoff_factor", 0},
                              {"growth_interval", 2},
                              {"_growth_tracker", 1}});
            };

            scaler.load_state_dict(loaded(3));

            expect_equal(scaler.state_dict(), loaded(3));
            expect_equal(scaler.pickle().state_dict(), loaded(3));
            scaler.scale(f32({1}));
            expect_equal(scaler.state_dict(), loaded(3.0));
          })
      .reach(Reach::kArguments);

  scaling("the_loaded_tracker_counts_on", {"SCL-507"}, [](Session& subject) {
    for (const bool is_lazy : {true, false}) {
      auto scaler = subject.scaler().make({.init_scale = 6});
      if (!is_lazy) scaler.scale(f32({1}));
      scaler.load_state_dict(state(4, 4, 0.5, 3, 2));
      scaler.scale(f32({1}));

      scaler.step(sgd(subject, {parameter(subject, 1, 1)}));
      scaler.update();

      expect_scale(scaler, 16);
      expect_tracker(scaler, 0);
    }
  });

  scaling("loading_validates_nothing_and_ignores_other_keys", {"SCL-507"}, [](Session& subject) {
    auto scaler = subject.scaler().make();
    Dict loaded = state(-3, 0.5, 1.5, -1, 0);
    loaded.items.emplace_back("epoch", 12);

    scaler.load_state_dict(loaded);

    expect_state(scaler, state(-3, 0.5, 1.5, -1, 0));
  }).reach(Reach::kState);

  scaling("loading_leaves_the_optimizers_entries", {"SCL-507"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, kInf)});
    scaler.unscale_(optimizer);

    scaler.load_state_dict(state(3, 4, 0.5, 2, 0));

    expect_stage(scaler, optimizer, "UNSCALED");
    expect_flags(scaler, optimizer, {1});
  });

  scaling("a_disabled_scaler_loads_nothing", {"SCL-508"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});

    scaler.load_state_dict(Dict{});
    scaler.load_state_dict(state(3, 4, 0.5, 2, 0));

    expect_bits(scaler.get_scale(), 1.0);
    expect_error([&] { scaler.get_growth_factor(); }, ErrorKind::kAttribute);
  });

  scaling("an_empty_state_comes_from_a_disabled_scaler", {"SCL-508"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});

    expect_error([&] { scaler.load_state_dict(Dict{}); }, ErrorKind::kError, {"empty", "disabled"});
    expect_scale(scaler, 4);
  });

  scaling(
      "a_missing_key_is_named_and_the_keys_ahead_of_it_are_applied", {"SCL-508"},
      [](Session& subject) {
        const Dict before = state(6, 7, 0.75, 1, 0);
        const Dict given = state(3, 4, 0.5, 2, 5);
        for (std::size_t missing = 0; missing < 5; ++missing) {
          const ScopedTrace at(kKeys[missing]);
          auto scaler = subject.scaler().make(
              {.init_scale = 6, .growth_factor = 7, .backoff_factor = 0.75, .growth_interval = 1});
          Dict partial = given;
          partial.items.erase(partial.items.begin() + static_cast<std::ptrdiff_t>(missing));

          expect_error([&] { scaler.load_state_dict(partial); }, ErrorKind::kKey, {kKeys[missing]});

          Dict wanted = before;
          for (std::size_t i = 0; i < missing; ++i) wanted.items[i] = given.items[i];
          expect_state(scaler, wanted);
        }
      });

  scaling("a_key_that_is_missing_second_is_not_named", {"SCL-508"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 6});

    expect_error(
        [&] {
          scaler.load_state_dict(dict_of({{"scale", 3.0}, {"growth_factor", 4.0}}));
        },
        ErrorKind::kKey, {"backoff_factor"});

    expect_scale(scaler, 3);
    expect_bits(scaler.get_growth_factor(), 4.0);
  });

  scaling("what_does_not_fit_fails_at_the_load_if_there_is_something_to_fill", {"SCL-509"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            expect_error(
                [&] { scaler.load_state_dict(state(3, 4, 0.5, 2, std::int64_t{1} << 31)); },
                ErrorKind::kError, {"int", "overflow"});
            expect_scale(scaler, 3);
            expect_bits(scaler.get_growth_factor(), 4.0);

            expect_error([&] { scaler.load_state_dict(state(1e39, 8, 0.5, 2, 0)); },
                         ErrorKind::kError, {"float", "overflow"});
            expect_scale(scaler, 3);
            expect_bits(scaler.get_growth_factor(), 4.0);
          })
      .unless(Property::kDoubleScale);

  scaling("what_does_not_fit_fails_at_the_first_scale_otherwise", {"SCL-509"},
          [](Session& subject) {
            for (const Dict& wrong :
                 {state(1e39, 4, 0.5, 2, 0), state(4, 4, 0.5, 2, -(std::int64_t{1} << 31) - 1)}) {
              auto scaler = subject.scaler().make({.init_scale = 4});
              scaler.load_state_dict(wrong);

              expect_error([&] { scaler.scale(f32({1})); }, ErrorKind::kError, {"overflow"});
            }
          })
      .unless(Property::kDoubleScale);

  scaling("a_fractional_tracker_is_truncated", {"SCL-509"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    Dict loaded = state(4, 2, 0.5, 100, 0);
    loaded.items.back().second = 7.5;

    scaler.load_state_dict(loaded);

    expect_tracker(scaler, 7);
  });
}

}  // namespace assay::suites
