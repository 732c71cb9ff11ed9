// Unscale: the effect on the elements of a gradient.
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

constexpr float kThird = 0x1.555556p-2f;

}  // namespace

CASES("amp/unscale") {
  kernel_case("raises_the_flag_for_each_kind_of_non_finite", {"AMP-201", "AMP-205", "AMP-210"},
              [](Session& session) {
                for (const Dtype dtype : gradient_dtypes(session.contract())) {
                  for (const std::uint64_t bad : non_finite_bits(dtype)) {
                    const ScopedTrace at(std::string(name_of(dtype)) + " " + std::to_string(bad));
                    TensorValue grad = tensor_of(dtype, {4, 0, 8});
                    grad.set_bits(1, bad);
                    expect_unscales(session, {.grads = {grad}, .inv_scale = 0.25f});
                    expect_unscales(session, {.grads = {grad}, .inv_scale = 1.0f});
                  }
                }
              })
      .reach(Reach::kTraining);

  kernel_case("does_not_raise_the_flag_for_finite_extremes", {"AMP-201", "AMP-207", "AMP-211"},
              [](Session& session) {
                for (const Dtype dtype : gradient_dtypes(session.contract())) {
                  for (const std::uint64_t edge : edge_bits(dtype)) {
                    const ScopedTrace at(std::string(name_of(dtype)) + " " + std::to_string(edge));
                    TensorValue grad = tensor_of(dtype, {1, 0});
                    grad.set_bits(1, edge);
                    for (const float inv : {1.0f, 0.5f, 2.0f, kThird, -1.0f})
                      expect_unscales(session, {.grads = {grad}, .inv_scale = inv});
                  }
                }
              })
      .unless(Property::kFlushesSubnormals);

  kernel_case("looks_at_each_element_of_a_tensor", {"AMP-201"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (std::size_t bad = 0; bad < 9; ++bad) {
        const ScopedTrace at(std::string(name_of(dtype)) + ", bad element " + std::to_string(bad));
        TensorValue grad = ramp(dtype, 9);
        grad.set_bits(bad, non_finite_bits(dtype).front());
        expect_unscales(session, {.grads = {grad}});
      }
    }
  });

  kernel_case("looks_at_gradients_without_dimensions", {"AMP-201"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (const std::uint64_t bad : non_finite_bits(dtype))
        expect_unscales(session, {.grads = {scalar_bits(dtype, bad)}});
    }
  });

  kernel_case("looks_at_elements_beside_powers_of_two", {"AMP-201", "AMP-311"},
              [](Session& session) {
                for (std::size_t power = 16; power <= 2048; power *= 2) {
                  for (const std::size_t bad : {power - 1, power, power + 1}) {
                    const ScopedTrace at("bad element " + std::to_string(bad));
                    TensorValue grad = ramp(Dtype::kFloat32, 2050);
                    grad.set_bits(bad, 0x7f800000);
                    expect_unscales(session, {.grads = {grad}});
                  }
                }
              });

  kernel_case("unscales_the_finite_neighbours_of_a_bad_element", {"AMP-205"}, [](Session& session) {
    for (const float bad : {kInf, -kInf, kNaN}) {
      auto result = session.amp().unscale({.grads = {f32({4, bad, 8})}, .inv_scale = 0.25f});

      expect_bits(result.found_inf, 1.0f);
      expect_bits(result.grads.at(0), f32({1, bad, 2}));
    }
  });

  kernel_case(
      "multiplies_infinities_by_sign_and_zero", {"AMP-205", "AMP-208"}, [](Session& session) {
        auto negated = session.amp().unscale({.grads = {f32({kInf, -kInf})}, .inv_scale = -0.125f});
        auto zeroed =
            session.amp().unscale({.grads = {f32({kInf, -kInf, 5, -5, 0})}, .inv_scale = 0.0f});

        expect_bits(negated.grads.at(0), f32({-kInf, kInf}));
        expect_bits(zeroed.grads.at(0), f32({kNaN, kNaN, 0.0, -0.0, 0.0}));
        expect_bits(zeroed.found_inf, 1.0f);
      });

  kernel_case("gives_half_types_the_inverse_in_float", {"AMP-202"}, [](Session& session) {
    // 2^-25, 1/65520, 2^-30: not representable in half precision.
    for (const float inv : {0x1p-25f, 0x1.001002p-16f, 0x1p-30f, 0x1p17f, kThird, 0x1.99999ap-4f}) {
      const ScopedTrace at("inverse " + std::to_string(inv));
      expect_unscales(session,
                      {.grads = {f16({65504, 32768, 1, 0x1p-14, 0x1p-24, 3})}, .inv_scale = inv});
    }
  });

  kernel_case("gives_doubles_the_inverse_widened", {"AMP-202"}, [](Session& session) {
    for (const float inv :
         {0x1.99999ap-4f, kThird, 0x1.47ae14p-7f, 0x1.fffffep-1f, 0x1.000002p+0f}) {
      expect_unscales(session, {.grads = {f64({1, 3, 0x1.123456789abcdp+0, 0x1p-1022, 0x1p-1074,
                                               0x1.fffffffffffffp126, -7})},
                                .inv_scale = inv});
    }
  });

  kernel_case(
      "multiplies_bfloat16_in_float", {"AMP-202", "AMP-203"},
      [](Session& session) {
        for (const float inv : {kThird, 0x1.99999ap-4f, 0x1.47ae14p-7f, 0x1.0p-133f, 3.0f, 1.0f}) {
          expect_unscales(session, {.grads = {bf16({1, 3, 1.0078125, 1.015625, 0x1.fep127, 0x1p-133,
                                                    0x1p-126, -5, 255})},
                                    .inv_scale = inv});
        }
      })
      .unless(Property::kFlushesSubnormals)
      .only(DeviceRules::kCpu);

  kernel_case(
      "agrees_with_its_definition_on_random_bits", {"AMP-201", "AMP-202", "AMP-203"},
      [](Session& session) {
        Bits bits(0xfeed);
        for (const Dtype dtype : gradient_dtypes(session.contract())) {
          for (int round = 0; round < 40; ++round) {
            const ScopedTrace at(std::string(name_of(dtype)) + ", round " + std::to_string(round));
            TensorValue grad = filled(dtype, 50, 0);
            for (std::size_t i = 0; i < 50; ++i) {
              const std::uint64_t wide = bits.next();
              grad.set_bits(i, wide >> (64 - bits_per_element(dtype)));
            }
            const auto inverse = static_cast<std::uint32_t>(bits.next() >> 32);
            expect_unscales(session, {.grads = {grad}, .inv_scale = float_of(inverse)});
          }
        }
      })
      .unless(Property::kFlushesSubnormals);

  kernel_case("tells_one_from_its_neighbours", {"AMP-204"},
              [](Session& session) {
                for (const std::uint32_t inverse : {0x3f800001u, 0x3f7fffffu, 0xbf800000u}) {
                  expect_unscales(
                      session, {.grads = {f32({0x1.fffffep127f, 3, 0x1.000002p0, -0.0, 0x1p-149})},
                                .inv_scale = float_of(inverse)});
                  expect_unscales(session, {.grads = {f64({3, 0x1.123456789abcdp0})},
                                            .inv_scale = float_of(inverse)});
                }
              })
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals);

  kernel_case("checks_even_when_the_inverse_is_one", {"AMP-204"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      TensorValue grad = ramp(dtype, 3);
      grad.set_bits(2, non_finite_bits(dtype).front());
      expect_unscales(session, {.grads = {ramp(dtype, 2), grad}, .inv_scale = 1.0f});
    }
  });
}

