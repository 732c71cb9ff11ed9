// Identity of optimizers, scalers on two threads, and steps that call the scaler.
#include <array>

#include "harness/suite/unsupported_case.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// A shortened T1 without narrowing: gradients as scaled by 65536, 32768, …
constexpr std::array kScaledGrads{kInf, 32768.0F, 16384.0F, -8192.0F, kInf, 32768.0F};
constexpr double kParamAfter = 0.4375;
constexpr double kScaleAfter = 32768;

/// Records the whole training with new names; writes parameter and scale to external tensors.
void record_training(Session& subject, const std::string& prefix, const Tensor& param_seen,
                     const Tensor& scale_seen) {
  auto scaler = subject.scaler().make({.init_scale = 65536, .growth_interval = 3});
  const Tensor param(subject, f32({1}));
  auto optimizer = sgd(subject, {param});
  scaler.scale(f32({1}));
  for (const float grad : kScaledGrads) {
    param.set_grad(f32({grad}));
    scaler.step(optimizer);
    scaler.update();
  }
  scaler.tensors(prefix);
  subject.send("core.copy_", {{"dst", param_seen}, {"src", param}});
  subject.send("core.copy_", {{"dst", scale_seen}, {"src", Ref{prefix + ".scale"}}});
}

void need_threads(const Session& subject) {
  if (!subject.info().threads) throw NotOffered("the subject takes commands from one thread only");
}

}  // namespace

CASES("scaler/life") {
  scaling("a_new_optimizer_does_not_inherit_the_stage_of_a_dead_one", {"SCL-901"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor param = parameter(subject, 1, 64);
            for (const double wanted : {16.0, 4.0, 1.0}) {
              auto optimizer = sgd(subject, {param});
              expect_stage(scaler, optimizer, "READY");

              scaler.unscale_(optimizer);
              subject.drop(optimizer.name());

              expect_bits(param.grad(), f32({wanted}));
            }
          })
      .only(Deviations::kStrict);

  scaling("two_optimizers_over_the_same_parameters_are_two", {"SCL-901"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 64);
    auto first = sgd(subject, {param});
    auto second = sgd(subject, {param});

    scaler.unscale_(first);

    expect_false(scaler.stage(second).known, "there is no entry for the second optimizer");
  });

  scaling("flags_of_a_dead_optimizer_still_count", {"SCL-901", "SCL-407"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, kInf)});
    scaler.unscale_(optimizer);

    subject.drop(optimizer.name());
    scaler.update();

    expect_scale(scaler, 2);
  });

  scaling("two_scalers_in_two_threads_do_not_disturb_each_other", {"SCL-902"},
          [](Session& subject) {
            need_threads(subject);
            const Tensor params[] = {Tensor(subject, f32({0})), Tensor(subject, f32({0}))};
            const Tensor scales[] = {Tensor(subject, f32({0})), Tensor(subject, f32({0}))};
            const auto training = [&](std::size_t i) {
              return subject.block([&, i](Session& inside) {
                record_training(inside, i == 0 ? "left" : "right", params[i], scales[i]);
              });
            };

            for (int round = 0; round < 20; ++round) {
              subject.together({{"left", training(0)}, {"right", training(1)}}, 1);

              for (std::size_t i = 0; i < 2; ++i) {
                expect_bits(params[i].read(), f32({kParamAfter}));
                expect_equal(scales[i].read().real_at(0), kScaleAfter);
              }
            }
          });

  scaling("a_scaler_may_be_used_from_one_thread_after_the_other", {"SCL-902"},
          [](Session& subject) {
            need_threads(subject);
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor param = parameter(subject, 1, 8);
            auto optimizer = sgd(subject, {param});

            subject.on("first", subject.block([&](Session&) { scaler.unscale_(optimizer); }));
            subject.on("second", subject.block([&](Session&) {
              scaler.step(optimizer);
              scaler.update();
            }));

            expect_bits(param.read(), f32({0.5}));
            expect_tracker(scaler, 1);
          });

  scaling("a_step_may_read_the_scale_and_the_flags", {"SCL-903"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = custom(subject, {parameter(subject, 1, 8)}, [&](Session&) {
      scaler.found_inf(Ref{"$optimizer"});
      scaler.get_scale();
    });

    expect_bits(scaler.step(optimizer), 4.0);
  });

  scaling("a_step_may_unscale_another_optimizer", {"SCL-903"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto other = sgd(subject, {param});
    auto optimizer = custom(subject, {parameter(subject, 1, 8)}, [&](Session& inside) {
      scaler.unscale_(other);
      inside.send("value", {{"value", 42}});
    });

    expect_equal(scaler.step(optimizer), 42);

    expect_bits(param.grad(), f32({2}));
    expect_stage(scaler, other, "UNSCALED");
    expect_stage(scaler, optimizer, "STEPPED");
  });

  scaling("a_step_may_not_unscale_itself", {"SCL-903", "SCL-209"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = custom(subject, {parameter(subject, 1, 8)},
                            [&](Session&) { scaler.unscale_(Ref{"$optimizer"}); });

    expect_error([&] { scaler.step(optimizer); }, ErrorKind::kError,
                 {"unscale_", "already", "update"});

    expect_stage(scaler, optimizer, "UNSCALED");
  });

  scaling("an_update_inside_a_step_makes_the_optimizer_ready", {"SCL-903", "SCL-411"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 1});
            const Tensor param = parameter(subject, 1, 64);
            auto optimizer = custom(subject, {param}, [&](Session& inside) {
              scaler.update();
              inside.send("value", {{"value", 42}});
            });

            expect_equal(scaler.step(optimizer), 42);

            expect_scale(scaler, 8);
            expect_false(scaler.stage(optimizer).known, "there is no entry for the optimizer");
            scaler.unscale_(optimizer);
            expect_bits(param.grad(), f32({2}));
          });

  scaling("a_step_may_step_another_optimizer", {"SCL-903"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor inner = parameter(subject, 1, 4);
    auto other = sgd(subject, {inner});
    auto optimizer =
        custom(subject, {parameter(subject, 1, 8)}, [&](Session&) { scaler.step(other); });

    scaler.step(optimizer);

    expect_bits(inner.read(), f32({0.75}));
    expect_stage(scaler, other, "STEPPED");
    expect_stage(scaler, optimizer, "STEPPED");
  });
}

}  // namespace assay::suites
