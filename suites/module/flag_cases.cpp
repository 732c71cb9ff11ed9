// The two flags that affect object identity in conversions, and failures.
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/device_error.hpp"
#include "harness/suite/itself.hpp"
#include "harness/suite/mistake.hpp"
#include "suites/module/moving.hpp"

namespace assay::suites {
namespace {

void swapping(Session& subject) { subject.modules().flags({.swap = true}); }

Ref watch(Session& subject, const Ref& tensor) {
  const std::string name = subject.fresh_name("weak");
  subject.send("weak", {{"object", tensor}}, name);
  return {name};
}

}  // namespace

CASES("module/overwrite") {
  conformance("forces_new_objects", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));
    subject.modules().flags({.overwrite = true});

    one.module.move("double");

    const Ref now = one.module.parameter("w");
    expect_replaced(subject, one.parameter, now);
    expect_bits(subject.core().read(now), f64({1, 2}));
    expect_bits(subject.core().read(grad_of(subject, now)), f64({3, 4}));
    expect_bits(subject.core().read(one.parameter), f32({1, 2}));
    expect_bits(subject.core().read(grad), f32({3, 4}));
  });

  conformance("is_off_at_first_and_can_be_switched_off_again", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    subject.modules().flags({.overwrite = true});
    subject.modules().flags({.overwrite = false});

    one.module.move("double");

    expect_kept(subject, one.parameter, one.module.parameter("w"));
  });

  conformance("holds_for_modules_that_were_there_before", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject, {.requires_grad = false});
    subject.modules().flags({.overwrite = true});

    one.module.move("half");

    expect_replaced(subject, one.parameter, one.module.parameter("w"));
    expect_false(subject.core().info(one.module.parameter("w")).requires_grad,
                 "a frozen parameter stays frozen");
  });
}

