// scale() of single tensors: initialization of the scalars, value, dtype and
// shape of the product.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

struct PromotionRow {
  const char* what;
  TensorValue input;
  TensorValue wanted;  ///< at scale 4
};

std::vector<PromotionRow> promotions() {
  const auto zero_dim = [](Dtype dtype, double value) { return scalar_of(dtype, value); };
  return {
      {"0-dim float16", zero_dim(Dtype::kFloat16, 3), zero_dim(Dtype::kFloat32, 12)},
      {"0-dim bfloat16", zero_dim(Dtype::kBfloat16, 3), zero_dim(Dtype::kFloat32, 12)},
      {"0-dim float32", zero_dim(Dtype::kFloat32, 3), zero_dim(Dtype::kFloat32, 12)},
      {"0-dim float64", zero_dim(Dtype::kFloat64, 3), zero_dim(Dtype::kFloat64, 12)},
      {"0-dim int32", zero_dim(Dtype::kInt32, 3), zero_dim(Dtype::kFloat32, 12)},
      {"0-dim int64", zero_dim(Dtype::kInt64, 3), zero_dim(Dtype::kFloat32, 12)},
      {"0-dim bool", zero_dim(Dtype::kBool, 1), zero_dim(Dtype::kFloat32, 4)},
      {"float16", f16({1, 3}), f16({4, 12})},
      {"bfloat16", bf16({1, 3}), bf16({4, 12})},
      {"float32", f32({1, 3}), f32({4, 12})},
      {"float64", f64({1, 3}), f64({4, 12})},
      {"int32", i32({1, 3}), f32({4, 12})},
      {"int64", i64({1, 3}), f32({4, 12})},
      {"bool", boolean({1, 0}), f32({4, 0})},
      {"float32 of two dimensions", shaped(f32({1, 2, 3, 4}), {2, 2}),
       shaped(f32({4, 8, 12, 16}), {2, 2})},
  };
}

}  // namespace

