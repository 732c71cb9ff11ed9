// Optimizers that handle scaled gradients: the attributes set by step(), and their lifetime.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// A step that returns the value of the attribute during the step.
std::function<void(Session&)> returns_attribute(std::string attribute) {
  return [attribute = std::move(attribute)](Session& subject) {
    subject.optim().named("$optimizer").get(attribute);
  };
}

/// A step that writes the scale attribute to `seen` and then raises.
std::function<void(Session&)> records_the_scale_and_raises(const Tensor& seen) {
  return [seen](Session& subject) {
    subject.send("optim.get", {{"optimizer", Ref{"$optimizer"}}, {"name", "grad_scale"}}, "lent");
    subject.send("core.copy_", {{"dst", seen}, {"src", Ref{"lent"}}});
    subject.send("raise", {{"kind", "index"}, {"message", "the optimizer raised"}});
  };
}

const auto kReturns42 = [](Session& subject) { subject.send("value", {{"value", 42}}); };

void expect_no_attributes(const OptimizerHandle& optimizer, Where where = Where::current()) {
  expect_false(optimizer.get("grad_scale").present, "grad_scale is gone", where);
  expect_false(optimizer.get("found_inf").present, "found_inf is gone", where);
}

double number_in(const Value& value) {
  if (const double* number = value.get_if<double>()) return *number;
  if (value.tensor() == nullptr) throw BadReply("neither a float nor a tensor");
  return tensor_in(value).real_at(0);
}

}  // namespace