CASES("module/swap") {
  conformance("keeps_every_object_and_exchanges_the_contents", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));
    const Ref alias = subject.core().detach(one.parameter);
    swapping(subject);

    one.module.move("double");

    expect_kept(subject, one.parameter, one.module.parameter("w"));
    expect_bits(subject.core().read(one.parameter), f64({1, 2}));
    expect_true(subject.core().info(one.parameter).requires_grad, "it requires a gradient");
    expect_kept(subject, grad, grad_of(subject, one.parameter));
    expect_bits(subject.core().read(grad), f64({3, 4}));
    expect_bits(subject.core().read(alias), f32({1, 2}));
  }).since(Release::k2_4);

  conformance("setting_one_flag_leaves_the_other", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    subject.modules().flags({.overwrite = true});
    subject.modules().flags({.swap = false});

    one.module.move("double");

    expect_replaced(subject, one.parameter, one.module.parameter("w"));
  }).since(Release::k2_4);

  conformance("keeps_objects_where_data_cannot_be_replaced", {"MOVE-10", "MOVE-08"},
              [](Session& subject) {
                const Single tied = single(subject, {.requires_grad = false});
                tied.module.set_parameter("v", tied.parameter);
                const Ref grad = give_grad(subject, tied.parameter, f32({3, 4}));
                swapping(subject);

                tied.module.to({.device = kMeta});

                expect_kept(subject, tied.parameter, tied.module.parameter("w"));
                expect_kept(subject, tied.parameter, tied.module.parameter("v"));
                expect_kept(subject, grad, grad_of(subject, tied.parameter));
                expect_device(subject, tied.parameter, kMeta);
                expect_device(subject, grad, kMeta);
                expect_false(subject.core().info(tied.parameter).requires_grad,
                             "a frozen parameter stays frozen");
              })
      .since(Release::k2_4);

  conformance("takes_over_the_version_of_the_new_tensor", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    subject.core().add_(one.parameter, f32({1, 1}));
    swapping(subject);

    one.module.move("double");

    expect_equal(subject.core().info(one.parameter).version, 0);
  }).since(Release::k2_4);

  conformance("takes_away_the_hooks", {"MOVE-10", "MOVE-05"}, [](Session& subject) {
    const Single one = single(subject);
    subject.autograd().hook(one.parameter, 10);
    swapping(subject);

    one.module.move("double");
    subject.autograd().backward(subject.core().op_ref("sum", {one.parameter}));

    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f64({1, 1}));
  }).since(Release::k2_4);

  conformance("wins_over_overwriting", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    subject.modules().flags({.overwrite = true, .swap = true});

    one.module.move("double");

    expect_kept(subject, one.parameter, one.module.parameter("w"));
  }).since(Release::k2_4);

  conformance("rebinds_buffers_as_ever", {"MOVE-10", "MOVE-07"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref buffer = module.set_buffer("b", f32({1}));
    swapping(subject);

    module.move("double");

    expect_replaced(subject, buffer, module.buffer("b"));
  }).since(Release::k2_4);

  conformance("an_optimizer_goes_on_with_a_swapped_parameter", {"MOVE-10", "MOVE-05"},
              [](Session& subject) {
                const Single one = single(subject);
                const OptimizerHandle optimizer =
                    subject.optim().sgd({.params = {one.parameter}, .lr = 0.5});
                swapping(subject);

                one.module.move("double");
                give_grad(subject, one.parameter, f64({2, 4}));
                optimizer.step();

                expect_bits(subject.core().read(one.module.parameter("w")), f64({0, 0}));
              })
      .since(Release::k2_4);

  conformance("a_watched_parameter_cannot_be_swapped", {"MOVE-10", "MOVE-11"},
              [](Session& subject) {
                const Ref weight =
                    subject.modules().plain().set_parameter("shared", shaped(f32({1}), {1, 1}));
                const ModuleHandle module = subject.modules().linear(weight, f32({2}));
                const Ref bias = module.parameter("bias");
                const Ref grad = give_grad(subject, bias, f32({3}));
                const Ref weak = watch(subject, bias);
                swapping(subject);

                expect_error([&] { module.move("double"); }, ErrorKind::kError,
                             {"Couldn't swap", "Linear.bias"});

                expect_dtype(subject, module.parameter("weight"), Dtype::kFloat64);
                expect_bits(subject.core().read(bias), f32({2}));
                expect_kept(subject, grad, grad_of(subject, bias));
                expect_bits(subject.core().read(grad), f32({3}));
              })
      .since(Release::k2_4);

  conformance("a_watched_gradient_cannot_be_swapped", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));
    const Ref weak = watch(subject, grad);
    swapping(subject);

    expect_error([&] { one.module.move("double"); }, ErrorKind::kError,
                 {"Couldn't swap", "Module.w.grad"});

    expect_dtype(subject, one.parameter, Dtype::kFloat64);
    expect_bits(subject.core().read(grad), f32({3, 4}));
  }).since(Release::k2_4);

  conformance("a_gradient_that_could_not_be_swapped_is_put_back", {"MOVE-10"},
              [](Session& subject) {
                const Single one = single(subject);
                const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));
                const Ref weak = watch(subject, grad);
                swapping(subject);

                expect_error([&] { one.module.move("double"); }, ErrorKind::kError);

                expect_kept(subject, grad, grad_of(subject, one.parameter));
              })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  conformance("a_gradient_that_could_not_be_swapped_is_lost", {"MOVE-10"},
              [](Session& subject) {
                const Single one = single(subject);
                const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));
                const Ref weak = watch(subject, grad);
                swapping(subject);

                expect_error([&] { one.module.move("double"); }, ErrorKind::kError);

                expect_equal(subject.core().grad(one.parameter), None{});
                shows_mistake(
                    "a move that cannot swap a gradient raises and drops that gradient, so that a "
                    "training that goes on does not update the parameter");
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  conformance("what_a_gradient_becomes_must_not_be_watched_either", {"MOVE-10"},
              [](Session& subject) {
                const Single one = single(subject);
                const Ref grad = give_grad(subject, one.parameter, f32({3, 4}));
                const Ref kept = subject.core().tensor(f64({5, 6}));
                const Ref weak = watch(subject, kept);
                const Callable gives = function(subject, [&](Session& inner) {
                  inner.send("value", {{"value", kept}});
                });
                swapping(subject);

                expect_error([&] { one.module.apply_tensors(gives); }, ErrorKind::kError,
                             {"Couldn't swap", "Module.w.grad"});

                expect_bits(subject.core().read(grad), f32({3, 4}));
                expect_bits(subject.core().read(kept), f64({5, 6}));
              })
      .since(Release::k2_4);

  conformance("integers_cannot_be_swapped_into_what_requires_gradients", {"MOVE-10", "MOVE-03"},
              [](Session& subject) {
                const Single one = single(subject);
                swapping(subject);

                expect_error([&] { one.module.type(Dtype::kInt32); }, ErrorKind::kError,
                             {"Couldn't swap", "Module.w"});

                expect_bits(subject.core().read(one.parameter), f32({1, 2}));
              })
      .since(Release::k2_4);
}

