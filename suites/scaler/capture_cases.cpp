// A scaler in graphs: effects of replays on the scale, and host-side state.
#include "suites/scaler/captured.hpp"

namespace assay::suites {

CASES("scaler/capture") {
  on_cuda("forward_and_backward_are_scaled_by_the_scale_of_the_moment", {"SCL-711"},
          [](Session& subject) {
            const Tensor weight(subject, scalar_of(Dtype::kFloat32, 1), true);
            const Tensor input(subject, scalar_of(Dtype::kFloat16, 0));
            auto optimizer = sgd(subject, {weight}, 0x1p-3);
            auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 2});
            const auto graph = GraphClient(subject).of([&] {
              const std::string half = subject.fresh_name("half");
              subject.send("core.to", {{"tensor", weight}, {"dtype", Dtype::kFloat16}}, half);
              const Tensor loss = product(subject, Ref{half}, input);
              const std::string scaled = subject.fresh_name("scaled");
              scaler.scale(loss, scaled);
              subject.send("core.backward", {{"tensor", Ref{scaled}}});
            });
            struct Row {
              float input, grad, scale;
              std::int64_t tracker;
            };
            for (const Row& row : {Row{5, 20, 4, 1}, Row{20000, kInf, 2, 0}, Row{5, 10, 2, 1},
                                   Row{40000, kInf, 1, 0}}) {
              const ScopedTrace at("input " + std::to_string(row.input));
              input.fill_(row.input);
              graph.replay();
              expect_bits(f32_bits(weight.grad_bits()), f32({row.grad}));
              scaler.step(optimizer);
              scaler.update();
              expect_scale(scaler, row.scale);
              expect_tracker(scaler, row.tracker);
            }
          });

  on_cuda("outputs_are_scaled_by_the_scale_of_the_moment", {"SCL-711", "SCL-714"},
          [](Session& subject) {
            const Training training(subject);
            const Tensor loss(subject, f32({3}));
            const std::string name = subject.fresh_name("scaled");
            const auto graph = GraphClient(subject).of([&] { training.scaler.scale(loss, name); });
            const Tensor scaled = Tensor::named(subject, name);

            for (const double scale : {4.0, 0.5, 64.0}) {
              training.scaler.update(scale);
              graph.replay();
              expect_bits(scaled.read(), f32({3 * scale}));
            }
            loss.fill_(kInf);
            graph.replay();
            expect_bits(scaled.read(), f32({kInf}));
          });

  on_cuda("unscale_and_update_move_the_scale_at_each_replay", {"SCL-714", "AMP-503"},
          [](Session& subject) {
            const Training training(subject);
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.unscale_(training.optimizer);
              training.scaler.update();
            });
            expect_scale(training.scaler, 4);

            for (const Expected& row :
                 {Expected{8, 2, 4, 1}, Expected{8, 2, 8, 0}, Expected{8, 1, 8, 1},
                  Expected{kInf, kInf, 4, 0}, Expected{8, 2, 4, 1}, Expected{8, 2, 8, 0},
                  Expected{kNaN, kNaN, 4, 0}, Expected{-4, -1, 4, 1}}) {
              const ScopedTrace at("gradient " + std::to_string(row.given));
              expect_replay(training, graph, row);
            }
          });

  on_cuda("an_inf_of_one_replay_is_none_of_the_next", {"SCL-714", "AMP-503"}, [](Session& subject) {
    const Training training(subject, {.init_scale = 1024, .growth_interval = 3});
    const auto graph = GraphClient(subject).of([&] {
      training.scaler.unscale_(training.optimizer);
      training.scaler.update();
    });
    float scale = 1024;
    std::int64_t tracker = 0;
    for (int round = 0; round < 14; ++round) {
      const ScopedTrace at("round " + std::to_string(round));
      const bool is_bad = round == 4 || round == 5 || round == 11;
      const float given = is_bad ? kInf : 2048;
      const float wanted = is_bad ? kInf : 2048 / scale;
      tracker = is_bad ? 0 : tracker + 1;
      if (is_bad) scale /= 2;
      if (tracker == 3) {
        tracker = 0;
        scale *= 2;
      }
      expect_replay(training, graph, {given, wanted, scale, tracker});
    }
  });

  on_cuda("a_scale_that_was_set_or_loaded_is_honoured", {"SCL-714", "AMP-503"},
          [](Session& subject) {
            const Training training(subject, {.init_scale = 4, .growth_interval = 2});
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.unscale_(training.optimizer);
              training.scaler.update();
            });
            training.scaler.update(16.0);
            expect_replay(training, graph, {32, 2, 16, 1});
            training.scaler.update(scalar_of(Dtype::kFloat32, 2));
            expect_replay(training, graph, {32, 16, 4, 0});
            training.scaler.load_state_dict(dict_of({{"scale", 64.0},
                                                     {"growth_factor", 2.0},
                                                     {"backoff_factor", 0.5},
                                                     {"growth_interval", std::int64_t{2}},
                                                     {"_growth_tracker", std::int64_t{1}}}));
            expect_replay(training, graph, {32, 0.5, 128, 0});
          })
      .since(Release::k2_4);

  on_cuda("factors_and_interval_are_those_of_the_capture", {"SCL-714", "CAP-002"},
          [](Session& subject) {
            const Training training(subject, {.init_scale = 4, .growth_interval = 1});
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.unscale_(training.optimizer);
              training.scaler.update();
            });
            training.scaler.set_growth_factor(8);
            training.scaler.set_backoff_factor(0.125);
            training.scaler.set_growth_interval(5);

            expect_replay(training, graph, {8, 2, 8, 0});
            expect_replay(training, graph, {kInf, kInf, 4, 0});
            training.scaler.unscale_(training.optimizer);
            training.scaler.update();
            expect_scale(training.scaler, 0.5);
          });

  on_cuda("replays_leave_what_iterations_leave", {"SCL-714", "CAP-002"}, [](Session& subject) {
    const ScalerOptions options{
        .init_scale = 65536, .growth_factor = 1.1, .backoff_factor = 0.7, .growth_interval = 2};
    const Training replayed(subject, options);
    const Training eager(subject, options);
    const auto iteration = [](const Training& training) {
      training.scaler.unscale_(training.optimizer);
      training.scaler.update();
    };
    const auto graph = GraphClient(subject).of([&] { iteration(replayed); });

    for (const float given : {3.0F, 5.0F, kInf, 7.0F, 0.1F, -kInf, 11.0F, 0x1p-140F, 13.0F}) {
      const ScopedTrace at("gradient " + std::to_string(given));
      replayed.grad.fill_(given);
      eager.grad.fill_(given);
      graph.replay();
      iteration(eager);
      expect_bits(replayed.grad.read(), eager.grad.read());
      expect_bits(f32_bits(bits_of(replayed.scaler.tensors().scale)),
                  f32_bits(bits_of(eager.scaler.tensors().scale)));
      expect_tracker(replayed.scaler, eager.scaler.get_growth_tracker());
    }
  });

  on_cuda("what_the_host_keeps_changes_once", {"SCL-714", "CAP-001"}, [](Session& subject) {
    const Training training(subject);
    const auto graph = GraphClient(subject).of([&] {
      training.scaler.unscale_(training.optimizer);
      expect_stage(training.scaler, training.optimizer, "UNSCALED");
      expect_error([&] { training.scaler.unscale_(training.optimizer); }, ErrorKind::kError,
                   {"already"});
      training.scaler.update();
    });
    expect_stage(training.scaler, training.optimizer, "READY");
    training.scaler.unscale_(training.optimizer);
    graph.replay();
    expect_stage(training.scaler, training.optimizer, "UNSCALED");
  });

  on_cuda("flags_of_several_optimizers_are_added_by_the_replay", {"SCL-714", "SCL-407"},
          [](Session& subject) {
            const Training training(subject, {.init_scale = 8, .growth_interval = 1});
            const Tensor param = parameter(subject, 1, 8);
            const Tensor grad = gradient_of(subject, param);
            auto other = sgd(subject, {param});
            const auto graph = GraphClient(subject).of([&] {
              training.scaler.unscale_(training.optimizer);
              training.scaler.unscale_(other);
              training.scaler.update();
            });
            grad.fill_(kInf);
            expect_replay(training, graph, {8, 1, 4, 0});
            grad.fill_(8);
            expect_replay(training, graph, {kInf, kInf, 2, 0});
            expect_bits(grad.read(), f32({2}));
            expect_replay(training, graph, {8, 4, 4, 0});
          });
}

}  // namespace assay::suites
