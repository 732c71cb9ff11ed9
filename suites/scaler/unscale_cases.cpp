// unscale_(): which gradients are visited, how they are grouped, what is refused, the flags of each
// device.
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

SparseValue sparse_row(const std::vector<double>& columns, TensorValue values) {
  const auto count = static_cast<std::int64_t>(columns.size());
  std::vector<double> indices(columns.size(), 0.0);
  indices.insert(indices.end(), columns.begin(), columns.end());
  return {.indices = shaped(i64(indices), {2, count}),
          .values = std::move(values),
          .shape = {1, 4},
          .coalesced = false};
}

Tensor sparse_parameter(Session& subject, const SparseValue& grad) {
  Tensor tensor(subject, shaped(filled(grad.values.dtype, 4, 0), {1, 4}));
  tensor.set_grad(grad);
  return tensor;
}

Value sparse_values(const Tensor& tensor) {
  const Value grad = tensor.grad();
  if (grad.sparse() == nullptr) throw BadReply("the gradient is no longer sparse");
  return grad.sparse()->values;
}

double sum_of_flags(const FoundInf& flags) {
  double sum = 0;
  for (const auto& [device, flag] : flags) sum += flag.tensor()->real_at(0);
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

    expect_false(scaler.stage(optimizer).known, "an entry for the optimizer");
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
          });

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

  scaling("values_of_sparse_gradients_are_unscaled_in_place", {"SCL-206"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor sparse = sparse_parameter(subject, sparse_row({2, 0, 2}, f32({16, 32, 64})));
    auto optimizer = sgd(subject, {sparse});

    scaler.unscale_(optimizer);

    expect_bits(sparse_values(sparse), f32({4, 8, 16}));
    expect_flags(scaler, optimizer, {0});
  });

  scaling("a_bad_sparse_value_raises_the_flag", {"SCL-206"}, [](Session& subject) {
    for (const float bad : {kInf, kNaN}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer =
          sgd(subject, {sparse_parameter(subject, sparse_row({2, 0, 2}, f32({16, bad, 64})))});

      scaler.unscale_(optimizer);

      expect_flags(scaler, optimizer, {1});
    }
  });

  scaling("sparse_duplicates_are_checked_one_by_one", {"SCL-206"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 1});
    const Tensor sparse =
        sparse_parameter(subject, sparse_row({3, 3}, f32_bits({0x7f61b1e6, 0x7f61b1e6})));
    auto optimizer = sgd(subject, {sparse});

    scaler.unscale_(optimizer);

    expect_bits(sparse_values(sparse), f32_bits({0x7f61b1e6, 0x7f61b1e6}));
    expect_flags(scaler, optimizer, {0});
  });

  scaling("sparse_float16_is_coalesced_before_it_is_checked", {"SCL-207", "SCL-513"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor sparse =
                sparse_parameter(subject, sparse_row({2, 0, 2}, f16({64000, 32, 64000})));
            auto optimizer = sgd(subject, {sparse});

            const auto flags = scaler.check_inf(optimizer);

            expect_bits(flags.at(0).second, scalar_of(Dtype::kFloat32, 1));
            expect_bits(sparse_values(sparse), f16({32, kInf}));
          })
      .since(Release::k2_4);

  scaling("sparse_float16_that_sums_to_finite_values_passes", {"SCL-207"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        sgd(subject, {sparse_parameter(subject, sparse_row({2, 0, 2}, f16({16, 32, 64})))});

    const auto flags = scaler.check_inf(optimizer);

    expect_bits(flags.at(0).second, scalar_of(Dtype::kFloat32, 0));
  }).since(Release::k2_4);

  scaling("unscale_refuses_sparse_float16_as_it_is", {"SCL-207", "SCL-205"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        sgd(subject, {sparse_parameter(subject, sparse_row({2, 0, 2}, f16({16, 32, 64})))});

    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue, {"FP16"});
  });

  scaling("one_bad_gradient_among_eight_raises_the_flag_of_its_device", {"SCL-208"},
          [](Session& subject) {
            for (std::size_t bad = 0; bad < 8; ++bad) {
              const At at("bad gradient " + std::to_string(bad));
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

  scaling("flags_exist_where_gradients_are_and_lie_there", {"SCL-208"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8, subject.device(1))});

    scaler.unscale_(optimizer);

    const auto flags = scaler.found_inf(optimizer);
    expect_equal(static_cast<std::int64_t>(flags.size()), std::int64_t{1});
    expect_equal(flags.at(0).first, subject.device(1));
    expect_equal(flags.at(0).second.tensor()->device, subject.device(1));
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
    expect_true(scaler.found_inf(optimizer).empty(), "no flag");
  });

  scaling("a_failed_call_leaves_an_entry_that_is_ready", {"SCL-211", "SCL-510"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = sgd(subject, {parameter(subject, f16({1}), f16({1}))});

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue);

            expect_true(scaler.stage(optimizer).known, "an entry for the optimizer");
            expect_true(scaler.found_inf(optimizer).empty(), "no flag");
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
    expect_true(scaler.found_inf(optimizer).empty(), "no flag");
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