CASES("module/failure") {
  conformance(
      "a_missing_backend_is_named_before_anything_moves", {"MOVE-11"},
      [](Session& subject) {
        const Single one = single(subject);
        one.module.set_buffer("b", f32({1}));

        expect_error([&] { one.module.cuda(); }, ErrorKind::kError, {"cuda"});
        expect_error(
            [&] {
              one.module.to({.device = Device{"cuda", -1}});
            },
            ErrorKind::kError, {"cuda"});
        expect_error([&] { one.module.to_empty(Device{"cuda", 0}); }, ErrorKind::kError, {"cuda"});

        expect_device(subject, one.module.parameter("w"), kHost);
        expect_kept(subject, one.parameter, one.module.parameter("w"));
      })
      .only(DeviceRules::kCpu)
      .only(Deviations::kStrict);

  conformance("a_missing_backend_fails_at_the_first_tensor", {"MOVE-11"},
              [](Session& subject) {
                expect_cpu_itself(subject);
                const std::vector<ErrorKind> kinds{ErrorKind::kAssertion, ErrorKind::kError};
                const Single one = single(subject);
                one.module.set_buffer("b", f32({1}));

                expect_error([&] { one.module.cuda(); }, kinds, {});
                expect_error([&] { one.module.to({.device = Device{"cuda", -1}}); }, kinds, {});

                expect_device(subject, one.module.parameter("w"), kHost);
                expect_equal(
                    subject.modules().plain().to({.device = Device{"cuda", -1}}).name.empty(),
                    false);
              })
      .only(DeviceRules::kCpu)
      .only(Deviations::kCompat);

  conformance("a_device_that_is_not_there_is_named_before_anything_moves", {"MOVE-11"},
              [](Session& subject) {
                const Single one = single(subject);
                const Device missing{"cuda", 99};

                expect_device_error(
                    subject, [&] { one.module.to({.device = missing}); }, 101);

                expect_device(subject, one.module.parameter("w"), subject.device());
              })
      .only(DeviceRules::kCuda);

  conformance("a_failed_replacement_leaves_the_rest_alone", {"MOVE-11"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().plain();
    const Ref frozen = module.set_parameter("frozen", f32({1}), {.requires_grad = false});
    const Ref trained = module.set_parameter("trained", f32({2}));
    const Ref buffer = module.set_buffer("b", f32({3}));

    expect_error([&] { module.type(Dtype::kInt64); }, ErrorKind::kError);

    expect_bits(subject.core().read(frozen), i64({1}));
    expect_bits(subject.core().read(trained), f32({2}));
    expect_kept(subject, buffer, module.buffer("b"));
  });
}

}  // namespace assay::suites
