// Aliases: the same tensor twice in one call.
#include "harness/suite/itself.hpp"
#include "suites/amp/support.hpp"

namespace assay::suites {

CASES("amp/aliases") {
  kernel_case("of_the_scale_as_flag_back_off_a_scale_that_is_not_zero", {"AMP-119"},
              [](Session& session) {
                for (const float before : {4.0f, -4.0f, 0x1p-149f}) {
                  const std::string scale = named(session, scalar_of(Dtype::kFloat32, before));

                  const auto result = session.amp().update_scale(
                      {.scale = Ref{scale}, .tracker = 6, .found_inf = Ref{scale}, .interval = 7});

                  expect_bits(read(session, scale),
                              scalar_of(Dtype::kFloat32, before == 0x1p-149f ? 0 : before / 2));
                  expect_equal(result.tracker, 0);
                }
              })
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag);

  kernel_case("of_the_scale_as_flag_count_on_when_it_is_zero", {"AMP-119"}, [](Session& session) {
    const std::string scale = named(session, scalar_of(Dtype::kFloat32, 0));

    const auto result = session.amp().update_scale(
        {.scale = Ref{scale}, .tracker = 3, .found_inf = Ref{scale}, .interval = 7});

    expect_bits(read(session, scale), scalar_of(Dtype::kFloat32, 0));
    expect_equal(result.tracker, 4);
  });

  kernel_case("of_one_tensor_are_unscaled_in_order_on_a_cpu", {"AMP-214", "AMP-313"},
              [](Session& session) {
                expect_cpu_itself(session);
                const std::string grad = named(session, f32({16, 32}));

                session.amp().unscale({.grads = {Ref{grad}, Ref{grad}}, .inv_scale = 0.25f});

                expect_bits(read(session, grad), f32({1, 2}));
              })
      .only(DeviceRules::kCpu);

  kernel_case("that_overlap_are_each_unscaled_on_a_cpu", {"AMP-214", "AMP-313"},
              [](Session& session) {
                expect_cpu_itself(session);
                const std::string base = named(session, f32({16, 16, 16}));
                const std::string left = view_of(session, base, {{2}, {1}, 0});
                const std::string right = view_of(session, base, {{2}, {1}, 1});

                const auto result =
                    session.amp().unscale({.grads = {Ref{left}, Ref{right}}, .inv_scale = 0.25f});

                expect_bits(read(session, base), f32({4, 1, 4}));
                expect_bits(result.found_inf, 0.0f);
              })
      .only(DeviceRules::kCpu);

  kernel_case(
      "of_the_inverse_change_it_for_what_comes_after_on_a_cpu", {"AMP-214"},
      [](Session& session) {
        expect_cpu_itself(session);
        const std::string inverse = named(session, scalar_of(Dtype::kFloat32, 0.5));
        const std::string grad = named(session, f32({8, 16}));

        session.amp().unscale({.grads = {Ref{inverse}, Ref{grad}}, .inv_scale = Ref{inverse}});

        expect_bits(read(session, inverse), scalar_of(Dtype::kFloat32, 0.25));
        expect_bits(read(session, grad), f32({2, 4}));
      })
      .only(DeviceRules::kCpu);

  // Twice 65504 overflows to inf, which the second visit detects.
  kernel_case("are_checked_again_at_each_visit_on_a_cpu", {"AMP-214", "AMP-313"},
              [](Session& session) {
                expect_cpu_itself(session);
                const std::string grad = named(session, f16({65504}));

                const auto result =
                    session.amp().unscale({.grads = {Ref{grad}, Ref{grad}}, .inv_scale = 2.0f});

                expect_bits(result.found_inf, 1.0f);
              })
      .only(DeviceRules::kCpu);

  kernel_case("of_one_tensor_are_unscaled_once_or_twice_on_an_accelerator", {"AMP-214"},
              [](Session& session) {
                const std::string grad = named(session, f32({16}));

                session.amp().unscale({.grads = {Ref{grad}, Ref{grad}}, .inv_scale = 0.25f});

                const double after = read(session, grad).real_at(0);
                expect_true(after == 4.0 || after == 1.0, "16 becomes 4 or 1");
              })
      .only(DeviceRules::kCuda);
}

}  // namespace assay::suites
