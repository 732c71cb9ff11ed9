// Rates that are tensors, and the setting capturable on a host.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

TensorValue on_host(TensorValue value) {
  value.device = Device{"cpu", -1};
  return value;
}

Ref rate_of(Session& subject, double number) {
  return subject.core().tensor(on_host(scalar_of(Dtype::kFloat32, number)));
}

/// An optimizer of this kind, without its lists for Adam.
OptimizerHandle with_rate(Session& subject, const std::string& kind, const Value& param,
                          const Value& rate, const std::string& mode = "plain") {
  if (kind == "sgd") return subject.optim().sgd({.params = {param}, .rate = rate, .mode = mode});
  return subject.optim().adam({.params = {param},
                               .rate = rate,
                               .betas = {{0.5, 0.75}},
                               .decoupled = kind == "adamw",
                               .mode = mode});
}

AdamOptions capturable(const Value& param, const std::string& mode) {
  return {.params = {param}, .lr = 0.25, .betas = {{0.5, 0.75}}, .capturable = true, .mode = mode};
}

}  // namespace

CASES("optim/rate") {
  conformance("a_tensor_steps_as_its_number_does", {"OPT-023"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const std::string& mode : modes(subject)) {
        if (mode == "foreach" && kind != "sgd") continue;
        const ScopedTrace at(kind + ", " + mode);
        const Param x = param(subject, 1, 2);
        const auto optimizer = with_rate(subject, kind, x, rate_of(subject, 0.25), mode);

        optimizer.step();

        const double decayed = kind == "adamw" ? 1 - 0.25 * 0.01 : 1;
        const double wanted = kind == "sgd" ? 0.5 : decayed - 0.25;
        expect_true(std::abs(x.read().real_at(0) - wanted) < 1e-6, "it makes a step of the rate");
      }
    }
  }).since(Release::k2_11);

  conformance("each_step_reads_it", {"OPT-023"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param x = param(subject, 1, 2);
      const Ref rate = rate_of(subject, 0.25);
      const auto optimizer = with_rate(subject, "sgd", x, rate, mode);
      optimizer.step();
      subject.core().fill_(rate, 1.0);

      optimizer.step();

      expect_bits(x.read(), f32({-1.5}));
      expect_equal(entry(optimizer.groups().at(0), "lr"), rate);
    }
  }).since(Release::k2_11);

  conformance("it_may_have_dimensions_and_another_type", {"OPT-023"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const TensorValue& rate : {f32({0.25}), shaped(f64({0.25}), {1, 1})}) {
        const ScopedTrace at(kind);
        const Param x = param(subject, 1, 2);

        with_rate(subject, kind, x, on_host(rate)).step();

        expect_true(x.read().real_at(0) < 0.8, "it steps");
      }
    }
  }).since(Release::k2_11);

  conformance("it_has_one_element", {"OPT-023"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const TensorValue& rate : {f32({0.25, 0.25}), f32({})}) {
        const ScopedTrace at(kind);
        const Param x = param(subject, 1, 2);

        expect_error([&] { with_rate(subject, kind, x, on_host(rate)); }, ErrorKind::kValue,
                     {"1-element"});
      }
    }
  }).since(Release::k2_11);

  conformance("its_range_is_that_of_a_number", {"OPT-023", "OPT-002"}, [](Session& subject) {
    const Param x = param(subject, 1, 2);
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      expect_error([&] { with_rate(subject, kind, x, rate_of(subject, -0.25)); }, ErrorKind::kValue,
                   {"learning rate"});
      if (kind == "sgd") continue;
      expect_error([&] { with_rate(subject, kind, x, rate_of(subject, kNaN)); }, ErrorKind::kValue,
                   {"learning rate"});
    }
    with_rate(subject, "sgd", x, rate_of(subject, kNaN)).step();
    expect_bits(x.read(), f32({kNaN}));
  }).since(Release::k2_11);

  conformance("foreach_adam_takes_it_only_if_it_is_capturable", {"OPT-023"}, [](Session& subject) {
    const Param x = param(subject, 1, 2);
    AdamOptions options = capturable(x, "foreach");
    options.rate = rate_of(subject, 0.25);
    subject.optim().adam(options);
    options.capturable = false;

    expect_error([&] { subject.optim().adam(options); }, ErrorKind::kValue,
                 {"lr", "Tensor", "foreach"});

    options.rate = std::nullopt;
    const auto optimizer = subject.optim().adam(options);
    optimizer.set_setting(0, "lr", rate_of(subject, 0.25));
    expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"lr", "Tensor", "foreach"});
    expect_bits(x.read(), f32({1}));
  }).since(Release::k2_11);

  conformance("the_loop_is_chosen_for_it", {"OPT-023"}, [](Session& subject) {
    const Param x = param(subject, 1, 2);

    with_rate(subject, "adam", x, rate_of(subject, 0.25), "default").step();

    expect_bits(x.read(), f32({0.75}));
  }).since(Release::k2_11);

  conformance("loading_copies_it", {"OPT-023", "OPT-012"}, [](Session& subject) {
    const Ref rate = rate_of(subject, 0.25);
    const auto saved = with_rate(subject, "sgd", param(subject, 1, 2), rate).state_dict();
    const Param x = param(subject, 1, 2);
    const auto loaded = with_rate(subject, "sgd", x, rate_of(subject, 1));

    loaded.load_state_dict(saved.ref);
    subject.core().fill_(rate, 0.5);
    loaded.step();

    expect_bits(x.read(), f32({0.5}));
  }).since(Release::k2_11);
}

