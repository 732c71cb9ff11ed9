// Common usage patterns: clipping, accumulation, several losses and optimizers, all kinds of
// optimizers, and use of the scale formula only.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

const char* const kModes[] = {"plain", "foreach", "fused"};

/// Fused SGD with these attributes exists since 2.3.
bool has_mode(const Session& subject, std::string_view mode) {
  return mode != "fused" || subject.contract().release != Release::k1_13;
}

/// The parameter and the scale after training with SGD and momentum.
struct Trained {
  TensorValue param;
  double scale = 0;
};

/// Trains with unscaled gradients; the scaler scales each of them.
Trained train(Session& subject, const ScalerOptions& options, const std::string& mode,
              const std::vector<float>& grads) {
  auto scaler = subject.scaler().make(options);
  const Tensor param = parameter(subject, f32({1, 2}));
  auto optimizer =
      subject.optim().sgd({.params = {param}, .lr = 0.25, .momentum = 0.5, .mode = mode});
  for (const float grad : grads) {
    param.set_grad(scaler.scale(f32({grad, 1})));
    scaler.step(optimizer);
    scaler.update();
  }
  return {param.read(), scaler.get_scale()};
}

}  // namespace

CASES("scaler/patterns") {
  scaling("clipping_scaled_gradients_by_a_scaled_norm", {"SCL-701"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, f32({1, 1, 1}), f32({48, 64, 0}));
    auto optimizer = sgd(subject, {param}, 1);

    subject.optim().clip_grad_norm_({param}, 1 * scaler.get_scale());
    scaler.step(optimizer);

    const Value grad = param.grad();
    expect_within(tensor_in(grad), {0.6, 0.8, 0}, {1e-5, 1e-5, 1e-5}, "SCL-701");
    expect_within(param.read(), {0.4, 0.2, 1}, {1e-5, 1e-5, 1e-5}, "SCL-701");
  });

  scaling("clipping_after_unscale", {"SCL-702"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, f32({1, 1, 1}), f32({12, 16, 0}));
    auto optimizer = sgd(subject, {param}, 1);
    scaler.unscale_(optimizer);

    const Value norm = subject.optim().clip_grad_norm_({param}, 1);
    scaler.step(optimizer);

    expect_bits(f32_bits(bits_of(norm)), f32({5}));
    const Value grad = param.grad();
    // The coefficient is max_norm / (norm + 1e-6), with several roundings.
    expect_within(tensor_in(grad), {0.6, 0.8, 0}, {2.6e-7, 3.4e-7, 0}, "SCL-702");
    expect_within(param.read(), {0.4, 0.2, 1}, {3.6e-7, 4.4e-7, 0}, "SCL-702");
  });

  scaling("clipping_with_an_inf_leaves_a_nan_and_the_step_is_skipped", {"SCL-703"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor param = parameter(subject, f32({1, 1, 1}), f32({12, kInf, 0}));
            auto optimizer = sgd(subject, {param}, 1);
            scaler.unscale_(optimizer);

            const Value norm = subject.optim().clip_grad_norm_({param}, 1);
            scaler.step(optimizer);
            scaler.update();

            expect_bits(f32_bits(bits_of(norm)), f32({kInf}));
            expect_bits(param.grad(), f32({0, kNaN, 0}));
            expect_bits(param.read(), f32({1, 1, 1}));
            expect_scale(scaler, 2);
          });

  scaling("several_losses_and_optimizers_share_one_scale", {"SCL-706"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4, .growth_interval = 1});
    const Tensor a(subject, f32({3}), true);
    const Tensor b(subject, f32({5}), true);
    auto first = sgd(subject, {a});
    auto second = sgd(subject, {b});

    scaler.scale(a, "loss0");
    scaler.scale(b, "loss1");
    for (const char* loss : {"loss0", "loss1"}) {
      subject.send("core.backward", {{"tensor", Ref{loss}}});
    }
    scaler.unscale_(first);
    scaler.step(first);
    scaler.step(second);
    scaler.update();

    expect_bits(a.read(), f32({2.75}));
    expect_bits(b.read(), f32({4.75}));
    expect_scale(scaler, 8);
    expect_tracker(scaler, 0);
  });

  scaling("an_inf_in_one_optimizer_skips_that_one_only", {"SCL-707"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 3});
    const Tensor bad = parameter(subject, 1, 4);
    const Tensor good = parameter(subject, 1, 4);
    auto first = sgd(subject, {bad});
    auto second = sgd(subject, {good});
    scaler.step(first);
    scaler.step(second);
    scaler.update();
    expect_tracker(scaler, 1);

    bad.set_grad(f32({kInf}));
    good.set_grad(f32({8}));
    scaler.step(first);
    scaler.step(second);
    scaler.update();

    expect_bits(bad.read(), f32({0.75}));
    expect_bits(good.read(), f32({0.25}));
    expect_scale(scaler, 2);
    expect_tracker(scaler, 0);
  });

  scaling("gradients_broken_after_unscale_reach_the_parameters_in_every_mode",
          {"SCL-708", "SCL-311"}, [](Session& subject) {
            for (const char* mode : kModes) {
              if (!has_mode(subject, mode)) continue;
              for (const float bad : {kInf, kNaN}) {
                const ScopedTrace at(std::string(mode) + ", gradient " + std::to_string(bad));
                auto scaler = ready(subject, {.init_scale = 4});
                const Tensor param = parameter(subject, 1, 8);
                auto optimizer = sgd(subject, {param}, 0.25, mode);
                scaler.unscale_(optimizer);

                param.set_grad(f32({bad}));
                scaler.step(optimizer);

                expect_bits(param.read(), f32({-bad}));
              }
            }
          });

  scaling("every_mode_of_sgd_takes_the_same_path", {"SCL-709"}, [](Session& subject) {
    const ScalerOptions options{.init_scale = 128, .growth_interval = 2};
    const std::vector<float> grads{1, kInf, 0.5, -2, kNaN, 3};
    for (const char* mode : kModes) {
      if (!has_mode(subject, mode)) continue;
      const ScopedTrace at(mode);
      const Trained trained = train(subject, options, mode, grads);

      // Momentum 0.5 over the gradients (1, 1), (0.5, 1), (-2, 1), (3, 1); the others are skipped.
      expect_bits(trained.param, f32({0.3125, 0.46875}));
      expect_equal(trained.scale, 64.0);
    }
  });

  scaling("a_disabled_scaler_gives_the_unscaled_training", {"SCL-710"}, [](Session& subject) {
    const std::vector<float> grads{1, 0.5, -2, 3};
    for (const char* mode : kModes) {
      if (!has_mode(subject, mode)) continue;
      const ScopedTrace at(mode);
      const Trained trained = train(subject, {.enabled = false}, mode, grads);

      expect_bits(trained.param, f32({0.3125, 0.46875}));
      expect_equal(trained.scale, 1.0);
    }
  });

  scaling("a_disabled_scaler_lets_an_inf_through", {"SCL-710", "SCL-302"}, [](Session& subject) {
    const Trained trained = train(subject, {.enabled = false}, "plain", {kInf});

    expect_bits(trained.param, f32({-kInf, 1.75}));
  });

  scaling("the_scale_is_its_formula", {"SCL-712"}, [](Session& subject) {
    for (std::size_t skipped = 0; skipped < 4; ++skipped) {
      std::vector<float> grads(4, 1);
      grads[skipped] = kInf;
      const Trained trained =
          train(subject, {.init_scale = 128, .growth_interval = 1}, "plain", grads);
      expect_equal(trained.scale, 512.0);
    }
  });

  scaling("the_scale_is_its_formula_for_other_factors", {"SCL-712"}, [](Session& subject) {
    const ScalerOptions options{
        .init_scale = 128, .growth_factor = 8, .backoff_factor = 0.25, .growth_interval = 1};
    const Trained trained = train(subject, options, "plain", {1, kInf, 1, kNaN, kInf});

    expect_equal(trained.scale, 128.0 * 8 * 8 / 4 / 4 / 4);
  });

  scaling("growth_comes_after_an_interval_of_clean_steps", {"SCL-712", "SCL-407"},
          [](Session& subject) {
            // C01: different scalers have different sequences.
            const std::string outcomes = "FFFNFFFNNNNNFF";
            const std::vector<float> wanted{8, 16, 16, 8, 8, 16, 16, 8, 4, 2, 1, 0.5, 0.5, 1};
            auto scaler = ready(subject, {.init_scale = 8, .growth_interval = 2});
            for (std::size_t i = 0; i < outcomes.size(); ++i) {
              const ScopedTrace at("iteration " + std::to_string(i));
              const bool is_clean = outcomes[i] == 'F';
              scaler.step(sgd(subject, {parameter(subject, 1, is_clean ? 1 : kInf)}));
              scaler.update();
              expect_scale(scaler, wanted[i]);
            }
          });

  scaling("the_first_overflow_backs_off_at_once_and_nothing_stops_at_one", {"SCL-712"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 1});

            scaler.step(sgd(subject, {parameter(subject, 1, kInf)}));
            scaler.update();

            expect_scale(scaler, 0.5);
          });
}

}  // namespace assay::suites
