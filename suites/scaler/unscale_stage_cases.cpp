// unscale_(): its position in an iteration, state after a failure, shared parameters, a disabled
// scaler.
#include "harness/suite/itself.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {

CASES("scaler/unscale") {
  scaling("a_second_call_is_an_error_that_leaves_the_gradients", {"SCL-209"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {param});
    scaler.unscale_(optimizer);

    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kError,
                 {"unscale_", "already", "update"});

    expect_bits(param.grad(), f32({2}));
    expect_stage(scaler, optimizer, "UNSCALED");
  });

  scaling("a_call_after_the_step_is_an_error", {"SCL-209"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {param});
    scaler.step(optimizer);

    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kError,
                 {"unscale_", "after step"});

    expect_bits(param.grad(), f32({2}));
    expect_stage(scaler, optimizer, "STEPPED");
  });

  scaling("stages_belong_to_one_optimizer", {"SCL-209"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto first = sgd(subject, {parameter(subject, 1, 8)});
    const Tensor param = parameter(subject, 1, 16);
    auto second = sgd(subject, {param});
    scaler.step(first);

    expect_stage(scaler, second, "READY");
    scaler.unscale_(second);

    expect_bits(param.grad(), f32({4}));
    expect_stage(scaler, first, "STEPPED");
  });

  scaling("stages_belong_to_one_scaler", {"SCL-209"}, [](Session& subject) {
    auto first = ready(subject, {.init_scale = 4});
    auto second = ready(subject, {.init_scale = 8});
    const Tensor param = parameter(subject, 1, 64);
    auto optimizer = sgd(subject, {param});

    first.unscale_(optimizer);
    second.unscale_(optimizer);

    expect_bits(param.grad(), f32({2}));
  });

  scaling("no_gradients_at_all_is_a_success_without_flags", {"SCL-210"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, f32({1}))});

    subject.count();
    scaler.unscale_(optimizer);

    expect_equal(subject.counted("unscale_calls"), std::int64_t{0});
    expect_stage(scaler, optimizer, "UNSCALED");
    expect_true(scaler.found_inf(optimizer).empty(), "there is no flag");
  });

  scaling("a_failed_call_leaves_an_entry_that_is_ready", {"SCL-211", "SCL-510"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = sgd(subject, {parameter(subject, f16({1}), f16({1}))});

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue);

            expect_true(scaler.stage(optimizer).known, "there is an entry for the optimizer");
            expect_true(scaler.found_inf(optimizer).empty(), "there is no flag");
            expect_error([&] { scaler.pickle(); }, ErrorKind::kAssertion);
          });

  scaling("groups_ahead_of_the_failing_one_stay_unscaled", {"SCL-211"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor single = parameter(subject, 1, 64);
    auto optimizer = sgd(subject, {single, parameter(subject, bf16({1}), bf16({8}))});

    for (const double wanted : {16.0, 4.0}) {
      expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kError, {"BFloat16"});
      expect_bits(single.grad(), f32({wanted}));
      expect_stage(scaler, optimizer, "READY");
    }
    expect_true(scaler.found_inf(optimizer).empty(), "there is no flag");
  }).only(DeviceRules::kCuda);

  scaling("a_parameter_of_two_optimizers_is_unscaled_twice", {"SCL-212"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor shared = parameter(subject, 1, 16);
    auto first = sgd(subject, {shared});
    auto second = sgd(subject, {shared});

    scaler.unscale_(first);
    scaler.unscale_(second);

    expect_bits(shared.grad(), f32({1}));
  });

  scaling("a_gradient_of_two_parameters_is_unscaled_twice", {"SCL-212"}, [](Session& subject) {
    expect_cpu_itself(subject);
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor grad(subject, f32({16}));
    const Tensor a = parameter(subject, f32({1}), grad);
    const Tensor b = parameter(subject, f32({1}), grad);
    auto optimizer = sgd(subject, {a, b});

    scaler.unscale_(optimizer);

    expect_bits(grad.read(), f32({1}));
  }).only(DeviceRules::kCpu);  // AMP-214: a race on CUDA

  scaling("the_host_reads_nothing", {"SCL-213"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, kInf)});

    subject.count();
    scaler.unscale_(optimizer);

    expect_equal(subject.counted("host_reads"), std::int64_t{0});
  });

  scaling("a_disabled_scaler_takes_anything_for_an_optimizer", {"SCL-214", "SCL-414"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.enabled = false});

            for (const Value& any : {Value(), Value(5), Value("optimizer")}) {
              scaler.unscale_(any);
              scaler.update(any.is_none() ? Value("scale") : any);
            }

            expect_bits(scaler.get_scale(), 1.0);
          });

  scaling("a_disabled_scaler_takes_a_tensor_for_an_optimizer", {"SCL-214"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});
    const Tensor param = parameter(subject, 1, 8);

    scaler.unscale_(Ref{param.name()});

    expect_bits(param.grad(), f32({8}));
  });

  scaling("a_disabled_scaler_leaves_the_gradients", {"SCL-214"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4, .enabled = false});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {param});

    scaler.unscale_(optimizer);
    scaler.unscale_(optimizer);

    expect_bits(param.grad(), f32({8}));
  });
}

}  // namespace assay::suites