CASES("scaler/scale") {
  scaling("the_first_tensor_makes_the_two_scalars_on_its_device", {"SCL-101"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            expect_no_tensors(scaler);

            scaler.scale(f32({1}));

            const auto tensors = scaler.tensors();
            expect_bits(tensors.scale, on(scalar_of(Dtype::kFloat32, 4), subject.device()));
            expect_bits(tensors.tracker, on(scalar_of(Dtype::kInt32, 0), subject.device()));
          })
      .since(Release::k2_4);

  scaling("the_home_device_is_that_of_the_first_tensor_met", {"SCL-101"}, [](Session& subject) {
    const Device first = subject.device(1);
    auto scaler = subject.scaler().make({.init_scale = 4});

    scaler.scale(Tuple{{on(f32({1}), first), Tuple{{on(f32({1}), subject.device(0))}}}});
    scaler.scale(on(f32({1}), subject.device(0)));

    expect_equal(tensor_in(scaler.tensors().scale).device, first);
    expect_equal(tensor_in(scaler.tensors().tracker).device, first);
  }).only(DeviceRules::kCuda);

  scaling("the_scale_stays_where_it_is_for_every_later_call", {"SCL-101"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});
    scaler.scale(f32({1}));
    scaler.tensors("first");

    scaler.scale(f32({1}));
    scaler.tensors("later");

    expect_true(subject.alias("first.scale", "later.scale"), "the storage is the same");
    expect_true(subject.alias("first.tracker", "later.tracker"), "the storage is the same");
  });

  scaling("the_initial_scale_is_rounded_to_float32", {"SCL-102"},
          [](Session& subject) {
            const std::pair<double, std::uint32_t> rows[] = {
                {0.1, 0x3dcccccd},           {1e-46, 0x00000000},
                {-3.0, 0xc0400000},          {kInf, 0x7f800000},
                {kNaN, 0x7fc00000},          {0x1.fffffep+127, 0x7f7fffff},
                {0x1.000001p+0, 0x3f800000}, {0x1.000003p+0, 0x3f800002}};
            for (const auto& [init, bits] : rows) {
              const ScopedTrace at("init_scale " + std::to_string(init));
              expect_scale_bits(ready(subject, {.init_scale = init}), bits);
            }
          })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  scaling("a_finite_initial_scale_beyond_float32_fails_at_the_first_call", {"SCL-102"},
          [](Session& subject) {
            for (const double init : {1e39, -1e39, 0x1.fffffep+127 * (1 + 0x1p-26)}) {
              auto scaler = subject.scaler().make({.init_scale = init});

              expect_error([&] { scaler.scale(f32({1})); }, ErrorKind::kError,
                           {"cannot be converted", "float", "overflow"});
            }
          })
      .unless(Property::kDoubleScale);

  scaling("a_tracker_beyond_int32_fails_at_the_first_call", {"SCL-103", "SCL-509"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            Dict state = scaler.state_dict();
            for (auto& [key, value] : state.items) {
              if (identical(key, "_growth_tracker")) value = std::int64_t{1} << 31;
            }
            scaler.load_state_dict(state);

            expect_error([&] { scaler.scale(f32({1})); }, ErrorKind::kError, {"int", "overflow"});
          });

  scaling("the_scale_survives_a_tracker_that_could_not_be_made", {"SCL-103"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});
    scaler.load_state_dict(dict_of({{"scale", 4.0},
                                    {"growth_factor", 2.0},
                                    {"backoff_factor", 0.5},
                                    {"growth_interval", 2},
                                    {"_growth_tracker", std::int64_t{1} << 31}}));
    expect_error([&] { scaler.scale(f32({1})); }, ErrorKind::kError, {});

    expect_bits(scaler.scale(f32({3})), f32({12}));
    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kAssertion,
                 {"unscale_", "tracker"});
    expect_error([&] { scaler.update(); }, ErrorKind::kAssertion, {"update", "tracker"});
  }).only(Deviations::kCompat);

  scaling(
      "the_result_is_a_new_tensor_and_the_input_keeps_its_bits", {"SCL-104"}, [](Session& subject) {
        auto scaler = ready(subject, {.init_scale = 4});
        const Tensor x(subject, f32({3}));

        scaler.scale(x, "y");

        expect_bits(Tensor::named(subject, "y").read(), f32({12}));
        expect_bits(x.read(), f32({3}));
        expect_false(subject.alias(x.name(), "y"), "the result does not share the input's storage");
      });

  scaling("the_product_is_differentiable_in_the_input", {"SCL-104"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor x(subject, f32({3}), true);

    scaler.scale(x, "y");
    subject.send("core.backward", {{"tensor", Ref{"y"}}});

    expect_bits(x.grad(), f32({4}));
  });

  scaling("the_gradient_is_that_of_the_scale_at_the_call", {"SCL-104"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor x(subject, f32({3}), true);

    scaler.scale(x, "y");
    subject.send("core.backward", {{"tensor", Ref{"y"}}});
    scaler.update(16.0);
    scaler.scale(x, "z");
    subject.send("core.backward", {{"tensor", Ref{"z"}}});

    expect_bits(x.grad(), f32({20}));
  });

  scaling("the_scale_never_requires_a_gradient", {"SCL-104"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor x(subject, f32({3}), true);

    scaler.scale(x);
    scaler.tensors("live");

    const Reply info = subject.send("core.info", {{"tensor", Ref{"live.scale"}}});
    expect_false(field_as<bool>(info, "requires_grad"), "the scale requires no gradient");
  });

  scaling("a_tensor_on_another_device_is_scaled_there", {"SCL-104", "SCL-101"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});

            const Value result = scaler.scale(on(f32({3}), subject.device(1)));

            expect_bits(result, on(f32({12}), subject.device(1)));
            expect_equal(tensor_in(scaler.tensors().scale).device, subject.device(0));
          })
      .only(DeviceRules::kCuda);

  scaling("types_are_promoted_with_a_0_dim_float32", {"SCL-105"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    for (const auto& row : promotions()) {
      const ScopedTrace at(row.what);
      expect_bits(scaler.scale(row.input), row.wanted);
    }
  }).since(Release::k2_4);

  scaling("a_float16_output_on_cuda_meets_the_scale_in_float16", {"SCL-106"},
          [](Session& subject) {
            const Value scaled =
                ready(subject).scale(from_bits(Dtype::kFloat16, {0x3800, 0x0000, 0x1419}));

            expect_bits(scaled, from_bits(Dtype::kFloat16, {0x7c00, 0x7e00, 0x7c00}));
          })
      .since(Release::k2_4)
      .only(DeviceRules::kCuda);

  scaling("a_bfloat16_output_on_cuda_meets_the_scale_in_bfloat16", {"SCL-106"},
          [](Session& subject) {
            expect_bits(ready(subject, {.init_scale = 1001}).scale(bf16({150})), bf16({149504}));
          })
      .since(Release::k2_4)
      .only(DeviceRules::kCuda);

  scaling("a_half_output_on_cpu_is_rounded_once", {"SCL-106"},
          [](Session& subject) {
            const Value scaled =
                ready(subject).scale(from_bits(Dtype::kFloat16, {0x3800, 0x0000, 0x1419}));

            expect_bits(scaled, f16({32768, 0, 65.5625}));
            expect_bits(ready(subject, {.init_scale = 1001}).scale(bf16({150})), bf16({150528}));
          })
      .since(Release::k2_4)
      .only(DeviceRules::kCpu);

  scaling("a_zero_size_tensor_initialises_the_scale", {"SCL-107"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});

    const Value result = scaler.scale(f64({}));

    expect_bits(result, f64({}));
    expect_scale_bits(scaler, 0x40800000);
  }).since(Release::k2_4);

  scaling("a_zero_size_integer_tensor_is_promoted", {"SCL-107"}, [](Session& subject) {
    expect_bits(ready(subject, {.init_scale = 4}).scale(i64({})), f32({}));
  }).since(Release::k2_4);

  scaling("scalars_of_1_13_have_one_dimension", {"SCL-108"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8)});
    scaler.unscale_(optimizer);

    expect_bits(scaler.tensors().scale, f32({4}));
    expect_bits(scaler.tensors().tracker, i32({0}));
    expect_bits(scaler.found_inf(optimizer).at(0).second, f32({0}));
  }).until(Release::k1_13);

  scaling("a_scale_of_one_dimension_shapes_and_promotes_the_result", {"SCL-108"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});

            expect_bits(scaler.scale(scalar_of(Dtype::kFloat32, 3)), f32({12}));
            expect_bits(scaler.scale(f16({1, 3})), f32({4, 12}));
            expect_bits(scaler.scale(scalar_of(Dtype::kFloat64, 3)), f32({12}));
          })
      .until(Release::k1_13);
}

}  // namespace assay::suites
