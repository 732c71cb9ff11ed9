// Trajectories T1 to T4: every column of every iteration, bit for bit.
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// One iteration: scale and tracker before, gradient, scaled gradient, flag, unscaled gradient,
/// step taken, parameter, scale and tracker after. The second elements are for a second parameter.
struct Row {
  std::uint32_t scale;
  std::int64_t tracker;
  std::array<std::uint32_t, 2> grad;
  std::array<std::uint32_t, 2> scaled;
  int flag;
  std::array<std::uint32_t, 2> unscaled;
  bool stepped;
  std::array<std::uint32_t, 2> param;
  std::uint32_t new_scale;
  std::int64_t new_tracker;
};

constexpr Row kT1[] = {
    {0x47800000, 0, {0x3f800000}, {0x7c00}, 1, {0x7f800000}, false, {0x3f800000}, 0x47000000, 0},
    {0x47000000, 0, {0x3f800000}, {0x7800}, 0, {0x3f800000}, true, {0x3f400000}, 0x47000000, 1},
    {0x47000000, 1, {0x3f000000}, {0x7400}, 0, {0x3f000000}, true, {0x3f200000}, 0x47000000, 2},
    {0x47000000, 2, {0xbe800000}, {0xf000}, 0, {0xbe800000}, true, {0x3f300000}, 0x47800000, 0},
    {0x47800000, 0, {0x3f800000}, {0x7c00}, 1, {0x7f800000}, false, {0x3f300000}, 0x47000000, 0},
    {0x47000000, 0, {0x3dcccccd}, {0x6a66}, 0, {0x3dccc000}, true, {0x3f299a00}, 0x47000000, 1},
    {0x47000000, 1, {0x33800000}, {0x1800}, 0, {0x33800000}, true, {0x3f299a00}, 0x47000000, 2},
    {0x47000000, 2, {0x2b800000}, {0x0000}, 0, {0x00000000}, true, {0x3f299a00}, 0x47800000, 0},
    {0x47800000, 0, {0x3f7fbe77}, {0x7bfe}, 0, {0x3f7fc000}, true, {0x3ed35400}, 0x47800000, 1},
    {0x47800000, 1, {0x3f7ff045}, {0x7c00}, 1, {0x7f800000}, false, {0x3ed35400}, 0x47000000, 0},
    {0x47000000, 0, {0x7fc00000}, {0x7e00}, 1, {0x7fc00000}, false, {0x3ed35400}, 0x46800000, 0},
    {0x46800000, 0, {0xc0600000}, {0xfb00}, 0, {0xc0600000}, true, {0x3fa4d500}, 0x46800000, 1},
    {0x46800000, 1, {0xc0800000}, {0xfc00}, 1, {0xff800000}, false, {0x3fa4d500}, 0x46000000, 0},
    {0x46000000, 0, {0x3e99999a}, {0x68cd}, 0, {0x3e99a000}, true, {0x3f9b3b00}, 0x46000000, 1},
    {0x46000000, 1, {0x3e99999a}, {0x68cd}, 0, {0x3e99a000}, true, {0x3f91a100}, 0x46000000, 2},
    {0x46000000, 2, {0x3e99999a}, {0x68cd}, 0, {0x3e99a000}, true, {0x3f880700}, 0x46800000, 0},
};

constexpr Row kT2[] = {
    {0x447a0000,
     0,
     {0x3dcccccd, 0x3f333333},
     {0x42c80000, 0x442f0000},
     0,
     {0x3dcccccd, 0x3f333334},
     true,
     {0x3f7ccccd, 0xc005999a},
     0x447a0000,
     1},
    {0x447a0000,
     1,
     {0x3e99999a, 0xbf666666},
     {0x43960000, 0xc4610000},
     0,
     {0x3e99999a, 0xbf666667},
     true,
     {0x3f733333, 0xbffcccce},
     0x44898000,
     0},
    {0x44898000,
     0,
     {0x3dcccccd, 0x3f333333},
     {0x42dc0000, 0x44408000},
     0,
     {0x3dcccccd, 0x3f333333},
     true,
     {0x3f700000, 0xc0040001},
     0x44898000,
     1},
    {0x44898000,
     1,
     {0x7f800000, 0x3f800000},
     {0x7f800000, 0x44898000},
     1,
     {0x7f800000, 0x3f800000},
     false,
     {0x3f700000, 0xc0040001},
     0x44408000,
     0},
    {0x44408000,
     0,
     {0x3e99999a, 0xbf666666},
     {0x43670001, 0xc42d4000},
     0,
     {0x3e99999a, 0xbf666666},
     true,
     {0x3f666666, 0xbff9999c},
     0x44408000,
     1},
    {0x44408000,
     1,
     {0x3a83126f, 0x447a0000},
     {0x3f451eb9, 0x493bfd00},
     0,
     {0x3a83126f, 0x447a0000},
     true,
     {0x3f665e35, 0xc2fde666},
     0x4453c000,
     0},
    {0x4453c000,
     0,
     {0x40a00000, 0x40e00000},
     {0x45845800, 0x45b94800},
     0,
     {0x40a00000, 0x40e00000},
     true,
     {0x3e8cbc6a, 0xc2ffa666},
     0x4453c000,
     1},
    {0x4453c000,
     1,
     {0x7fc00000, 0x7fc00000},
     {0x7fc00000, 0x7fc00000},
     1,
     {0x7fc00000, 0x7fc00000},
     false,
     {0x3e8cbc6a, 0xc2ffa666},
     0x4414399a,
     0},
    {0x4414399a,
     0,
     {0x3dcccccd, 0x3dcccccd},
     {0x426d28f7, 0x426d28f7},
     0,
     {0x3dcccccd, 0x3dcccccd},
     true,
     {0x3e865604, 0xc2ffaccc},
     0x4414399a,
     1},
    {0x4414399a,
     1,
     {0x3dcccccd, 0x3dcccccd},
     {0x426d28f7, 0x426d28f7},
     0,
     {0x3dcccccd, 0x3dcccccd},
     true,
     {0x3e7fdf3b, 0xc2ffb332},
     0x44230c29,
     0},
};

