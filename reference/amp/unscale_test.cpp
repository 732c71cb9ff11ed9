// The unscale operator: test vectors on both devices, layouts, flags and checks.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>

#include "reference/amp/operators.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

constexpr std::optional<std::uint64_t> kAnyNaN = std::nullopt;

struct Vector {
  const char* id;
  ScalarType dtype;
  std::uint64_t grad;
  std::uint32_t inv_scale;
  std::optional<std::uint64_t> wanted;
  double flag_on_cpu;
  double flag_on_cuda;
};

void PrintTo(const Vector& vector, std::ostream* out) { *out << vector.id; }

const Vector kVectors[] = {
    {"G01", ScalarType::kFloat, 0x40800000, 0x3e800000, 0x3f800000, 0, 0},
    {"G02", ScalarType::kFloat, 0x7f800000, 0x3e800000, 0x7f800000, 1, 1},
    {"G03", ScalarType::kFloat, 0xff800000, 0x3e800000, 0xff800000, 1, 1},
    {"G04", ScalarType::kFloat, 0x7fc00000, 0x3e800000, kAnyNaN, 1, 1},
    {"G05", ScalarType::kFloat, 0x7f800000, 0x00000000, kAnyNaN, 1, 1},
    {"G06", ScalarType::kFloat, 0xc0800000, 0x00000000, 0x80000000, 0, 0},
    {"G07", ScalarType::kFloat, 0x00000000, 0x7f800000, kAnyNaN, 0, 0},
    {"G08", ScalarType::kFloat, 0x40800000, 0x7f800000, 0x7f800000, 0, 0},
    {"G09", ScalarType::kFloat, 0x40800000, 0x7fc00000, kAnyNaN, 0, 0},
    {"G10", ScalarType::kFloat, 0x7f7fffff, 0x40000000, 0x7f800000, 0, 0},
    {"G11", ScalarType::kFloat, 0x7f7fffff, 0x3f800000, 0x7f7fffff, 0, 0},
    {"G12", ScalarType::kFloat, 0x7f800000, 0x3f800000, 0x7f800000, 1, 1},
    {"G13", ScalarType::kFloat, 0x00000001, 0x3f000000, 0x00000000, 0, 0},
    {"G14", ScalarType::kFloat, 0x00000003, 0x3f000000, 0x00000002, 0, 0},
    {"G15", ScalarType::kFloat, 0x00800000, 0x3f000000, 0x00400000, 0, 0},
    {"G16", ScalarType::kFloat, 0x80000000, 0x3e800000, 0x80000000, 0, 0},
    {"G17", ScalarType::kFloat, 0x40a00000, 0x3eaaaaab, 0x3fd55556, 0, 0},
    {"G18", ScalarType::kFloat, 0x41100000, 0x3dcccccd, 0x3f666667, 0, 0},
    {"G19", ScalarType::kFloat, 0x41880000, 0x3abb3ee7, 0x3cc6f2d5, 0, 0},
    {"G20", ScalarType::kFloat, 0xbf800000, 0xbe000000, 0x3e000000, 0, 0},
    {"G21", ScalarType::kHalf, 0x4400, 0x3e800000, 0x3c00, 0, 0},
    {"G22", ScalarType::kHalf, 0x7bff, 0x3e800000, 0x73ff, 0, 0},
    {"G23", ScalarType::kHalf, 0x7c00, 0x3e800000, 0x7c00, 1, 1},
    {"G24", ScalarType::kHalf, 0x7e00, 0x3e800000, kAnyNaN, 1, 1},
    {"G25", ScalarType::kHalf, 0x7bff, 0x40000000, 0x7c00, 0, 0},
    {"G26", ScalarType::kHalf, 0x7bff, 0x3f800000, 0x7bff, 0, 0},
    {"G27", ScalarType::kHalf, 0x0001, 0x3f000000, 0x0000, 0, 0},
    {"G28", ScalarType::kHalf, 0x0003, 0x3f000000, 0x0002, 0, 0},
    {"G29", ScalarType::kHalf, 0x3c00, 0x37800000, 0x0100, 0, 0},
    {"G30", ScalarType::kHalf, 0x3c00, 0x33000000, 0x0000, 0, 0},
    {"G31", ScalarType::kHalf, 0x3c00, 0x33000001, 0x0001, 0, 0},
    {"G32", ScalarType::kHalf, 0x0005, 0x3dcccccd, 0x0000, 0, 0},
    {"G33", ScalarType::kHalf, 0x0096, 0x3c23d70a, 0x0002, 0, 0},
    {"G34", ScalarType::kHalf, 0x0e59, 0x3a83126f, 0x0007, 0, 0},
    {"G35", ScalarType::kHalf, 0xfc00, 0x3f800000, 0xfc00, 1, 1},
    {"G36", ScalarType::kBFloat16, 0x4080, 0x3e800000, 0x3f80, 0, 0},
    {"G37", ScalarType::kBFloat16, 0x7f80, 0x3e800000, 0x7f80, 1, 1},
    {"G38", ScalarType::kBFloat16, 0x7fc0, 0x3e800000, kAnyNaN, 1, 1},
    {"G39", ScalarType::kBFloat16, 0x7f7f, 0x40000000, 0x7f80, 0, 0},
    {"G40", ScalarType::kBFloat16, 0x0001, 0x3f000000, 0x0000, 0, 0},
    {"G41", ScalarType::kBFloat16, 0x00c2, 0x3eaaaaab, 0x0041, 0, 0},
    {"G42", ScalarType::kBFloat16, 0x030d, 0x3a83126f, 0x0005, 0, 0},
    {"G43", ScalarType::kDouble, 0x4008000000000000, 0x3eaaaaab, 0x3ff0000008000000, 0, 0},
    {"G44", ScalarType::kDouble, 0x7e37e43c8800759c, 0x3e800000, 0x7e17e43c8800759c, 0, 1},
    {"G45", ScalarType::kDouble, 0x47effffff0000000, 0x3e800000, 0x47cffffff0000000, 0, 1},
    {"G46", ScalarType::kDouble, 0x47efffffefffffff, 0x3e800000, 0x47cfffffefffffff, 0, 0},
    {"G47", ScalarType::kDouble, 0xc8078287f49c4a1d, 0x3e800000, 0xc7e78287f49c4a1d, 0, 1},
    {"G48", ScalarType::kDouble, 0x7ff0000000000000, 0x3e800000, 0x7ff0000000000000, 1, 1},
    {"G49", ScalarType::kDouble, 0x01a56e1fc2f8f359, 0x3e800000, 0x01856e1fc2f8f359, 0, 0},
};

