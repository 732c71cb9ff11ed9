// update() with a new scale: by value and by tensor, errors, and cleared state.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {

CASES("scaler/update") {
  scaling("a_new_scale_needs_no_flags", {"SCL-401", "SCL-402"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    scaler.update(2.0);

    expect_scale(scaler, 2);
    expect_tracker(scaler, 0);
  }).reach(Reach::kTraining);

  scaling("a_new_scale_takes_the_place_of_growth_and_backoff", {"SCL-401"}, [](Session& subject) {
    for (const float grad : {1.0F, kInf}) {
      auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 1});
      scaler.step(sgd(subject, {parameter(subject, 1, grad)}));

      scaler.update(32.0);

      expect_scale(scaler, 32);
    }
  });

  scaling("a_new_scale_clears_all_states", {"SCL-401", "SCL-411"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto first = sgd(subject, {parameter(subject, 1, 8)});
    auto second = sgd(subject, {parameter(subject, 1, 8)});
    scaler.unscale_(first);
    scaler.step(second);

    scaler.update(2.0);

    expect_false(scaler.stage(first).known, "there is no entry for the first optimizer");
    expect_false(scaler.stage(second).known, "there is no entry for the second optimizer");
  });

  scaling("a_new_scale_is_rounded_to_float32", {"SCL-402"},
          [](Session& subject) {
            const std::pair<double, std::uint32_t> rows[] = {
                {-3.0, 0xc0400000}, {0.0, 0x00000000}, {-0.0, 0x80000000}, {kInf, 0x7f800000},
                {kNaN, 0x7fc00000}, {0.1, 0x3dcccccd}, {1e-46, 0x00000000}};
            auto scaler = ready(subject, {.init_scale = 4});
            for (const auto& [value, bits] : rows) {
              const ScopedTrace at("update(" + std::to_string(value) + ")");
              scaler.update(value);
              expect_scale_bits(scaler, bits);
            }
          })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  scaling("a_finite_new_scale_beyond_float32_is_refused", {"SCL-402", "SCL-411"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});
            scaler.unscale_(optimizer);

            expect_error([&] { scaler.update(1e39); }, ErrorKind::kError,
                         {"cannot be converted", "float", "overflow"});

            expect_scale(scaler, 4);
            expect_stage(scaler, optimizer, "UNSCALED");
          })
      .unless(Property::kDoubleScale);

  scaling("a_new_scale_keeps_the_tracker", {"SCL-403"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_interval = 5});
    for (int i = 0; i < 3; ++i) iterate(subject, scaler);

    scaler.update(16.0);
    expect_tracker(scaler, 3);
    iterate(subject, scaler);
    expect_scale(scaler, 16);
    iterate(subject, scaler);

    expect_scale(scaler, 32);
  });

  scaling("a_new_scale_may_be_a_tensor_of_any_float", {"SCL-404"}, [](Session& subject) {
    const std::pair<TensorValue, std::uint32_t> rows[] = {
        {scalar_of(Dtype::kFloat32, 8), 0x41000000},
        {scalar_bits(Dtype::kFloat64, 0x3fb999999999999a), 0x3dcccccd},
        {scalar_of(Dtype::kFloat16, 8), 0x41000000},
        {scalar_of(Dtype::kInt64, 7), 0x40e00000}};
    auto scaler = ready(subject, {.init_scale = 4});
    for (const auto& [value, bits] : rows) {
      const ScopedTrace at(std::string(name_of(value.dtype)));
      scaler.update(value);
      expect_scale_bits(scaler, bits);
    }
  }).since(Release::k2_4);

  scaling("a_new_scale_tensor_had_to_be_float32", {"SCL-404"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    scaler.update(scalar_of(Dtype::kFloat32, 8));

    expect_error([&] { scaler.update(scalar_of(Dtype::kFloat64, 2)); }, ErrorKind::kAssertion,
                 {"new_scale"});
    expect_error([&] { scaler.update(scalar_of(Dtype::kInt64, 2)); }, ErrorKind::kAssertion,
                 {"new_scale"});

    expect_scale(scaler, 8);
  }).until(Release::k1_13);

  scaling("a_new_scale_tensor_has_one_element", {"SCL-404"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    for (const TensorValue& wrong : {f32({1, 2}), f32({})}) {
      expect_error([&] { scaler.update(wrong); }, ErrorKind::kAssertion,
                   {"new_scale", "float", "1-element", "requires_grad"});
    }
    expect_scale(scaler, 4);
  });

  scaling("a_new_scale_tensor_does_not_require_a_gradient", {"SCL-404"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor wrong(subject, scalar_of(Dtype::kFloat32, 8), true);

    expect_error([&] { scaler.update(wrong); }, ErrorKind::kAssertion,
                 {"new_scale", "float", "1-element", "requires_grad"});
    expect_scale(scaler, 4);
  });

  scaling("a_new_scale_tensor_lies_on_the_scalers_kind_of_device", {"SCL-404"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Value wrong = on(scalar_of(Dtype::kFloat32, 8), Device{"cpu", -1});

            expect_error([&] { scaler.update(wrong); }, ErrorKind::kAssertion, {"new_scale"});
            expect_scale(scaler, 4);
          })
      .only(DeviceRules::kCuda);

  scaling("a_new_scale_tensor_may_lie_on_another_device_of_the_kind", {"SCL-404"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});

            scaler.update(on(scalar_of(Dtype::kFloat32, 8), subject.device(1)));

            expect_scale(scaler, 8);
            expect_equal(tensor_in(scaler.tensors().scale).device, subject.device(0));
          })
      .only(DeviceRules::kCuda);

  scaling("a_new_scale_tensor_is_copied", {"SCL-404"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor given(subject, scalar_of(Dtype::kFloat32, 8));

    scaler.update(given);
    given.fill_(100);

    expect_scale(scaler, 8);
  });

  scaling("a_new_scale_of_one_dimension_does_not_fit", {"SCL-405"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    expect_error([&] { scaler.update(f32({2})); }, ErrorKind::kError, {"shape", "broadcast"});

    expect_scale(scaler, 4);
  }).since(Release::k2_4);

  scaling("a_new_scale_of_one_dimension_fitted_in_1_13", {"SCL-405", "SCL-108"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});

            scaler.update(f32({2}));
            expect_scale(scaler, 2);
            scaler.update(scalar_of(Dtype::kFloat32, 8));
            expect_scale(scaler, 8);
          })
      .until(Release::k1_13);

  scaling("an_integer_is_not_a_scale", {"SCL-406"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});
    scaler.unscale_(optimizer);

    for (const Value& wrong : {Value(2), Value(true)}) {
      expect_error([&] { scaler.update(wrong); }, ErrorKind::kAttribute);
    }
    expect_scale(scaler, 4);
    expect_stage(scaler, optimizer, "UNSCALED");
  }).since(Release::k2_4);

  scaling("an_integer_failed_the_assertion_of_older_releases", {"SCL-406"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    expect_error([&] { scaler.update(2); }, ErrorKind::kAssertion);

    expect_scale(scaler, 4);
  }).until(Release::k1_13);
}

}  // namespace assay::suites
