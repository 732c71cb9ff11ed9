// The inverse of the scale, observed through gradients of one: the vectors I01 to I18.
#include <bit>

#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

struct InverseRow {
  const char* id;
  std::uint32_t scale;
  std::uint32_t inverse;
};

constexpr InverseRow kInverses[] = {
    {"I01", 0x3f800000, 0x3f800000}, {"I02", 0x47800000, 0x37800000},
    {"I03", 0x40400000, 0x3eaaaaab}, {"I04", 0x3dcccccd, 0x41200000},
    {"I05", 0x447a0000, 0x3a83126f}, {"I06", 0x478ccccd, 0x3768ba2e},
    {"I07", 0xc1000000, 0xbe000000}, {"I08", 0x7e800000, 0x00800000},
    {"I09", 0x7f000000, 0x00400000}, {"I10", 0x7f7fffff, 0x00200000},
    {"I11", 0x7f800000, 0x00000000}, {"I12", 0x00000000, 0x7f800000},
    {"I13", 0x80000000, 0xff800000}, {"I14", 0x00200000, 0x7f800000},
    {"I15", 0x00200001, 0x7f7ffff8}, {"I16", 0x00400000, 0x7f000000},
    {"I17", 0x00000001, 0x7f800000}, {"I18", 0x7fc00000, 0x7fc00000},
};

/// The gradient after unscale_ with that scale.
Value unscaled(Session& subject, double scale, const TensorValue& grad) {
  auto scaler = ready(subject);
  const Tensor param = parameter(subject, f32({1}), grad);
  auto optimizer = sgd(subject, {param});
  scaler.update(scale);

  scaler.unscale_(optimizer);

  expect_flags(scaler, optimizer, {0});
  return param.grad();
}

}  // namespace

CASES("scaler/inverse") {
  scaling("a_gradient_of_one_becomes_the_inverse_of_the_scale", {"SCL-202"}, [](Session& subject) {
    for (const auto& row : kInverses) {
      const ScopedTrace at(row.id);
      const float scale = std::bit_cast<float>(row.scale);
      expect_bits(unscaled(subject, scale, f32({1})), f32_bits({row.inverse}));
    }
  }).unless(Property::kFlushesSubnormals);

  scaling("the_inverse_of_the_initial_scale_is_the_same", {"SCL-202"}, [](Session& subject) {
    for (const auto& row : kInverses) {
      const ScopedTrace at(row.id);
      auto scaler = ready(subject, {.init_scale = std::bit_cast<float>(row.scale)});
      const Tensor param = parameter(subject, 1, 1);

      scaler.unscale_(sgd(subject, {param}));

      expect_bits(param.grad(), f32_bits({row.inverse}));
    }
  }).unless(Property::kFlushesSubnormals);

  scaling("gradients_are_multiplied_by_the_inverse_not_divided_by_the_scale",
          {"SCL-202", "SCL-204"}, [](Session& subject) {
            expect_bits(unscaled(subject, 3, f32({5})), f32_bits({0x3fd55556}));
            expect_bits(unscaled(subject, 10, f32({9})), f32_bits({0x3f666667}));
            expect_bits(unscaled(subject, 700, f32({17})), f32_bits({0x3cc6f2d5}));
          });

  scaling("a_float64_gradient_meets_the_float32_inverse", {"SCL-202"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 3});
    const Tensor param = parameter(subject, f64({1}), f64({3}));

    scaler.unscale_(sgd(subject, {param}));

    expect_bits(param.grad(), from_bits(Dtype::kFloat64, {0x3ff0000008000000}));
  });
}

}  // namespace assay::suites