constexpr Row kT3[] = {
    {0x00000002,
     0,
     {0x7f800000},
     {0x7f800000},
     1,
     {0x7f800000},
     false,
     {0x3f800000},
     0x00000001,
     0},
    {0x00000001,
     0,
     {0x7f800000},
     {0x7f800000},
     1,
     {0x7f800000},
     false,
     {0x3f800000},
     0x00000000,
     0},
    {0x00000000,
     0,
     {0x7f800000},
     {0x7fc00000},
     1,
     {0x7fc00000},
     false,
     {0x3f800000},
     0x00000000,
     0},
    {0x00000000, 0, {0x3f000000}, {0x00000000}, 0, {0x7fc00000}, true, {0x7fc00000}, 0x00000000, 0},
    {0x00000000, 0, {0x3f000000}, {0x00000000}, 0, {0x7fc00000}, true, {0x7fc00000}, 0x00000000, 0},
};

constexpr Row kT4[] = {
    {0x7e000000, 0, {0x00000200}, {0x38000000}, 0, {0x00000200}, true, {0x3f800000}, 0x7e800000, 0},
    {0x7e800000, 0, {0x00000200}, {0x38800000}, 0, {0x00000200}, true, {0x3f800000}, 0x7f000000, 0},
    {0x7f000000, 0, {0x00000200}, {0x39000000}, 0, {0x00000200}, true, {0x3f800000}, 0x7f000000, 0},
    {0x7f000000,
     0,
     {0x40800000},
     {0x7f800000},
     1,
     {0x7f800000},
     false,
     {0x3f800000},
     0x7e800000,
     0},
    {0x7e800000, 0, {0x00000200}, {0x38800000}, 0, {0x00000200}, true, {0x3f800000}, 0x7f000000, 0},
};

struct Trajectory {
  ScalerOptions options;
  double lr;
  std::vector<double> start;
  Dtype narrowed;  ///< the dtype in which scaled gradients are stored temporarily
  std::span<const Row> rows;
};

const Trajectory kTrajectory1{
    {.init_scale = 65536, .growth_interval = 3}, 0.25, {1}, Dtype::kFloat16, kT1};
const Trajectory kTrajectory2{
    {.init_scale = 1000, .growth_factor = 1.1, .backoff_factor = 0.7, .growth_interval = 2},
    0.125,
    {1, -2},
    Dtype::kFloat32,
    kT2};
const Trajectory kTrajectory3{
    {.init_scale = 0x1p-148, .growth_interval = 1}, 0.25, {1}, Dtype::kFloat32, kT3};
const Trajectory kTrajectory4{
    {.init_scale = 0x1p125, .growth_interval = 1}, 0.25, {1}, Dtype::kFloat32, kT4};

TensorValue tensor(Dtype dtype, const std::array<std::uint32_t, 2>& bits, std::size_t count) {
  return from_bits(dtype, {bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(count)});
}

Value convert(Session& subject, const Value& value, Dtype dtype) {
  return field(subject.send("core.to", {{"tensor", value}, {"dtype", dtype}}), "result");
}

struct Loop {
  Session& subject;
  ScalerHandle scaler;
  Tensor param;
  OptimizerHandle optimizer;
  Dtype narrowed;
  std::size_t elements;

