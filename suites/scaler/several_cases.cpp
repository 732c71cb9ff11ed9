// Trajectories with several optimizers (T5) and accumulated gradients (T6, SCL-704).
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

struct TwoOptimizersRow {
  float scale;
  std::int64_t tracker;
  float grads[2];
  double flags[2];
  double combined;
  bool steps[2];
  float params[2];
  float new_scale;
  std::int64_t new_tracker;
};

constexpr TwoOptimizersRow kT5[] = {
    {8, 0, {8, 16}, {0, 0}, 0, {true, true}, {0.75F, 0.5F}, 8, 1},
    {8, 1, {8, kInf}, {0, 1}, 1, {true, false}, {0.5F, 0.5F}, 4, 0},
    {4, 0, {kNaN, 4}, {1, 0}, 1, {false, true}, {0.5F, 0.25F}, 2, 0},
    {2, 0, {kInf, -kInf}, {1, 1}, 2, {false, false}, {0.5F, 0.25F}, 1, 0},
    {1, 0, {1, -2}, {0, 0}, 0, {true, true}, {0.25F, 0.75F}, 1, 1},
    {1, 1, {3, 5}, {0, 0}, 0, {true, true}, {-0.5F, -0.5F}, 2, 0},
    {2, 0, {2, 2}, {0, 0}, 0, {true, true}, {-0.75F, -0.75F}, 2, 1},
};

struct AccumulationRow {
  float scale;
  float micro[2];
  float accumulated;
  float param;
  float new_scale;
};

constexpr AccumulationRow kT6[] = {
    {4, {1, 3}, 4, -1, 8},
    {8, {kInf, 1}, kInf, -1, 4},
    {4, {kInf, -kInf}, kNaN, -1, 2},
    {2, {2, 2}, 4, -3, 4},
};

class TwoOptimizers {
 public:
  explicit TwoOptimizers(Session& subject)
      : subject_(subject),
        scaler_(ready(subject, {.init_scale = 8, .growth_interval = 2})),
        params_{parameter(subject, f32({1})), parameter(subject, f32({1}))},
        optimizers_{sgd(subject, {params_[0]}), sgd(subject, {params_[1]})} {}

  void run(const TwoOptimizersRow& row, bool unscales_the_first) {
    expect_scale(scaler_, row.scale);
    expect_tracker(scaler_, row.tracker);
    for (std::size_t i = 0; i < 2; ++i) params_[i].set_grad(f32({row.grads[i]}));
    if (unscales_the_first) scaler_.unscale_(optimizers_[0]);

    for (std::size_t i = 0; i < 2; ++i) step(row, i);
    const std::string held = subject_.fresh_name("flag");
    scaler_.found_inf(optimizers_[0], held);
    scaler_.update();

    expect_equal(Tensor::named(subject_, held + ".0").read().real_at(0), row.combined);
    expect_scale(scaler_, row.new_scale);
    expect_tracker(scaler_, row.new_tracker);
  }

 private:
  void step(const TwoOptimizersRow& row, std::size_t i) {
    const ScopedTrace at(i == 0 ? "optimizer A" : "optimizer B");
    const std::int64_t calls = optimizers_[i].calls();
    scaler_.step(optimizers_[i]);
    expect_flags(scaler_, optimizers_[i], {row.flags[i]});
    expect_equal(optimizers_[i].calls() - calls, std::int64_t{row.steps[i] ? 1 : 0});
    expect_bits(params_[i].read(), f32({row.params[i]}));
  }

  Session& subject_;
  ScalerHandle scaler_;
  Tensor params_[2];
  OptimizerHandle optimizers_[2];
};

}  // namespace

CASES("scaler/several") {
  scaling("t5_two_optimizers_of_one_scaler",
          {"SCL-407", "SCL-408", "SCL-706", "SCL-707", "SCL-801"},
          [](Session& subject) {
            TwoOptimizers training(subject);
            for (std::size_t k = 0; k < std::size(kT5); ++k) {
              const ScopedTrace at("iteration " + std::to_string(k));
              training.run(kT5[k], k % 2 == 0);
            }
          })
      .unless(Property::kBoolFlag);

  scaling("a_bad_gradient_counts_on_every_device_of_every_optimizer", {"SCL-407", "SCL-408"},
          [](Session& subject) {
            for (std::size_t bad = 0; bad < 4; ++bad) {
              const ScopedTrace at("bad gradient " + std::to_string(bad));
              auto scaler = ready(subject, {.init_scale = 4});
              std::vector<Value> params;
              for (std::size_t i = 0; i < 4; ++i) {
                params.push_back(parameter(subject, 1, i == bad ? kInf : 8, subject.device(i % 2)));
              }
              scaler.unscale_(sgd(subject, {params[0], params[1]}));
              scaler.unscale_(sgd(subject, {params[2], params[3]}));

              scaler.update();

              expect_scale(scaler, 2);
            }
          })
      .reach(Reach::kTraining)
      .only(DeviceRules::kCuda);

  scaling("t6_two_micro_batches_an_iteration", {"SCL-704", "SCL-801", "SCL-712"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 1});
            const Tensor param = parameter(subject, f32({1}));
            auto optimizer = sgd(subject, {param}, 0.5);
            for (std::size_t k = 0; k < std::size(kT6); ++k) {
              const ScopedTrace at("iteration " + std::to_string(k));
              const auto& row = kT6[k];
              expect_scale(scaler, row.scale);

              const Tensor grad(subject, scaler.scale(f32({row.micro[0]})));
              subject.send("core.add_",
                           {{"tensor", grad}, {"other", scaler.scale(f32({row.micro[1]}))}});
              param.set_grad(grad);
              scaler.step(optimizer);
              scaler.update();

              expect_bits(grad.read(), f32({row.accumulated}));
              expect_bits(param.read(), f32({row.param}));
              expect_scale(scaler, row.new_scale);
            }
          });

  scaling("backward_accumulates_the_scaled_losses_of_one_iteration", {"SCL-704", "SCL-104"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            const Tensor param(subject, f32({1}), true);
            auto optimizer = sgd(subject, {param});

            for (const char* loss : {"first", "second"}) {
              scaler.scale(param, loss);
              subject.send("core.backward", {{"tensor", Ref{loss}}});
            }
            expect_bits(param.grad(), f32({8}));
            scaler.step(optimizer);

            expect_bits(param.grad(), f32({2}));
            expect_bits(param.read(), f32({0.5}));
          });

  scaling("an_inf_of_any_micro_batch_persists", {"SCL-704"}, [](Session& subject) {
    for (std::size_t bad = 0; bad < 3; ++bad) {
      auto scaler = ready(subject, {.init_scale = 4});
      const Tensor grad(subject, f32({0}));
      const Tensor param = parameter(subject, f32({1}), grad);
      for (std::size_t i = 0; i < 3; ++i) {
        const float micro = i == bad ? kInf : 1;
        subject.send("core.add_", {{"tensor", grad}, {"other", scaler.scale(f32({micro}))}});
      }

      scaler.step(sgd(subject, {param}));
      scaler.update();

      expect_bits(param.read(), f32({1}));
      expect_scale(scaler, 2);
    }
  });
}

}  // namespace assay::suites
