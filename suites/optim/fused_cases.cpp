// The fused step: when it is skipped, how it unscales, and its step counters.
#include "harness/suite/mistake.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// Both fused optimizers over one parameter, with rate 0.25.
std::vector<std::pair<const char*, OptimizerHandle>> fused(Session& subject, const Value& params) {
  const std::vector<Value> list{params};
  return {{"sgd", subject.optim().sgd({.params = list, .lr = 0.25, .mode = "fused"})},
          {"adam", subject.optim().adam(
                       {.params = list, .lr = 0.25, .betas = {{0.5, 0.0}}, .mode = "fused"})}};
}

Value flag(double value) { return scalar_of(Dtype::kFloat32, value); }

/// Named, because fused optimizers keep references to tensors set by the scaler.
Value named(Session& subject, const Value& value) {
  const std::string name = subject.fresh_name("lent");
  subject.send("core.tensor", {{"value", value}}, name);
  return Ref{name};
}

}  // namespace

CASES("optim/fused") {
  conformance("a_flag_of_exactly_one_skips_everything", {"SCL-610"}, [](Session& subject) {
    const Param trained = param(subject, 1, 8);
    for (const auto& [name, optimizer] : fused(subject, trained)) {
      const ScopedTrace at(name);
      optimizer.set("found_inf", named(subject, flag(1)));
      optimizer.set("grad_scale", named(subject, flag(4)));

      optimizer.step();

      expect_bits(trained.read(), f32({1}));
      expect_bits(trained.grad(), f32({8}));
    }
  }).since(Release::k2_4);

  conformance("any_other_flag_does_not_skip", {"SCL-610", "SCL-611"},
              [](Session& subject) {
                for (const double value : {0.0, 2.0, 0.5, -1.0}) {
                  const ScopedTrace at("found_inf " + std::to_string(value));
                  const Param trained = param(subject, 1, 1);
                  auto optimizer =
                      subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = "fused"});
                  optimizer.set("found_inf", named(subject, flag(value)));

                  optimizer.step();

                  expect_bits(trained.read(), f32({0.75}));
                }
              })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag)
      .since(Release::k2_4);

  conformance("the_flag_alone_skips_after_an_explicit_unscale", {"SCL-610", "SCL-603"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 8);
                for (const auto& [name, optimizer] : fused(subject, trained)) {
                  const ScopedTrace at(name);
                  optimizer.set("found_inf", named(subject, flag(1)));
                  optimizer.set("grad_scale", Value());

                  optimizer.step();

                  expect_bits(trained.read(), f32({1}));
                }
              })
      .since(Release::k2_4);

  conformance(
      "a_flag_or_a_scale_that_is_no_float32_is_refused", {"SCL-610", "SCL-612"},
      [](Session& subject) {
        const Param trained = param(subject, 1, 8);
        for (const Dtype dtype : {Dtype::kFloat64, Dtype::kFloat16, Dtype::kInt32, Dtype::kBool}) {
          for (const auto& [name, optimizer] : fused(subject, trained)) {
            const ScopedTrace at(std::string(name) + ", " + std::string(name_of(dtype)));
            optimizer.set("found_inf", named(subject, scalar_of(dtype, 0)));
            optimizer.set("grad_scale", Value());
            expect_error([&] { optimizer.step(); }, ErrorKind::kError);
            optimizer.set("found_inf", named(subject, flag(0)));
            optimizer.set("grad_scale", named(subject, scalar_of(dtype, 1)));
            expect_error([&] { optimizer.step(); }, ErrorKind::kError);
            expect_bits(trained.read(), f32({1}));
            expect_bits(trained.grad(), f32({8}));
          }
        }
      })
      .reach(Reach::kArguments)
      .since(Release::k2_4);

  conformance("a_lent_scale_divides_and_the_gradient_keeps_the_quotient", {"SCL-612"},
              [](Session& subject) {
                for (const char* which : {"sgd", "adam"}) {
                  const ScopedTrace at(which);
                  const Param trained = param(subject, 1, 5);
                  for (const auto& [name, optimizer] : fused(subject, trained)) {
                    if (std::string_view(name) != which) continue;
                    optimizer.set("found_inf", named(subject, flag(0)));
                    optimizer.set("grad_scale", named(subject, flag(3)));
                    optimizer.step();
                  }

                  expect_bits(trained.grad(), from_bits(Dtype::kFloat32, {0x3fd55555}));
                }
              })
      .since(Release::k2_4);

  conformance("the_step_uses_the_quotient", {"SCL-612"}, [](Session& subject) {
    const Param trained = param(subject, 1, 8);
    auto optimizer = subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = "fused"});
    optimizer.set("found_inf", named(subject, flag(0)));
    optimizer.set("grad_scale", named(subject, flag(4)));

    optimizer.step();

    expect_bits(trained.read(), f32({0.5}));
    expect_bits(trained.grad(), f32({2}));
  }).since(Release::k2_4);

  conformance("adamw_skips_its_decay_too_and_decays_as_without_a_scale", {"SCL-610", "SCL-612"},
              [](Session& subject) {
                const Param scaled = param(subject, 1, 8);
                const Param plain = param(subject, 1, 2);
                const auto adamw = [&subject](const Param& of) {
                  return subject.optim().adam({.params = {of},
                                               .lr = 0.25,
                                               .betas = {{0.5, 0.0}},
                                               .weight_decay = 0.5,
                                               .decoupled = true,
                                               .mode = "fused"});
                };
                auto optimizer = adamw(scaled);
                optimizer.set("grad_scale", named(subject, flag(4)));
                optimizer.set("found_inf", named(subject, flag(1)));

                optimizer.step();

                expect_bits(scaled.read(), f32({1}));
                expect_bits(scaled.grad(), f32({8}));

                optimizer.set("found_inf", named(subject, flag(0)));
                optimizer.step();
                adamw(plain).step();

                expect_bits(scaled.grad(), f32({2}));
                expect_bits(scaled.read(), plain.read());
              })
      .since(Release::k2_4);

  conformance("the_first_momentum_survives_a_skipped_first_step", {"SCL-610", "SCL-709"},
              [](Session& subject) {
                // In a half type, uninitialized memory is more visible in a sum.
                for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat16}) {
                  const Param trained(subject, tensor_of(dtype, {1}));
                  trained.set_grad(tensor_of(dtype, {kInf}));
                  auto optimizer = subject.optim().sgd(
                      {.params = {trained}, .lr = 0.25, .momentum = 0.5, .mode = "fused"});
                  optimizer.set("found_inf", named(subject, flag(1)));
                  optimizer.step();

                  trained.set_grad(tensor_of(dtype, {1}));
                  optimizer.set("found_inf", named(subject, flag(0)));
                  optimizer.step();

                  expect_bits(trained.read(), tensor_of(dtype, {0.75}));
                }
              })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  conformance(
      "a_skipped_first_step_leaves_the_first_momentum_to_chance", {"SCL-610"},
      [](Session& subject) {
        constexpr int kTries = 40;
        for (int i = 0; i < kTries; ++i) {
          const Param trained = param(subject, 1, kInf);
          auto optimizer = subject.optim().sgd(
              {.params = {trained}, .lr = 0.25, .momentum = 0.5, .mode = "fused"});
          optimizer.set("found_inf", named(subject, flag(1)));
          optimizer.step();
          expect_bits(trained.read(), f32({1}));

          trained.set_grad(f32({1}));
          optimizer.set("found_inf", named(subject, flag(0)));
          optimizer.step();

          if (trained.read().real_at(0) != 0.75) {
            shows_mistake(
                "fused SGD whose first step is skipped, as GradScaler's first steps usually "
                "are, takes uninitialized memory for its momentum, so that the first real "
                "step moves parameters by anything");
          }
        }
      })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  conformance("a_fused_step_of_halves_on_a_cpu_may_change_only_a_few", {"OPT-016"},
              [](Session& subject) {
                for (const Dtype dtype : {Dtype::kFloat16, Dtype::kBfloat16}) {
                  const ScopedTrace at(std::string(name_of(dtype)));
                  const std::vector<double> ones(67, 1.0);
                  const Param trained(subject, tensor_of(dtype, ones));
                  trained.set_grad(tensor_of(dtype, ones));

                  subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = "fused"}).step();

                  const TensorValue after = trained.read();
                  for (std::size_t i = 0; i < ones.size(); ++i) {
                    const double element = after.real_at(i);

                    expect_true(element == 1 || element == 0.75, "an element is updated or kept");
                    if (element == 1) {
                      shows_mistake(
                          "fused SGD on a CPU leaves float16 and bfloat16 parameters as they are, "
                          "except a few at their ends, and says nothing: the model does not train");
                    }
                  }
                }
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat)
      .only(DeviceRules::kCpu);

  conformance("a_group_that_comes_later_leaves_momenta_alone", {"SCL-610", "OPT-015"},
              [](Session& subject) {
                const Param first = param(subject, 1, 1);
                auto optimizer = subject.optim().sgd(
                    {.params = {first}, .lr = 0.25, .momentum = 0.5, .mode = "fused"});
                optimizer.set("found_inf", named(subject, flag(0)));
                optimizer.step();

                const Param second = param(subject, 1, 1);
                optimizer.add_param_group({second});
                optimizer.step();

                expect_bits(first.read(), f32({0.375}));
                expect_bits(second.read(), f32({0.75}));
              })
      .since(Release::k2_4);

  conformance("adam_counts_a_step_and_takes_it_back_when_it_skips", {"SCL-613"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 1);
                auto optimizer = subject.optim().adam(
                    {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.0}}, .mode = "fused"});
                const std::pair<double, double> rows[] = {{0, 1}, {1, 1}, {1, 1}, {0, 2}};
                for (const auto& [value, counted] : rows) {
                  optimizer.set("found_inf", named(subject, flag(value)));
                  optimizer.step();
                  expect_equal(number_in(state_of(optimizer, 0, "step")), counted);
                }
              })
      .since(Release::k2_4);

  conformance("adam_takes_back_as_much_as_the_flag_says", {"SCL-611", "SCL-613"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 1);
                auto optimizer = subject.optim().adam(
                    {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.0}}, .mode = "fused"});
                optimizer.set("found_inf", named(subject, flag(2)));

                optimizer.step();

                expect_equal(number_in(state_of(optimizer, 0, "step")), -1.0);
              })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag)
      .since(Release::k2_4);

  conformance("a_skipped_adam_keeps_its_moments", {"SCL-610", "SCL-613"}, [](Session& subject) {
    const Param trained = param(subject, 1, 2);
    auto optimizer = subject.optim().adam(
        {.params = {trained}, .lr = 0.25, .betas = {{0.5, 0.0}}, .mode = "fused"});
    optimizer.step();
    const Value first = state_of(optimizer, 0, "exp_avg");
    const Value second = state_of(optimizer, 0, "exp_avg_sq");

    trained.set_grad(f32({kInf}));
    optimizer.set("found_inf", named(subject, flag(1)));
    optimizer.step();

    expect_bits(state_of(optimizer, 0, "exp_avg"), first);
    expect_bits(state_of(optimizer, 0, "exp_avg_sq"), second);
    expect_bits(first, f32({1}));
    expect_bits(second, f32({4}));
  }).since(Release::k2_4);

  conformance("fused_and_plain_need_no_scaler", {"SCL-709"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 1);
      auto optimizer = subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = mode});

      optimizer.step();

      expect_bits(trained.read(), f32({0.75}));
      expect_false(optimizer.get("grad_scale").value.tensor() != nullptr, "no scale is lent");
    }
  });
}

}  // namespace assay::suites
