// unscale_(): visited gradients, grouping, errors, and flags of each
// device.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

double sum_of_flags(const FoundInf& flags) {
  double sum = 0;
  for (const auto& [device, flag] : flags) sum += tensor_in(flag).real_at(0);
  return sum;
}

}  // namespace

CASES("scaler/unscale") {
  scaling("every_call_needs_the_scale_and_names_itself", {"SCL-201", "SCL-304", "SCL-401"},
          [](Session& subject) {
            auto scaler = subject.scaler().make();
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kAssertion,
                         {"unscale_", "_scale is None", "scale("});
            expect_error([&] { scaler.step(optimizer); }, ErrorKind::kAssertion,
                         {"step", "_scale is None", "scale("});
            expect_error([&] { scaler.update(); }, ErrorKind::kAssertion,
                         {"update", "_scale is None", "scale("});
            expect_error([&] { scaler.update(2.0); }, ErrorKind::kAssertion,
                         {"update", "_scale is None", "scale("});
          });

  scaling("the_missing_scale_is_found_before_an_entry_is_made", {"SCL-201"}, [](Session& subject) {
    auto scaler = subject.scaler().make();
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kAssertion);
    expect_error([&] { scaler.step(optimizer); }, ErrorKind::kAssertion);

    expect_false(scaler.stage(optimizer).known, "there is no entry for the optimizer");
    scaler.pickle();
  });

  scaling("every_gradient_of_every_group_is_multiplied_by_the_inverse", {"SCL-203", "SCL-202"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor a = parameter(subject, f32({1, 1}), f32({8, -12}));
            const Tensor b = parameter(subject, 1, 4);
            const Tensor c = parameter(subject, 1, 16);
            auto optimizer = sgd(subject, {List{{a, b}}, List{{c}}});

            scaler.unscale_(optimizer);

            expect_bits(a.grad(), f32({2, -3}));
            expect_bits(b.grad(), f32({1}));
            expect_bits(c.grad(), f32({4}));
          })
      .reach(Reach::kTraining);

  scaling("a_parameter_without_a_gradient_is_passed_over", {"SCL-203"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor without = parameter(subject, f32({1}));
    const Tensor with = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {without, with});

    scaler.unscale_(optimizer);

    expect_bits(with.grad(), f32({2}));
    expect_true(without.grad().is_none(), "no gradient appears");
  });

  scaling("a_frozen_parameter_with_a_gradient_is_visited", {"SCL-203"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor frozen = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {frozen});
    subject.send("core.requires_grad_", {{"tensor", frozen}, {"value", false}});

    scaler.unscale_(optimizer);

    expect_bits(frozen.grad(), f32({2}));
  });

  scaling("an_inf_on_a_frozen_parameter_skips_the_step", {"SCL-203", "SCL-308"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor frozen = parameter(subject, 1, kInf);
            const Tensor other = parameter(subject, 1, 8);
            auto optimizer = sgd(subject, {frozen, other});
            subject.send("core.requires_grad_", {{"tensor", frozen}, {"value", false}});

            scaler.step(optimizer);
            scaler.update();

            expect_bits(other.read(), f32({1}));
            expect_scale(scaler, 2);
          });

  scaling("gradients_of_other_tensors_are_not_looked_at", {"SCL-203"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor stranger = parameter(subject, 1, kInf);
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

    scaler.unscale_(optimizer);

    expect_flags(scaler, optimizer, {0});
    expect_bits(stranger.grad(), f32({kInf}));
  });

  scaling("each_dtype_of_a_device_is_one_call_of_the_operator", {"SCL-204"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    std::vector<Value> params;
    for (int i = 0; i < 5; ++i) {
      const bool is_double = i % 2 == 1;
      params.push_back(is_double ? parameter(subject, f64({1}), f64({8}))
                                 : parameter(subject, f32({1}), f32({8})));
    }
    auto optimizer = sgd(subject, params);

    subject.count();
    scaler.unscale_(optimizer);

    expect_equal(subject.counted("unscale_calls"), std::int64_t{2});
    expect_equal(subject.counted("unscale_tensors"), std::int64_t{5});
  });

  scaling("groups_of_a_device_share_one_flag", {"SCL-204", "SCL-208"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor single = parameter(subject, f32({1}), f32({kInf}));
    const Tensor twice = parameter(subject, f64({1}), f64({8}));
    auto optimizer = sgd(subject, {single, twice});

    scaler.unscale_(optimizer);

    expect_flags(scaler, optimizer, {1});
    expect_bits(twice.grad(), f64({2}));
  });

  scaling("float16_gradients_are_refused_before_anything_is_unscaled", {"SCL-205", "SCL-211"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor single = parameter(subject, 1, 8);
            const Tensor half = parameter(subject, f16({1}), f16({1}));
            auto optimizer = sgd(subject, {single, half});

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue, {"FP16"});

            expect_bits(single.grad(), f32({8}));
            expect_bits(half.grad(), f16({1}));
            expect_stage(scaler, optimizer, "READY");
          });

  scaling("bfloat16_gradients_are_left_to_the_operator", {"SCL-205"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor brain = parameter(subject, bf16({1}), bf16({8}));
    auto optimizer = sgd(subject, {brain});

    scaler.unscale_(optimizer);

    expect_bits(brain.grad(), bf16({2}));
  }).only(DeviceRules::kCpu);

  scaling("bfloat16_gradients_fail_in_the_operator_on_cuda", {"SCL-205"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, bf16({1}), bf16({8}))});

    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kError, {"BFloat16"});
  }).only(DeviceRules::kCuda);

  scaling("one_bad_gradient_among_eight_raises_the_flag_of_its_device", {"SCL-208"},
          [](Session& subject) {
            for (std::size_t bad = 0; bad < 8; ++bad) {
              const ScopedTrace at("bad gradient " + std::to_string(bad));
              auto scaler = ready(subject, {.init_scale = 4});
              std::vector<Value> params;
              for (std::size_t i = 0; i < 8; ++i) {
                const Device device = subject.device(i < 4 ? 0 : 1);
                params.push_back(parameter(subject, 1, i == bad ? kInf : 8, device));
              }
              auto optimizer = sgd(subject, params);

              scaler.unscale_(optimizer);

              expect_flags(scaler, optimizer, {bad < 4 ? 1.0 : 0.0, bad < 4 ? 0.0 : 1.0});
            }
          })
      .only(DeviceRules::kCuda);

  scaling("a_bad_gradient_anywhere_in_a_long_list_raises_the_flag", {"SCL-208"},
          [](Session& subject) {
            // More than a launch takes, which is about a thousand.
            constexpr std::size_t kMany = 1100;
            std::vector<Tensor> tensors;
            for (std::size_t i = 0; i < kMany; ++i) tensors.push_back(parameter(subject, 1, 8));
            auto optimizer = sgd(subject, {tensors.begin(), tensors.end()});
            for (const std::size_t bad : {std::size_t{0}, kMany - 1}) {
              const ScopedTrace at("bad gradient " + std::to_string(bad));
              auto scaler = ready(subject, {.init_scale = 4});
              tensors[bad].set_grad(f32({kInf}));

              scaler.unscale_(optimizer);

              expect_flags(scaler, optimizer, {1});
              tensors[bad].set_grad(f32({8}));
            }
          });

  scaling("dtypes_share_the_flag_of_a_device_with_another_device_between", {"SCL-204", "SCL-208"},
          [](Session& subject) {
            const Device first = subject.device(0);
            const Device second = subject.device(1);
            for (std::size_t bad = 0; bad < 3; ++bad) {
              const ScopedTrace at("bad gradient " + std::to_string(bad));
              auto scaler = ready(subject, {.init_scale = 4});
              const auto grad = [&](std::size_t i) { return i == bad ? kInf : 8.0F; };
              const Tensor twice(subject, on(f64({1}), first));
              twice.set_grad(on(f64({grad(2)}), first));
              auto optimizer = sgd(subject, {parameter(subject, 1, grad(0), first),
                                             parameter(subject, 1, grad(1), second), twice});

              scaler.unscale_(optimizer);

              expect_flags(scaler, optimizer, {bad == 1 ? 0.0 : 1.0, bad == 1 ? 1.0 : 0.0});
            }
          })
      .only(DeviceRules::kCuda);

  scaling("flags_exist_where_gradients_are_and_lie_there", {"SCL-208"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8, subject.device(1))});

    scaler.unscale_(optimizer);

    const auto flags = scaler.found_inf(optimizer);
    expect_equal(static_cast<std::int64_t>(flags.size()), std::int64_t{1});
    expect_equal(flags.at(0).first, subject.device(1));
    expect_equal(tensor_in(flags.at(0).second).device, subject.device(1));
  }).only(DeviceRules::kCuda);

  scaling("each_device_multiplies_by_its_own_copy_of_the_inverse", {"SCL-208", "SCL-204"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor here = parameter(subject, 1, 8, subject.device(0));
            const Tensor there = parameter(subject, 1, 16, subject.device(1));
            auto optimizer = sgd(subject, {there, here});

            scaler.unscale_(optimizer);

            expect_bits(here.grad(), f32({2}));
            expect_bits(there.grad(), f32({4}));
          })
      .only(DeviceRules::kCuda);

  scaling("flags_of_two_optimizers_are_two_tensors", {"SCL-208"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto bad = sgd(subject, {parameter(subject, 1, kInf)});
    auto good = sgd(subject, {parameter(subject, 1, 8)});

    scaler.unscale_(bad);
    scaler.unscale_(good);

    expect_flags(scaler, bad, {1});
    expect_flags(scaler, good, {0});
    expect_equal(sum_of_flags(scaler.found_inf(good)), 0.0);
  });

  scaling("a_flag_says_nothing_of_the_iteration_before", {"SCL-208"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, 8);
    auto optimizer = sgd(subject, {param});
    for (const float grad : {kInf, 8.0F, kInf, kInf, 8.0F, 8.0F}) {
      param.set_grad(f32({grad}));

      scaler.unscale_(optimizer);

      expect_flags(scaler, optimizer, {grad == kInf ? 1.0 : 0.0});
      scaler.update();
    }
  });

  scaling("a_flag_that_somebody_keeps_is_not_written_again", {"SCL-208"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, 1, kInf);
    auto optimizer = sgd(subject, {param});
    scaler.unscale_(optimizer);
    scaler.found_inf(optimizer, "kept");
    scaler.update();
    param.set_grad(f32({8}));

    scaler.unscale_(optimizer);

    expect_flags(scaler, optimizer, {0});
    const bool is_old = subject.contract().release == Release::k1_13;  // SCL-108
    expect_bits(Tensor::named(subject, "kept.0").read(),
                is_old ? f32({1}) : scalar_of(Dtype::kFloat32, 1));
  });

  scaling("every_call_visits_the_gradients_that_there_are_then", {"SCL-203"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor param = parameter(subject, shaped(f32({0, 0, 0, 0, 0, 0}), {2, 3}));
    auto optimizer = sgd(subject, {param});
    const TensorValue rows = shaped(f32({4, 8, 12, 16, 20, 24}), {2, 3});
    const TensorValue wanted = shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3});
    const std::vector<TensorValue> layouts = {rows, strided(rows, {3, 1}), strided(rows, {1, 2}),
                                              strided(rows, {8, 2}), rows};
    for (const TensorValue& grad : layouts) {
      param.set_grad(grad);

      scaler.unscale_(optimizer);

      expect_bits(param.grad(), strided(wanted, grad.strides));
      scaler.update(4.0);
    }
  });
}

}  // namespace assay::suites
