// Update of the scale on tensors: shapes, bits of flags, and return values.
#include "suites/amp/support.hpp"

namespace assay::suites {

CASES("amp/update_scale") {
  kernel_case("keeps_dtype_and_shape_of_its_tensors", {"AMP-101", "AMP-118"}, [](Session& session) {
    const std::vector<std::vector<std::int64_t>> shapes = {{}, {1}, {1, 1, 1}};
    for (const auto& left : shapes) {
      for (const auto& middle : shapes) {
        for (const auto& right : shapes) {
          const auto result =
              session.amp().update_scale({.scale = shaped(scalar_of(Dtype::kFloat32, 4), left),
                                          .tracker = shaped(scalar_of(Dtype::kInt32, 1), middle),
                                          .found_inf = shaped(scalar_of(Dtype::kFloat32, 0), right),
                                          .backoff = 0.25,
                                          .interval = 2});

          expect_bits(result.scale, shaped(scalar_of(Dtype::kFloat32, 8), left));
          expect_bits(result.tracker, shaped(scalar_of(Dtype::kInt32, 0), middle));
          expect_bits(result.found_inf, shaped(scalar_of(Dtype::kFloat32, 0), right));
        }
      }
    }
  });

  kernel_case("only_reads_the_flag", {"AMP-101"},
              [](Session& session) {
                for (const std::uint32_t bits : {0x00000000u, 0x80000000u, 0x3f800000u, 0x40000000u,
                                                 0x7f800000u, 0xffc00000u, 0x00000001u}) {
                  const TensorValue flag = scalar_bits(Dtype::kFloat32, bits);

                  const auto result =
                      session.amp().update_scale({.found_inf = flag, .interval = 1});

                  expect_exact_bits(result.found_inf, flag);
                }
              })
      .reach(Reach::kArguments)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag);

  kernel_case("takes_a_flag_of_every_nan", {"AMP-102"},
              [](Session& session) {
                for (const std::uint64_t bits : non_finite_bits(Dtype::kFloat32)) {
                  const auto result =
                      session.amp().update_scale({.scale = scalar_of(Dtype::kFloat32, 8),
                                                  .tracker = scalar_of(Dtype::kInt32, 3),
                                                  .found_inf = scalar_bits(Dtype::kFloat32, bits),
                                                  .interval = 4});

                  expect_bits(result.scale, scalar_of(Dtype::kFloat32, 4));
                  expect_bits(result.tracker, scalar_of(Dtype::kInt32, 0));
                }
              })
      .reach(Reach::kArguments)
      .unless(Property::kBoolFlag);

  kernel_case("returns_the_scale_itself", {"AMP-101"}, [](Session& session) {
    expect_true(session.amp().update_scale({.found_inf = 0.0f}).same(),
                "a waiting update returns the scale itself");
    expect_true(session.amp().update_scale({.found_inf = 1.0f}).same(),
                "a backoff returns the scale itself");
    expect_true(session.amp().update_scale({.interval = 1}).same(),
                "a growth returns the scale itself");
  });
}

}  // namespace assay::suites