CASES("amp/unscale") {
  kernel_case(
      "never_clears_the_flag", {"AMP-206"},
      [](Session& session) {
        for (const float before : {1.0f, 0.5f, 5.0f, -1.0f, kInf, -kInf, kNaN, -0.0f, 0x1p-149f}) {
          const ScopedTrace at("found_inf " + std::to_string(before));
          expect_unscales(session, {.grads = {f32({4, 8})}, .flag_before = before});
          expect_unscales(session, {.grads = {f32({4})}, .inv_scale = 1.0f, .flag_before = before});
        }
      })
      .reach(Reach::kArguments)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag);

  kernel_case("writes_exactly_one_over_any_flag", {"AMP-206"},
              [](Session& session) {
                for (const float before : {0.0f, 0.5f, 1.0f, 5.0f, -1.0f, kInf, kNaN}) {
                  const ScopedTrace at("found_inf " + std::to_string(before));
                  expect_unscales(session, {.grads = {f32({4, kInf, kNaN}), f32({-kInf})},
                                            .flag_before = before});
                }
              })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag);

  kernel_case("never_leaves_a_count_in_the_flag", {"AMP-206", "AMP-213"}, [](Session& session) {
    auto result = session.amp().unscale(
        {.grads = {filled(Dtype::kFloat32, 3000, kNaN), filled(Dtype::kFloat16, 3000, kInf)}});

    expect_bits(result.found_inf, 1.0f);
  });

  kernel_case("leaves_one_after_a_million_racing_writes", {"AMP-213"}, [](Session& session) {
    constexpr std::int64_t kCount = std::int64_t{1} << 24;
    const Recipe nans{.start = 0x7fc00000, .step = 0, .set = {}};
    auto result = session.amp().unscale(
        {.grads = {by_recipe(Dtype::kFloat32, kCount, nans)}, .digest = 1 << 20});

    expect_bits(result.found_inf, 1.0f);
  }).full();

  kernel_case("only_reads_the_inverse", {"AMP-201"}, [](Session& session) {
    const std::string inverse = session.fresh_name("inverse");
    const TensorValue before = scalar_of(Dtype::kFloat32, 0.25);
    session.send("core.tensor", {{"value", before}}, inverse);

    session.amp().unscale({.grads = {f32({4, kInf})}, .inv_scale = Ref{inverse}});

    const Reply after = session.send("core.read", {{"tensor", Ref{inverse}}});
    expect_exact_bits(tensor_field(after, "result"), before);
  });

  kernel_case("reads_the_inverse_when_it_runs", {"AMP-201"}, [](Session& session) {
    const std::string inverse = session.fresh_name("inverse");
    session.send("core.tensor", {{"value", scalar_of(Dtype::kFloat32, 0.25)}}, inverse);
    session.amp().unscale({.grads = {f32({4})}, .inv_scale = Ref{inverse}});

    session.amp().update_scale({.scale = Ref{inverse}, .growth = 8.0, .interval = 1});
    auto result = session.amp().unscale({.grads = {f32({4})}, .inv_scale = Ref{inverse}});

    expect_bits(result.grads.at(0), f32({8}));
  });

  kernel_case(
      "takes_the_float64_that_a_float_cannot_hold_as_cuda_does", {"AMP-209"},
      [](Session& session) {
        struct Row {
          double value;
          bool flagged;
        };
        for (const Row& row : {Row{0x1.fffffefffffffp127, false}, Row{0x1.ffffffp127, true},
                               Row{-0x1.ffffffp127, true}, Row{-0x1.fffffefffffffp127, false},
                               Row{0x1p128, true}, Row{1e300, true}, Row{0x1p-1074, false}}) {
          const ScopedTrace at(std::to_string(row.value));
          auto result = session.amp().unscale({.grads = {f64({2, row.value})}, .inv_scale = 1.0f});

          expect_bits(result.found_inf, row.flagged ? 1.0f : 0.0f);
          expect_bits(result.grads.at(0), f64({2, row.value}));
        }
      })
      .only(DeviceRules::kCuda);

  kernel_case("takes_every_finite_float64_as_finite", {"AMP-209"}, [](Session& session) {
    for (const double value : {0x1.ffffffp127, 0x1p128, -1e300, 0x1.fffffffffffffp1023}) {
      auto result = session.amp().unscale({.grads = {f64({2, value})}, .inv_scale = 0.5f});

      expect_bits(result.found_inf, 0.0f);
      expect_bits(result.grads.at(0), f64({1, value / 2}));
    }
  }).only(DeviceRules::kCpu);

  kernel_case("turns_values_to_zero_infinity_or_nan_without_a_flag", {"AMP-207", "AMP-208"},
              [](Session& session) {
                for (const float inv :
                     {0.0f, -0.0f, kInf, -kInf, kNaN, 0x1p-149f, 0x1p-127f, 0x1.fffffep127f}) {
                  const ScopedTrace at("inverse " + std::to_string(inv));
                  for (const Dtype dtype : gradient_dtypes(session.contract())) {
                    const TensorValue grad = tensor_of(dtype, {0.0, -0.0, 1, -1, 61440, 0x1p-14});
                    expect_unscales(session, {.grads = {grad}, .inv_scale = inv});
                  }
                }
              })
      .unless(Property::kFlushesSubnormals);

  kernel_case("stores_an_overflowed_product_without_a_flag", {"AMP-207"}, [](Session& session) {
    auto single = session.amp().unscale({.grads = {f32({0x1.fffffep127f, 1})}, .inv_scale = 2.0f});
    auto half = session.amp().unscale({.grads = {f16({60000, 32752, 32768})}, .inv_scale = 2.0f});

    expect_bits(single.grads.at(0), f32({kInf, 2}));
    expect_bits(single.found_inf, 0.0f);
    expect_bits(half.grads.at(0), f16({kInf, 65504, kInf}));
    expect_bits(half.found_inf, 0.0f);
  });
}

}  // namespace assay::suites