  Loop(Session& session, const Trajectory& trajectory, const std::string& mode)
      : subject(session),
        scaler(session.scaler().make(trajectory.options)),
        param(parameter(session, f32(trajectory.start))),
        optimizer(sgd(session, {param}, trajectory.lr, mode)),
        narrowed(trajectory.narrowed),
        elements(trajectory.start.size()) {}

  TensorValue f32_of(const std::array<std::uint32_t, 2>& bits) const {
    return tensor(Dtype::kFloat32, bits, elements);
  }

  void run(const Row& row, bool unscales_by_itself) const {
    const Value scaled = convert(subject, scaler.scale(f32_of(row.grad)), narrowed);
    expect_bits(scaled, tensor(narrowed, row.scaled, elements));
    expect_scale_bits(scaler, row.scale);
    expect_tracker(scaler, row.tracker);
    param.set_grad(convert(subject, scaled, Dtype::kFloat32));

    if (unscales_by_itself) scaler.unscale_(optimizer);
    const std::int64_t calls = optimizer.calls();
    scaler.step(optimizer);
    expect_flags(scaler, optimizer, {static_cast<double>(row.flag)});
    expect_bits(param.grad(), f32_of(row.unscaled));
    expect_equal(optimizer.calls() - calls, std::int64_t{row.stepped ? 1 : 0});
    expect_bits(param.read(), f32_of(row.param));

    scaler.update();
    expect_scale_bits(scaler, row.new_scale);
    expect_tracker(scaler, row.new_tracker);
  }
};

void run(Session& subject, const Trajectory& trajectory, const std::string& mode = "plain") {
  const Loop loop(subject, trajectory, mode);
  for (std::size_t k = 0; k < trajectory.rows.size(); ++k) {
    const ScopedTrace at("iteration " + std::to_string(k));
    loop.run(trajectory.rows[k], k % 2 == 0);
  }
}

}  // namespace

CASES("scaler/trajectories") {
  scaling("t1_narrowed_to_float16", {"SCL-801", "SCL-803"},
          [](Session& subject) { run(subject, kTrajectory1); });

  scaling("t1_with_a_foreach_optimizer", {"SCL-801", "SCL-709"},
          [](Session& subject) { run(subject, kTrajectory1, "foreach"); });

  scaling("t2_with_factors_that_are_no_powers_of_two", {"SCL-801", "SCL-802", "SCL-803"},
          [](Session& subject) { run(subject, kTrajectory2); })
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);

  scaling("t3_the_scale_dies_and_the_flag_no_longer_protects", {"SCL-801", "SCL-202"},
          [](Session& subject) { run(subject, kTrajectory3); })
      .reach(Reach::kState)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);

  scaling("t4_growth_is_refused_at_the_largest_power", {"SCL-801"},
          [](Session& subject) { run(subject, kTrajectory4); })
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale)
      .since(Release::k2_4);

  scaling("t4_the_scale_became_infinite_before_2_1", {"SCL-801"},
          [](Session& subject) {
            const Loop loop(subject, kTrajectory4, "plain");
            loop.run(kT4[0], true);
            loop.run(kT4[1], false);

            for (const float grad : {0x1p-140F, 0.0F, 1.0F}) {
              loop.param.set_grad(loop.scaler.scale(f32({grad})));
              loop.scaler.step(loop.optimizer);
              loop.scaler.update();
              expect_scale_bits(loop.scaler, 0x7f800000);
            }
            expect_bits(loop.param.read(), f32({1}));
          })
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale)
      .until(Release::k1_13);

  scaling("a_power_of_two_scale_does_not_show_in_the_parameters", {"SCL-803"},
          [](Session& subject) {
            const std::uint32_t grads[] = {0x3dcccccd, 0xbf666666, 0x3e99999a, 0x3f333333};
            // The loop in float32 without scaling: products with 0.25 are exact.
            float wanted = 1;
            for (const std::uint32_t bits : grads) wanted -= 0.25F * std::bit_cast<float>(bits);

            for (int exponent = -20; exponent <= 20; exponent += 4) {
              const ScopedTrace at("scale 2^" + std::to_string(exponent));
              auto scaler = subject.scaler().make(
                  {.init_scale = std::ldexp(1.0, exponent), .growth_interval = 2});
              const Tensor param = parameter(subject, f32({1}));
              auto optimizer = sgd(subject, {param});
              for (const std::uint32_t bits : grads) {
                param.set_grad(scaler.scale(f32_bits({bits})));
                scaler.step(optimizer);
                scaler.update();
              }
              expect_bits(param.read(), f32_bits({std::bit_cast<std::uint32_t>(wanted)}));
              expect_scale(scaler, std::ldexp(4.0F, exponent));
            }
          });
}

}  // namespace assay::suites