CASES("optim/capturable") {
  conformance("the_loop_and_foreach_refuse_parameters_on_the_host", {"OPT-024"},
              [](Session& subject) {
                for (const char* mode : {"plain", "foreach"}) {
                  const ScopedTrace at(mode);
                  const Param x = param(subject, 1, 2);
                  const auto optimizer = subject.optim().adam(capturable(x, mode));

                  expect_error([&] { optimizer.step(); }, ErrorKind::kAssertion, {"capturable"});

                  expect_bits(x.read(), f32({1}));
                  expect_equal(number_in(state_of(optimizer, 0, "step")), 0.0);
                }
              })
      .since(Release::k2_11)
      .only(DeviceRules::kCpu);

  conformance("the_fused_form_steps_on_the_host", {"OPT-024"}, [](Session& subject) {
    const Param x = param(subject, 1, 2);
    const auto optimizer = subject.optim().adam(capturable(x, "fused"));

    optimizer.step();

    expect_bits(x.read(), f32({0.75}));
    expect_equal(number_in(state_of(optimizer, 0, "step")), 1.0);
  }).since(Release::k2_11);

  conformance("without_a_gradient_nothing_is_checked", {"OPT-024"}, [](Session& subject) {
    const Param x(subject, f32({1}));
    const auto optimizer = subject.optim().adam(capturable(x, "plain"));

    optimizer.step();

    expect_bits(x.read(), f32({1}));
    expect_equal(entry(optimizer.groups().at(0), "capturable"), true);
  }).since(Release::k2_11);

  on_cuda("it_counts_beside_its_parameter", {"OPT-024"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach", "fused"}) {
      const ScopedTrace at(mode);
      const Param x = param(subject, 1, 2);
      const auto optimizer = subject.optim().adam(capturable(x, mode));

      optimizer.step();
      optimizer.step();

      const TensorValue step = tensor_in(state_of(optimizer, 0, "step"));
      expect_equal(step.device, subject.device());
      expect_equal(step.real_at(0), 2.0);
      expect_bits(x.read(), f32({0.5}));
    }
  }).since(Release::k2_11);

  on_cuda("a_step_outside_of_a_capture_does_not_warn", {"OPT-024"}, [](Session& subject) {
    const Param x(subject, f32({1}));
    const auto optimizer = subject.optim().adam(capturable(x, "fused"));

    optimizer.step();

    expect_true(subject.warnings().empty(), "no warning");
  }).since(Release::k2_11);
}

}  // namespace assay::suites
