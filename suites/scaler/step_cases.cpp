// step(): order of checks, when the optimizer runs, its arguments and its result.
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

const auto kReturns42 = [](Session& subject) { subject.send("value", {{"value", 42}}); };

const auto kRaises = [](Session& subject) {
  subject.send("raise", {{"kind", "index"}, {"message", "the optimizer raised"}});
};

/// A step that returns the argument with this name.
std::function<void(Session&)> returns_argument(std::string name) {
  return [name = std::move(name)](Session& subject) {
    subject.send("value", {{"value", Ref{name}}});
  };
}

}  // namespace

CASES("scaler/step") {
  scaling("the_closure_is_refused_before_the_scale_is_missed", {"SCL-301", "SCL-303"},
          [](Session& subject) {
            auto scaler = subject.scaler().make();
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

            expect_error(
                [&] {
                  scaler.step(optimizer, {.kwargs = {{"closure", Value()}}});
                },
                ErrorKind::kError, {"closure", "not", "supported"});
          });

  scaling("the_closure_is_refused_before_the_stage_is_looked_at", {"SCL-301", "SCL-303"},
          [](Session& subject) {
            auto scaler = ready(subject);
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});
            scaler.step(optimizer);

            expect_error(
                [&] {
                  scaler.step(optimizer, {.kwargs = {{"closure", Value()}}});
                },
                ErrorKind::kError, {"closure", "not", "supported"});
          });

  scaling("a_second_step_is_refused_before_a_scaling_aware_optimizer_runs", {"SCL-301", "SCL-305"},
          [](Session& subject) {
            auto scaler = ready(subject);
            auto optimizer = scaling_aware(subject, {parameter(subject, 1, 8)}, kReturns42);
            scaler.step(optimizer);

            expect_error([&] { scaler.step(optimizer); }, ErrorKind::kError,
                         {"step", "already", "update"});

            expect_equal(optimizer.calls(), std::int64_t{1});
          })
      .since(Release::k2_4);

  scaling("a_disabled_scaler_steps_as_often_as_it_is_asked", {"SCL-302"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});
    auto optimizer = custom(subject, {parameter(subject, 1, kInf)}, kReturns42);

    expect_equal(scaler.step(optimizer), 42);
    expect_equal(scaler.step(optimizer), 42);

    expect_equal(optimizer.calls(), std::int64_t{2});
  });

  scaling("a_disabled_scaler_hands_on_all_arguments", {"SCL-302"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});
    const Tensor param = parameter(subject, 1, 8);
    auto first = custom(subject, {param}, returns_argument("$0"));
    auto closure = custom(subject, {param}, returns_argument("$closure"));

    expect_equal(scaler.step(first, {.args = {7}}), 7);
    expect_equal(scaler.step(closure, {.kwargs = {{"closure", 9}}}), 9);
  });

  scaling("a_closure_by_name_is_refused_and_the_stage_stays", {"SCL-303"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {param});

    for (const Value& closure : {Value(), Value(Callable{"closure"})}) {
      expect_error(
          [&] {
            scaler.step(optimizer, {.kwargs = {{"closure", closure}}});
          },
          ErrorKind::kError, {"closure", "not", "supported"});
    }

    expect_stage(scaler, optimizer, "READY");
    expect_bits(param.grad(), f32({8}));
  });

  scaling("a_positional_closure_is_handed_on", {"SCL-303", "SCL-309"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = custom(subject, {parameter(subject, 1, 8)}, returns_argument("$0"));

    expect_equal(scaler.step(optimizer, {.args = {"a closure"}}), "a closure");
  });

  scaling("a_second_step_is_refused", {"SCL-305"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 4);
    auto optimizer = sgd(subject, {param});
    scaler.step(optimizer);

    expect_error([&] { scaler.step(optimizer); }, ErrorKind::kError, {"step", "already", "update"});

    expect_bits(param.read(), f32({0.75}));
    expect_bits(param.grad(), f32({1}));
  });

  scaling("a_second_step_is_refused_after_a_skipped_one", {"SCL-305", "SCL-310"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = sgd(subject, {parameter(subject, 1, kInf)});
            scaler.step(optimizer);

            expect_error([&] { scaler.step(optimizer); }, ErrorKind::kError,
                         {"step", "already", "update"});
          });

  scaling("step_unscales_where_nobody_has", {"SCL-306"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 3});
    const Tensor implicit = parameter(subject, 1, 5);
    const Tensor explicitly = parameter(subject, 1, 5);
    auto first = sgd(subject, {implicit});
    auto second = sgd(subject, {explicitly});

    scaler.step(first);
    scaler.unscale_(second);
    scaler.step(second);

    for (const Tensor& param : {implicit, explicitly}) {
      expect_bits(param.grad(), f32_bits({0x3fd55556}));
    }
    expect_bits(implicit.read(), explicitly.read());
  });

  scaling("step_raises_what_unscale_raises", {"SCL-306"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, f16({1}), f16({1}))});

    expect_error([&] { scaler.step(optimizer); }, ErrorKind::kValue, {"FP16"});

    expect_stage(scaler, optimizer, "READY");
    expect_equal(optimizer.calls(), std::int64_t{0});
  });

  scaling("no_inf_checks_is_an_error_at_every_try", {"SCL-307", "SCL-210"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, f32({1}))});

    for (int attempt = 0; attempt < 2; ++attempt) {
      expect_error([&] { scaler.step(optimizer); }, ErrorKind::kAssertion,
                   {"No inf checks", "optimizer"});
      expect_stage(scaler, optimizer, "UNSCALED");
    }
    expect_equal(optimizer.calls(), std::int64_t{0});
  });

  scaling("the_flag_decides_whatever_wrote_it", {"SCL-308", "SCL-513"},
          [](Session& subject) {
            struct Row {
              double flag;
              bool runs;
            };
            for (const Row& row : {Row{0.0, true}, Row{-0.0, true}, Row{1.0, false},
                                   Row{2.0, false}, Row{0.5, false}, Row{-1.0, false},
                                   Row{0x1p-149, false}, Row{kNaN, false}, Row{kInf, false}}) {
              const ScopedTrace at("flag " + std::to_string(row.flag));
              auto scaler = ready(subject, {.init_scale = 4});
              const Tensor param = parameter(subject, 1, 4);
              auto optimizer = sgd(subject, {param});
              const std::string live = subject.fresh_name("flag");
              scaler.unscale_(optimizer);
              scaler.found_inf(optimizer, live);

              Tensor::named(subject, live + ".0").fill_(row.flag);
              scaler.step(optimizer);

              expect_bits(param.read(), f32({row.runs ? 0.75 : 1.0}));
            }
          })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag);

  scaling("a_flag_that_is_cleared_lets_the_step_run", {"SCL-308", "SCL-311"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor bad = parameter(subject, 1, kInf);
    const Tensor good = parameter(subject, 1, 4);
    auto optimizer = sgd(subject, {bad, good});
    scaler.unscale_(optimizer);
    scaler.found_inf(optimizer, "live");

    Tensor::named(subject, "live.0").fill_(0);
    scaler.step(optimizer);

    expect_bits(good.read(), f32({0.75}));
    expect_bits(bad.read(), f32({-kInf}));
  }).reach(Reach::kArguments);

  scaling("flags_are_summed_so_that_opposite_ones_cancel", {"SCL-308"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor here = parameter(subject, 1, 4, subject.device(0));
            const Tensor there = parameter(subject, 1, 4, subject.device(1));
            auto optimizer = sgd(subject, {here, there});
            scaler.unscale_(optimizer);
            scaler.found_inf(optimizer, "live");

            Tensor::named(subject, "live.0").fill_(1);
            Tensor::named(subject, "live.1").fill_(-1);
            scaler.step(optimizer);

            expect_bits(here.read(), f32({0.75}));
            expect_bits(there.read(), f32({0.75}));
          })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag)
      .only(DeviceRules::kCuda);

  scaling("one_bad_value_on_one_device_skips_the_whole_optimizer", {"SCL-308"},
          [](Session& subject) {
            for (const int bad : {0, 1}) {
              auto scaler = ready(subject, {.init_scale = 4});
              const Tensor here = parameter(subject, 1, bad == 0 ? kNaN : 4, subject.device(0));
              const Tensor there = parameter(subject, 1, bad == 1 ? kNaN : 4, subject.device(1));
              auto optimizer = sgd(subject, {here, there});

              scaler.step(optimizer);

              expect_bits(here.read(), f32({1}));
              expect_bits(there.read(), f32({1}));
            }
          })
      .only(DeviceRules::kCuda);

  scaling("one_bad_value_anywhere_skips_every_parameter", {"SCL-308"}, [](Session& subject) {
    for (std::size_t bad = 0; bad < 3; ++bad) {
      for (const float value : {kInf, -kInf, kNaN}) {
        auto scaler = ready(subject, {.init_scale = 4});
        std::vector<Tensor> params;
        for (std::size_t i = 0; i < 3; ++i) {
          params.push_back(parameter(subject, 1, i == bad ? value : 4));
        }

        scaler.step(sgd(subject, {params[0], params[1], params[2]}));

        for (const Tensor& param : params) expect_bits(param.read(), f32({1}));
      }
    }
  });

  scaling("what_the_optimizer_returns_comes_back", {"SCL-309"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = custom(subject, {parameter(subject, 1, 8)}, kReturns42);

    expect_equal(scaler.step(optimizer), 42);
    expect_equal(optimizer.calls(), std::int64_t{1});
  });

  scaling("arguments_by_name_are_handed_on", {"SCL-309"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = custom(subject, {parameter(subject, 1, 8)}, returns_argument("$factor"));

    expect_equal(scaler.step(optimizer, {.kwargs = {{"factor", 7}}}), 7);
  });

  scaling("a_skipped_step_returns_none_and_calls_nothing", {"SCL-309"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = custom(subject, {parameter(subject, 1, kInf)}, kReturns42);

    expect_equal(scaler.step(optimizer), Value());
    expect_equal(optimizer.calls(), std::int64_t{0});
  });

  scaling("a_skipped_step_has_unscaled_the_gradients", {"SCL-309"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, f32({1, 1, 1}), f32({8, kInf, kNaN}));

    scaler.step(sgd(subject, {param}));

    expect_bits(param.grad(), f32({2, kInf, kNaN}));
    expect_bits(param.read(), f32({1, 1, 1}));
  });

  scaling("a_skipped_step_leaves_the_optimizers_state", {"SCL-309"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = subject.optim().sgd({.params = {param}, .lr = 0.25, .momentum = 0.5});
    scaler.step(optimizer);
    scaler.update(4.0);
    const auto before = optimizer.state();

    param.set_grad(f32({kInf}));
    scaler.step(optimizer);

    expect_equal(optimizer.state().at(0), before.at(0));
  });

  scaling("the_stage_is_stepped_after_running_and_after_skipping", {"SCL-310"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto good = sgd(subject, {parameter(subject, 1, 8)});
            auto bad = sgd(subject, {parameter(subject, 1, kInf)});

            scaler.step(good);
            scaler.step(bad);

            expect_stage(scaler, good, "STEPPED");
            expect_stage(scaler, bad, "STEPPED");
          });

  scaling("an_optimizer_that_raises_can_be_stepped_again", {"SCL-310"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = custom(subject, {param}, kRaises);

    for (int attempt = 0; attempt < 2; ++attempt) {
      expect_error([&] { scaler.step(optimizer); }, ErrorKind::kIndex, {"the optimizer raised"});
      expect_bits(param.grad(), f32({2}));
      expect_stage(scaler, optimizer, "UNSCALED");
    }
    expect_equal(optimizer.calls(), std::int64_t{2});
  });

  scaling("gradients_are_not_examined_again_at_the_step", {"SCL-311"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 1});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {param});
    scaler.unscale_(optimizer);

    param.set_grad(f32({kNaN}));
    scaler.step(optimizer);
    expect_flags(scaler, optimizer, {0});
    scaler.update();

    expect_bits(param.read(), f32({kNaN}));
    expect_scale(scaler, 8);
  });

  scaling("gradients_added_after_unscale_are_not_unscaled", {"SCL-311"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor grad(subject, f32({4}));
    const Tensor param = parameter(subject, f32({4}), grad);
    auto optimizer = sgd(subject, {param}, 1);
    scaler.unscale_(optimizer);

    subject.send("core.add_", {{"tensor", grad}, {"other", f32({2})}});
    scaler.step(optimizer);

    expect_bits(grad.read(), f32({3}));
    expect_bits(param.read(), f32({1}));
  });
}

}  // namespace assay::suites
