// update(): combination of flags, factors, and when state is cleared.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
CASES("scaler/update") {
  scaling("any_bad_optimizer_backs_off_once", {"SCL-407"}, [](Session& subject) {
    for (const auto& [first, second] : {std::pair{8.0F, kInf}, {kInf, 8.0F}, {kInf, kNaN}}) {
      const ScopedTrace at("gradients " + std::to_string(first) + " and " + std::to_string(second));
      auto scaler = ready(subject, {.init_scale = 2, .growth_interval = 3});
      iterate(subject, scaler);

      scaler.step(sgd(subject, {parameter(subject, 1, first)}));
      scaler.step(sgd(subject, {parameter(subject, 1, second)}));
      scaler.update();

      expect_scale(scaler, 1);
      expect_tracker(scaler, 0);
    }
  });

  scaling("flags_of_all_devices_are_combined", {"SCL-407"}, [](Session& subject) {
    for (const int bad : {0, 1}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer =
          sgd(subject, {parameter(subject, 1, bad == 0 ? kInf : 8, subject.device(0)),
                        parameter(subject, 1, bad == 1 ? kInf : 8, subject.device(1))});

      scaler.step(optimizer);
      scaler.update();

      expect_scale(scaler, 2);
    }
  }).only(DeviceRules::kCuda);

  scaling("flags_are_added_on_the_scales_device", {"SCL-407"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    scaler.step(sgd(subject, {parameter(subject, 1, kInf, subject.device(1))}));
    scaler.update();

    expect_scale(scaler, 2);
    expect_equal(tensor_in(scaler.tensors().scale).device, subject.device(0));
  }).only(DeviceRules::kCuda);

  scaling("the_tracker_counts_updates_not_steps", {"SCL-407"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    scaler.step(sgd(subject, {parameter(subject, 1, 8)}));
    scaler.step(sgd(subject, {parameter(subject, 1, 8)}));
    scaler.update();

    expect_tracker(scaler, 1);
  });

  scaling("the_first_flag_becomes_the_sum", {"SCL-408"}, [](Session& subject) {
    for (const auto& [first, second, total] :
         {std::tuple{8.0F, kInf, 1.0}, {kInf, kInf, 2.0}, {kInf, 8.0F, 1.0}, {8.0F, 8.0F, 0.0}}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto a = sgd(subject, {parameter(subject, 1, first)});
      auto b = sgd(subject, {parameter(subject, 1, second)});
      const std::string held = subject.fresh_name("flag");
      scaler.unscale_(a);
      scaler.unscale_(b);
      scaler.found_inf(a, held);

      scaler.update();

      expect_equal(Tensor::named(subject, held + ".0").read().real_at(0), total);
    }
  }).unless(Property::kBoolFlag);

  scaling("a_single_flag_keeps_its_value", {"SCL-408"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, kInf)});
    scaler.unscale_(optimizer);
    scaler.found_inf(optimizer, "held");

    scaler.update();

    expect_equal(Tensor::named(subject, "held.0").read().real_at(0), 1.0);
  });

  scaling("factors_are_doubles_to_the_last", {"SCL-409"},
          [](Session& subject) {
            struct Row {
              double start, growth, backoff;
              float grad;
              std::uint32_t wanted;
            };
            // U45 and U47: arithmetic in float gives other bits.
            for (const Row& row : {Row{116101.03125, 1.1, 0.5, 1, 0x47f96f91},
                                   Row{58982.3984375, 2, 0.9, kInf, 0x474f5c29}}) {
              auto scaler = ready(subject, {.init_scale = row.start,
                                            .growth_factor = row.growth,
                                            .backoff_factor = row.backoff,
                                            .growth_interval = 1});
              iterate(subject, scaler, row.grad);
              expect_scale_bits(scaler, row.wanted);
            }
          })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  scaling("setters_take_effect_at_the_next_update", {"SCL-409", "SCL-503"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 10});
    for (int i = 0; i < 4; ++i) iterate(subject, scaler);

    scaler.set_growth_interval(3);
    for (int i = 0; i < 4; ++i) iterate(subject, scaler);
    expect_scale(scaler, 4);  // AMP-108: past the interval it never meets it
    expect_tracker(scaler, 8);

    scaler.set_growth_interval(9);
    scaler.set_growth_factor(8);
    iterate(subject, scaler);
    expect_scale(scaler, 32);

    scaler.set_backoff_factor(0.25);
    iterate(subject, scaler, kInf);
    expect_scale(scaler, 8);
  }).reach(Reach::kTraining);

  scaling(
      "an_update_without_flags_is_an_error_that_changes_nothing", {"SCL-410"},
      [](Session& subject) {
        auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 2});
        iterate(subject, scaler);

        expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"No inf checks", "update"});

        expect_scale(scaler, 4);
        expect_tracker(scaler, 1);
      });

  scaling(
      "an_update_after_unscaling_nothing_is_an_error", {"SCL-410", "SCL-411"},
      [](Session& subject) {
        auto scaler = ready(subject, {.init_scale = 4});
        auto optimizer = sgd(subject, {parameter(subject, f32({1}))});
        scaler.unscale_(optimizer);

        expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"No inf checks", "update"});

        expect_stage(scaler, optimizer, "UNSCALED");
      });

  scaling(
      "an_update_after_a_failed_unscale_is_an_error", {"SCL-410", "SCL-411"}, [](Session& subject) {
        auto scaler = ready(subject, {.init_scale = 4});
        auto optimizer = sgd(subject, {parameter(subject, f16({1}), f16({1}))});
        expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue);

        expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"No inf checks", "update"});

        expect_true(scaler.stage(optimizer).known, "the entry stays");
        expect_error([&] { scaler.pickle(); }, ErrorKind::kAssertion);
      });

  scaling("a_success_returns_every_optimizer_to_ready", {"SCL-411"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 64);
    auto stepped = sgd(subject, {parameter(subject, 1, 8)});
    auto unscaled = sgd(subject, {param});
    scaler.step(stepped);
    scaler.unscale_(unscaled);

    scaler.update();

    expect_false(scaler.stage(stepped).known, "there is no entry for the stepped optimizer");
    expect_false(scaler.stage(unscaled).known, "there is no entry for the unscaled optimizer");
    scaler.unscale_(unscaled);
    expect_bits(param.grad(), f32({4}));
  });

  scaling("an_update_counts_without_a_step", {"SCL-412"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 2});
    for (const float grad : {1.0F, 1.0F, kInf}) {
      scaler.unscale_(sgd(subject, {parameter(subject, 1, grad)}));
      scaler.update();
    }

    expect_scale(scaler, 4);
    expect_tracker(scaler, 0);
  });

  scaling("gradients_that_were_not_consumed_are_divided_again", {"SCL-412"}, [](Session& subject) {
    auto scaler = ready(subject);
    const Tensor param = parameter(subject, 1, 1);
    auto optimizer = sgd(subject, {param});

    for (const double wanted : {0x1p-16, 0x1p-32}) {
      scaler.unscale_(optimizer);
      expect_bits(param.grad(), f32({wanted}));
      scaler.update();
    }
  });

  scaling("the_host_reads_nothing_for_an_update", {"SCL-413"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    scaler.unscale_(sgd(subject, {parameter(subject, 1, kInf)}));
    scaler.unscale_(sgd(subject, {parameter(subject, 1, 1)}));

    subject.count();
    scaler.update();

    expect_equal(subject.counted("host_reads"), std::int64_t{0});
  });

  scaling("the_scalars_are_updated_in_place", {"SCL-409"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 1});
    scaler.tensors("live");

    iterate(subject, scaler);
    expect_bits(f32_bits(bits_of(Tensor::named(subject, "live.scale").read())), f32({8}));
    scaler.update(32.0);

    expect_bits(f32_bits(bits_of(Tensor::named(subject, "live.scale").read())), f32({32}));
  });

  scaling("a_loaded_interval_that_is_no_int_is_refused_by_the_update", {"SCL-509"},
          [](Session& subject) {
            for (const Value& interval : {Value(2.5), Value(2.0), Value(true)}) {
              auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 1});
              Dict state = scaler.state_dict();
              for (auto& [key, value] : state.items) {
                if (identical(key, "growth_interval")) value = interval;
              }
              scaler.unscale_(sgd(subject, {parameter(subject, 1, 8)}));

              scaler.load_state_dict(state);

              expect_equal(Value(scaler.state_dict()), Value(state));
              expect_error([&] { scaler.update(); }, ErrorKind::kType, {"growth_interval", "int"});
              expect_scale(scaler, 4);
            }
          });

  scaling("a_disabled_update_changes_nothing", {"SCL-414"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4, .enabled = false});

    scaler.update();
    scaler.update(2.0);

    expect_bits(scaler.get_scale(), 1.0);
    expect_no_tensors(scaler);
  });
}

}  // namespace assay::suites