CASES("scaler/aware") {
  scaling("a_scaling_aware_optimizer_runs_whatever_the_gradients_hold", {"SCL-601"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = scaling_aware(subject, {parameter(subject, 1, kInf)}, kReturns42);

            expect_equal(scaler.step(optimizer), 42);
            scaler.update();

            expect_equal(optimizer.calls(), std::int64_t{1});
            expect_scale(scaler, 2);
          })
      .since(Release::k2_4);

  scaling("the_attribute_must_be_true", {"SCL-601"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Callable step = subject.callback("step", subject.block(kReturns42));
    auto optimizer = subject.optim().custom(
        {.params = {parameter(subject, 1, kInf)}, .step = step, .supports_amp_scaling = false});

    expect_equal(scaler.step(optimizer), Value());

    expect_equal(optimizer.calls(), std::int64_t{0});
  });

  scaling("the_optimizer_sees_the_scale", {"SCL-602"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        scaling_aware(subject, {parameter(subject, 1, 8)}, returns_attribute("grad_scale"));

    expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 4));
  }).since(Release::k2_4);

  scaling("the_optimizer_sees_the_sum_of_its_flags", {"SCL-602"}, [](Session& subject) {
    for (const auto& [grad, flag] : {std::pair{8.0F, 0.0}, {kInf, 1.0}}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer =
          scaling_aware(subject, {parameter(subject, 1, grad)}, returns_attribute("found_inf"));

      expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, flag));
    }
  }).since(Release::k2_4);

  scaling("the_optimizer_sees_flags_of_two_devices_added_at_home", {"SCL-602", "SCL-611"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = scaling_aware(subject,
                                           {parameter(subject, 1, kInf, subject.device(1)),
                                            parameter(subject, 1, kNaN, subject.device(0))},
                                           returns_attribute("found_inf"));

            expect_bits(scaler.step(optimizer),
                        on(scalar_of(Dtype::kFloat32, 2), subject.device(0)));
          })
      .unless(Property::kBoolFlag)
      .since(Release::k2_4)
      .only(DeviceRules::kCuda);

  scaling("gradients_are_still_scaled_when_the_optimizer_runs", {"SCL-602"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = scaling_aware(subject, {param}, [&](Session&) { param.grad(); });

    expect_bits(scaler.step(optimizer), f32({8}));
  }).since(Release::k2_4);

  scaling("the_attributes_are_gone_and_the_stage_is_stepped_afterwards", {"SCL-602"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = scaling_aware(subject, {parameter(subject, 1, 8)}, kReturns42);

            scaler.step(optimizer);

            expect_no_attributes(optimizer);
            expect_stage(scaler, optimizer, "STEPPED");
            expect_flags(scaler, optimizer, {0});
          })
      .since(Release::k2_4);

  scaling("arguments_reach_a_scaling_aware_optimizer", {"SCL-602"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = scaling_aware(subject, {parameter(subject, 1, 8)}, [](Session& inside) {
      inside.send("value", {{"value", Ref{"$0"}}});
    });

    expect_equal(scaler.step(optimizer, {.args = {7}}), 7);
  }).since(Release::k2_4);

  scaling("after_unscale_the_optimizer_is_told_of_no_scale", {"SCL-603"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        scaling_aware(subject, {parameter(subject, 1, 8)}, returns_attribute("grad_scale"));
    scaler.unscale_(optimizer);

    expect_equal(scaler.step(optimizer), Value());
  }).since(Release::k2_4);

  scaling("after_unscale_a_preset_scale_is_left_alone", {"SCL-603", "SCL-604"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer =
                scaling_aware(subject, {parameter(subject, 1, 8)}, returns_attribute("grad_scale"));
            scaler.unscale_(optimizer);
            optimizer.set("grad_scale", 0.25);

            expect_equal(number_in(scaler.step(optimizer)), 0.25);
            expect_no_attributes(optimizer);
          })
      .since(Release::k2_11);

  scaling("after_unscale_the_recorded_flags_are_lent", {"SCL-603"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        scaling_aware(subject, {parameter(subject, 1, kInf)}, returns_attribute("found_inf"));
    scaler.unscale_(optimizer);

    expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 1));
  }).since(Release::k2_4);

  scaling("after_unscale_nothing_is_checked_again", {"SCL-603"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = scaling_aware(subject, {param}, returns_attribute("found_inf"));
    scaler.unscale_(optimizer);

    param.set_grad(f32({kInf}));

    expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 0));
  }).since(Release::k2_4);

  scaling("a_preset_scale_is_a_factor_and_is_consumed", {"SCL-604"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 2});
    auto optimizer =
        scaling_aware(subject, {parameter(subject, 1, 8)}, returns_attribute("grad_scale"));
    optimizer.set("grad_scale", 0.25);

    expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 0.5));
    expect_no_attributes(optimizer);

    scaler.update();
    expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 2));
  }).since(Release::k2_11);

  scaling("a_preset_scale_is_overwritten", {"SCL-603", "SCL-604"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 2});
            auto optimizer =
                scaling_aware(subject, {parameter(subject, 1, 8)}, returns_attribute("grad_scale"));

            optimizer.set("grad_scale", 0.25);
            expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 2));

            scaler.update();
            scaler.unscale_(optimizer);
            optimizer.set("grad_scale", 0.25);
            expect_equal(scaler.step(optimizer), Value());
          })
      .since(Release::k2_4)
      .until(Release::k2_4);

  scaling("a_preset_scale_may_be_a_tensor", {"SCL-604"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 2});
    auto optimizer =
        scaling_aware(subject, {parameter(subject, 1, 8)}, returns_attribute("grad_scale"));
    optimizer.set("grad_scale", Tensor(subject, scalar_of(Dtype::kFloat32, 0.25)));

    expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, 0.5));
  }).since(Release::k2_11);

  scaling("an_optimizer_that_raises_keeps_the_attributes", {"SCL-605"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 2});
            const Tensor seen(subject, scalar_of(Dtype::kFloat32, 0));
            auto optimizer = scaling_aware(subject, {parameter(subject, 1, 8)},
                                           records_the_scale_and_raises(seen));

            const bool multiplies = subject.contract().release >= Release::k2_11;
            for (const double wanted : {2.0, multiplies ? 4.0 : 2.0}) {
              expect_error([&] { scaler.step(optimizer); }, ErrorKind::kIndex);
              expect_equal(seen.read().real_at(0), wanted);
              expect_true(optimizer.get("grad_scale").present, "grad_scale is still there");
              expect_stage(scaler, optimizer, "READY");
            }
          })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  scaling("an_optimizer_that_raises_is_freed_of_the_attributes", {"SCL-605"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 2});
            const Tensor seen(subject, scalar_of(Dtype::kFloat32, 0));
            auto optimizer = scaling_aware(subject, {parameter(subject, 1, 8)},
                                           records_the_scale_and_raises(seen));

            for (int attempt = 0; attempt < 2; ++attempt) {
              expect_error([&] { scaler.step(optimizer); }, ErrorKind::kIndex);
              expect_equal(seen.read().real_at(0), 2.0);
              expect_no_attributes(optimizer);
              expect_stage(scaler, optimizer, "READY");
            }
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  scaling("without_gradients_the_flag_is_the_integer_zero", {"SCL-606"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        scaling_aware(subject, {parameter(subject, f32({1}))}, returns_attribute("found_inf"));

    expect_equal(scaler.step(optimizer), 0);

    expect_equal(optimizer.calls(), std::int64_t{1});
    expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"No inf checks", "update"});
  }).since(Release::k2_4);

  scaling("float16_gradients_are_checked_and_lent", {"SCL-607"}, [](Session& subject) {
    for (const auto& [grad, flag] : {std::pair{8.0F, 0.0}, {kInf, 1.0}}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer = scaling_aware(subject, {parameter(subject, f16({1}), f16({grad}))},
                                     returns_attribute("found_inf"));

      expect_bits(scaler.step(optimizer), scalar_of(Dtype::kFloat32, flag));
    }
  }).since(Release::k2_4);

  scaling("unscale_refuses_float16_for_scaling_aware_optimizers_too", {"SCL-607", "SCL-205"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer =
                scaling_aware(subject, {parameter(subject, f16({1}), f16({8}))}, kReturns42);

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue, {"FP16"});
          })
      .since(Release::k2_4);

  scaling("a_step_that_takes_the_scaler_gets_it_and_nothing_else", {"SCL-608"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Callable step = subject.callback("step", subject.block([](Session& inside) {
              inside.scaler().named("$grad_scaler").get_scale();
            }));
            auto optimizer = subject.optim().custom({.params = {parameter(subject, 1, kInf)},
                                                     .step = step,
                                                     .supports_amp_scaling = true,
                                                     .takes_grad_scaler = true});

            expect_bits(scaler.step(optimizer), 4.0);

            expect_no_attributes(optimizer);
            expect_stage(scaler, optimizer, "STEPPED");
            expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"No inf checks"});
          });

  scaling("no_attribute_is_lent_to_a_step_that_takes_the_scaler", {"SCL-608"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Callable step =
                subject.callback("step", subject.block(returns_attribute("grad_scale")));
            auto optimizer = subject.optim().custom({.params = {parameter(subject, 1, 8)},
                                                     .step = step,
                                                     .supports_amp_scaling = true,
                                                     .takes_grad_scaler = true});

            expect_equal(scaler.step(optimizer), Value());
          });

  scaling("each_step_that_takes_the_scaler_warns_once", {"SCL-608"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Callable step = subject.callback("step", subject.block(kReturns42));
    auto optimizer = subject.optim().custom({.params = {parameter(subject, 1, 8)},
                                             .step = step,
                                             .supports_amp_scaling = true,
                                             .takes_grad_scaler = true});

    for (int i = 0; i < 2; ++i) {
      scaler.step(optimizer);
      expect_warning(subject.warnings(), "FutureWarning", {"GradScaler"});
      scaler.update(4.0);
    }
  }).since(Release::k2_4);

  scaling("before_2_0_every_scaling_aware_step_took_the_scaler_without_a_warning", {"SCL-608"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Callable step = subject.callback("step", subject.block([](Session& inside) {
              inside.scaler().named("$grad_scaler").get_scale();
            }));
            auto optimizer = subject.optim().custom(
                {.params = {parameter(subject, 1, 8)}, .step = step, .supports_amp_scaling = true});

            expect_bits(scaler.step(optimizer), 4.0);
            expect_true(subject.warnings().empty(), "no warning");
          })
      .until(Release::k1_13);

  scaling("a_step_that_takes_the_scaler_may_unscale_by_it", {"SCL-608", "SCL-903"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor param = parameter(subject, 1, 8);
            const Callable step = subject.callback("step", subject.block([](Session& inside) {
              inside.scaler().named("$grad_scaler").unscale_(Ref{"$optimizer"});
            }));
            auto optimizer = subject.optim().custom({.params = {param},
                                                     .step = step,
                                                     .supports_amp_scaling = true,
                                                     .takes_grad_scaler = true});

            scaler.step(optimizer);
            scaler.update();

            expect_bits(param.grad(), f32({2}));
            expect_tracker(scaler, 1);
          });
}

}  // namespace assay::suites