class UnscaleVectors : public testing::TestWithParam<Vector> {
 protected:
  static void expect_on(Device device, double wanted_flag) {
    const Vector& vector = GetParam();
    Runtime runtime;
    const Tensor grad = empty(runtime, {1}, vector.dtype, device);
    set_bits_at(grad, 0, vector.grad);
    const Tensor found_inf = scalar_tensor(runtime, 0, ScalarType::kFloat, device);
    const Tensor inv_scale = scalar_tensor(runtime, 0, ScalarType::kFloat, device);
    set_bits_at(inv_scale, 0, vector.inv_scale);

    amp_unscale_(runtime, {{grad}, found_inf, inv_scale});

    if (vector.wanted) {
      EXPECT_EQ(bits_at(grad, 0), *vector.wanted);
    } else {
      EXPECT_TRUE(std::isnan(real_at(grad, 0)));
    }
    EXPECT_EQ(real_at(found_inf, 0), wanted_flag);
  }
};

TEST_P(UnscaleVectors, HoldOnTheCpu) { expect_on(kCpuDevice, GetParam().flag_on_cpu); }

TEST_P(UnscaleVectors, HoldOnCuda) {
  if (GetParam().dtype == ScalarType::kBFloat16) return;  // rejected on CUDA (AMP-212)
  expect_on(cuda_device(0), GetParam().flag_on_cuda);
}

INSTANTIATE_TEST_SUITE_P(Spec, UnscaleVectors, testing::ValuesIn(kVectors),
                         [](const auto& tested) { return tested.param.id; });

class Unscale : public testing::Test {
 protected:
  Tensor make(const std::vector<double>& values, Device device = cuda_device(0)) {
    const auto count = static_cast<std::int64_t>(values.size());
    Tensor tensor = empty(runtime_, {count}, ScalarType::kFloat, device);
    for (std::int64_t i = 0; i < count; ++i) {
      set_real_at(tensor, i, values[static_cast<std::size_t>(i)]);
    }
    return tensor;
  }
  Tensor scalar(double value, Device device = cuda_device(0)) {
    return scalar_tensor(runtime_, value, ScalarType::kFloat, device);
  }

