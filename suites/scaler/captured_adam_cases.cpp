// Steps of Adam in graphs.
#include "harness/suite/reading.hpp"
#include "suites/scaler/captured.hpp"

namespace assay::suites {
namespace {

OptimizerHandle capturable(Session& subject, const Tensor& param, const char* mode) {
  return subject.optim().adam(
      {.params = {param}, .lr = 0.25, .betas = {{0.5, 0.75}}, .capturable = true, .mode = mode});
}

double counted(const OptimizerHandle& optimizer) {
  const Value kept = optimizer.state().at(0).items.at(0).second;
  return tensor_in(kept).real_at(0);
}

}  // namespace

CASES("scaler/captured_adam") {
  on_cuda("each_replay_counts_and_steps", {"OPT-024", "SCL-715"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach", "fused"}) {
      const ScopedTrace at(mode);
      const Tensor param = parameter(subject, 1, 8);
      const OptimizerHandle optimizer = capturable(subject, param, mode);
      optimizer.step();
      const auto graph = GraphClient(subject).of([&] {
        subject.send("optim.step", {{"optimizer", optimizer}});
      });

      expect_bits(param.read(), f32({0.75}));
      graph.replay();
      expect_bits(param.read(), f32({0.5}));
      graph.replay();

      expect_bits(param.read(), f32({0.25}));
      expect_equal(counted(optimizer), 3.0);
    }
  }).since(Release::k2_11);

  on_cuda("a_replay_with_an_infinite_gradient_neither_counts_nor_steps",
          {"OPT-024", "SCL-715", "SCL-613"},
          [](Session& subject) {
            const Tensor param = parameter(subject, 1, 8);
            const Tensor grad = gradient_of(subject, param);
            const OptimizerHandle optimizer = capturable(subject, param, "fused");
            const ScalerHandle scaler = ready(subject, {.init_scale = 4, .growth_interval = 100});
            scaler.step(optimizer);
            scaler.update();
            const auto graph = GraphClient(subject).of([&] {
              scaler.step(optimizer);
              scaler.update();
            });

            grad.fill_(kInf);
            graph.replay();
            expect_bits(param.read(), f32({0.75}));
            expect_equal(counted(optimizer), 1.0);
            grad.fill_(4);
            graph.replay();

            expect_equal(counted(optimizer), 2.0);
            expect_true(param.read().real_at(0) < 0.75, "a finite gradient steps");
            expect_scale(scaler, 2);
          })
      .since(Release::k2_11);

  on_cuda("one_group_that_is_not_capturable_refuses_all", {"OPT-024", "SCL-715"},
          [](Session& subject) {
            const Tensor param = parameter(subject, 1, 8);
            const Tensor other = parameter(subject, 1, 8);
            const OptimizerHandle optimizer = capturable(subject, param, "fused");
            optimizer.add_param_group({other}, Dict{{{"capturable", false}}});
            optimizer.step();
            const Tensor written(subject, f32({1}));
            const auto graph = GraphClient(subject).of([&] {
              expect_error(
                  [&] {
                    subject.send("optim.step", {{"optimizer", optimizer}});
                  },
                  ErrorKind::kError, {"capturable"});
              written.fill_(2);
            });
            graph.replay();
            expect_bits(param.read(), f32({0.75}));
            expect_bits(other.read(), f32({0.75}));
          })
      .since(Release::k2_11);
}

}  // namespace assay::suites
