// Steps in graphs: fused steps can be captured; others read the flag on the host and are rejected.
#include "suites/scaler/captured.hpp"

namespace assay::suites {

CASES("scaler/captured_step") {
  on_cuda("a_fused_step_steps_or_skips_by_the_flag_of_the_replay", {"SCL-715", "SCL-610"},
          [](Session& subject) {
            const Training training(subject, {.init_scale = 4, .growth_interval = 2}, "fused");
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.step(training.optimizer);
              training.scaler.update();
            });
            expect_bits(training.param.read(), f32({1}));
            struct Row {
              float given, param, scale;
            };
            for (const Row& row : {Row{8, 0.5, 4}, Row{8, 0, 8}, Row{kInf, 0, 4}, Row{8, -0.5, 4},
                                   Row{kNaN, -0.5, 2}, Row{8, -1.5, 2}}) {
              const ScopedTrace at("gradient " + std::to_string(row.given));
              training.grad.fill_(row.given);
              graph.replay();
              expect_bits(training.param.read(), f32({row.param}));
              expect_scale(training.scaler, row.scale);
            }
          })
      .since(Release::k2_4);

  on_cuda("a_fused_step_after_unscale_takes_the_gradients_of_the_replay", {"SCL-715", "SCL-603"},
          [](Session& subject) {
            const Training training(subject, {.init_scale = 4, .growth_interval = 1}, "fused");
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.unscale_(training.optimizer);
              training.scaler.step(training.optimizer);
              training.scaler.update();
            });
            for (const auto& [given, param] :
                 {std::pair{8.0F, 0.5F}, {8.0F, 0.25F}, {kInf, 0.25F}, {8.0F, 0.0F}}) {
              training.grad.fill_(given);
              graph.replay();
              expect_bits(training.param.read(), f32({param}));
            }
            expect_scale(training.scaler, 16);
          })
      .since(Release::k2_4);

  on_cuda("a_step_that_asks_its_flags_is_refused", {"SCL-715", "CAP-004"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const ScopedTrace at(mode);
      const Training training(subject, {.init_scale = 4, .growth_interval = 2}, mode);
      const auto graph = GraphClient(subject).make();
      graph.begin();
      expect_device_error(
          subject, [&] { training.scaler.step(training.optimizer); }, 900);
      expect_stage(training.scaler, training.optimizer, "UNSCALED");
      expect_device_error(
          subject, [&] { graph.end(); }, 901);
      expect_bits(training.param.read(), f32({1}));
      expect_bits(training.grad.read(), f32({8}));
      expect_scale(training.scaler, 4);
    }
  }).since(Release::k2_11);

  on_cuda("asking_the_scaler_for_its_scale_is_refused", {"SCL-715", "CAP-004"},
          [](Session& subject) {
            const Training training(subject);
            const auto refuses = [&](const std::function<void()>& question) {
              const auto graph = GraphClient(subject).make();
              graph.begin();
              expect_device_error(subject, question, 900);
              expect_device_error(
                  subject, [&] { graph.end(); }, 901);
            };
            refuses([&] { training.scaler.get_scale(); });
            refuses([&] { training.scaler.get_growth_tracker(); });
            refuses([&] { training.scaler.state_dict(); });
            expect_scale(training.scaler, 4);
          })
      .since(Release::k2_11);

  on_cuda("adam_is_not_captured", {"SCL-715"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach", "fused"}) {
      const ScopedTrace at(mode);
      const Tensor param = parameter(subject, 1, 8);
      auto optimizer = subject.optim().adam({.params = {param}, .lr = 0.25, .mode = mode});
      const Tensor other(subject, f32({1}));
      const auto graph = GraphClient(subject).of([&] {
        expect_error(
            [&] {
              subject.send("optim.step", {{"optimizer", optimizer}});
            },
            ErrorKind::kError, {"capturable"});
        other.fill_(2);
      });
      graph.replay();
      expect_bits(param.read(), f32({1}));
      expect_bits(other.read(), f32({2}));
      subject.send("optim.step", {{"optimizer", optimizer}});
      expect_true(param.read().real_at(0) < 1, "outside of captures it steps");
    }
  }).since(Release::k2_4);

  on_cuda("scalars_that_are_made_in_a_capture_are_made_by_each_replay", {"SCL-716"},
          [](Session& subject) {
            const Tensor param = parameter(subject, 1, 8);
            const Tensor grad = gradient_of(subject, param);
            auto optimizer = sgd(subject, {param});
            auto scaler = subject.scaler().make({.init_scale = 4, .growth_interval = 1});
            const Tensor loss(subject, f32({1}));
            const auto graph = GraphClient(subject).of([&] {
              scaler.scale(loss, subject.fresh_name("scaled"));
              scaler.unscale_(optimizer);
              scaler.update();
            });
            for (const auto& [given, wanted, scale] : {std::tuple{8.0F, 2.0F, 8.0F},
                                                       {8.0F, 2.0F, 8.0F},
                                                       {kInf, kInf, 2.0F},
                                                       {4.0F, 1.0F, 8.0F}}) {
              grad.fill_(given);
              graph.replay();
              expect_bits(grad.read(), f32({wanted}));
              expect_scale(scaler, scale);
            }
          });

  on_cuda("a_check_in_a_capture_does_not_spoil_checks_outside", {"SCL-715", "SCL-513"},
          [](Session& subject) {
            const Training training(subject, {.init_scale = 4, .growth_interval = 100}, "fused");
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.step(training.optimizer);
              training.scaler.update();
            });

            // Without a replay, the captured work has not run yet.
            training.scaler.step(training.optimizer);
            training.scaler.update();
            expect_bits(training.param.read(), f32({0.5}));
            training.grad.fill_(8);
            graph.replay();
            expect_bits(training.param.read(), f32({0}));
          })
      .since(Release::k2_4);

  on_cuda("a_first_momentum_is_begun_by_every_replay", {"SCL-715", "SCL-610"},
          [](Session& subject) {
            const Tensor param = parameter(subject, 1, 8);
            const Tensor grad = gradient_of(subject, param);
            auto optimizer = subject.optim().sgd(
                {.params = {param}, .lr = 0.25, .momentum = 0.5, .mode = "fused"});
            auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 100});
            const auto iterate = [&] {
              scaler.step(optimizer);
              scaler.update();
            };
            const auto graph = GraphClient(subject).of(iterate);
            for (const auto& [given, wanted] :
                 {std::pair{8.0F, 0.5F}, {8.0F, 0.0F}, {kInf, 0.0F}, {4.0F, -0.25F}}) {
              const ScopedTrace at("gradient " + std::to_string(given));
              grad.fill_(given);
              scaler.update(4.0);
              graph.replay();
              expect_bits(param.read(), f32({wanted}));
            }
            grad.fill_(8);
            iterate();
            expect_bits(param.read(), f32({-0.875}));
          })
      .since(Release::k2_4);

  on_cuda("a_momentum_that_began_before_goes_on_in_every_replay", {"SCL-715"},
          [](Session& subject) {
            for (const bool is_first : {true, false}) {
              for (const char* mode : {"plain", "foreach", "fused"}) {
                const ScopedTrace at(std::string(mode) + (is_first ? ", first step captured" : ""));
                const Tensor param = parameter(subject, 1, 1);
                auto optimizer = subject.optim().sgd(
                    {.params = {param}, .lr = 0.5, .momentum = 0.5, .mode = mode});
                const auto step = [&] { subject.send("optim.step", {{"optimizer", optimizer}}); };
                if (!is_first) step();
                const auto graph = GraphClient(subject).of(step);
                graph.replay();
                graph.replay();
                expect_bits(param.read(), f32({is_first ? 0.0F : -1.125F}));
                step();
                expect_bits(param.read(), f32({is_first ? -0.75F : -2.0625F}));
              }
            }
          })
      .since(Release::k2_4);

  on_cuda("a_disabled_scaler_is_no_part_of_it", {"SCL-714", "SCL-710"}, [](Session& subject) {
    const Tensor param = parameter(subject, 1, 2);
    const Tensor grad = gradient_of(subject, param);
    auto optimizer = sgd(subject, {param});
    auto scaler = subject.scaler().make({.enabled = false});
    const auto graph = GraphClient(subject).of([&] {
      scaler.unscale_(optimizer);
      scaler.step(optimizer);
      scaler.update();
    });
    graph.replay();
    grad.fill_(kInf);
    graph.replay();
    expect_bits(param.read(), f32({-kInf}));
    expect_equal(scaler.get_scale(), 1.0);
  });
}

}  // namespace assay::suites