  Runtime runtime_;
};

TEST_F(Unscale, MultipliesTheNeighboursOfABadElement) {
  const Tensor grad = make({4, INFINITY, 8});
  const Tensor flag = scalar(0);

  amp_unscale_(runtime_, {{grad}, flag, scalar(0.25)});

  EXPECT_EQ(real_at(grad, 0), 1);
  EXPECT_TRUE(std::isinf(real_at(grad, 1)));
  EXPECT_EQ(real_at(grad, 2), 2);
  EXPECT_EQ(real_at(flag, 0), 1);
}

TEST_F(Unscale, TouchesOnlyTheView) {
  const Tensor base = full(runtime_, {20, 20}, 4, ScalarType::kFloat, cuda_device(0));
  set_real_at(base, 7, INFINITY);
  const Tensor flag = scalar(0);

  amp_unscale_(runtime_, {{as_strided(base, {20, 5}, {20, 1})}, flag, scalar(0.25)});

  EXPECT_EQ(real_at(flag, 0), 0);
  EXPECT_EQ(real_at(base, 4), 1);
  EXPECT_EQ(real_at(base, 5), 4);
  EXPECT_EQ(runtime_.counters().launches, 1);
}

TEST_F(Unscale, LooksAtNothingWhenTheListIsEmpty) {
  const Tensor flag = scalar_tensor(runtime_, 3, ScalarType::kInt, cuda_device(0));

  amp_unscale_(runtime_, {{}, flag, scalar(0.25)});

  EXPECT_EQ(integer_at(flag, 0), 3);
  EXPECT_EQ(runtime_.counters().launches, 0);
}

TEST_F(Unscale, LeavesAnEmptyTailUnlaunchedBeforeRelease2_1) {
  runtime_.set_contract({.release = Release::k1_13});
  const Tensor grad = make({INFINITY});
  const Tensor flag = scalar(0);

  amp_unscale_(runtime_, {{grad, make({})}, flag, scalar(0.25)});

  EXPECT_EQ(real_at(flag, 0), 0);
}

TEST_F(Unscale, RefusesAnExpandedTensor) {
  const Tensor grad = expand(make({1}), {3});

  EXPECT_THROW(amp_unscale_(runtime_, {{grad}, scalar(0), scalar(1)}), Error);
}

TEST_F(Unscale, NamesBothDevicesOfAMixedList) {
  try {
    amp_unscale_(runtime_, {{make({1}), make({1}, cuda_device(1))}, scalar(0), scalar(1)});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("same device"), std::string::npos);
    EXPECT_NE(error.message().find("cuda:0"), std::string::npos);
    EXPECT_NE(error.message().find("cuda:1"), std::string::npos);
  }
}

TEST_F(Unscale, ProcessesTensorsOfOtherDtypesAlone) {
  const Tensor half = full(runtime_, {1}, 4, ScalarType::kHalf, cuda_device(0));
  const Tensor grad = make({4});

  amp_unscale_(runtime_, {{grad, half}, scalar(0), scalar(0.25)});

  EXPECT_EQ(real_at(grad, 0), 1);
  EXPECT_EQ(real_at(half, 0), 1);
  EXPECT_EQ(runtime_.counters().launches, 2);
}

TEST_F(Unscale, LeavesTheInputsOfTheFunctionalFormAlone) {
  const Tensor grad = make({INFINITY});
  const Tensor flag = scalar(0);

  const UnscaleResult result = amp_unscale(runtime_, {{grad}, flag, scalar(0.25)});

  EXPECT_EQ(real_at(flag, 0), 0);
  EXPECT_EQ(real_at(result.found_inf, 0), 1);
}

TEST_F(Unscale, HasNoCpuKernelIn1_13) {
  runtime_.set_contract({.release = Release::k1_13});

  try {
    amp_unscale_(runtime_, {{}, scalar(0, kCpuDevice), scalar(1, kCpuDevice)});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNotImplemented);
  }
}

}  // namespace

}  // namespace assay::reference
