// Tests unscale on both devices, its plan of launches, and that it allocates nothing.
#include "cuda_impl/amp/unscale.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);

/// Random bits without NaN, whose payload is unspecified (AMP-210).
std::vector<std::byte> random_elements(Dtype dtype, std::int64_t count, unsigned seed) {
  std::mt19937 bits(seed);
  const std::size_t width = size_bytes(dtype);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * width);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_top = i % width == width - 1;
    bytes[i] = static_cast<std::byte>(bits() & (is_top ? 0xb7u : 0xffu));
  }
  return bytes;
}

Tensor made_of(const std::vector<std::byte>& bytes, Dtype dtype, Device device) {
  const Tensor tensor =
      empty({static_cast<std::int64_t>(bytes.size() / size_bytes(dtype))}, dtype, device);
  write_elements(tensor, bytes.data());
  return tensor;
}

Tensor flag_on(Device device) { return full({}, 0, Dtype::kFloat32, device); }
Tensor inverse_on(Device device, float value) {
  return full({}, static_cast<double>(value), Dtype::kFloat32, device);
}

struct View {
  std::int64_t offset;
  std::int64_t length;
};

/// Returns the bytes of the whole base tensor after the unscale, followed by the flag.
std::vector<std::byte> unscaled_base(Dtype dtype, const View& view, Device device) {
  const Tensor base = made_of(random_elements(dtype, 64, 7), dtype, device);
  const std::vector<Tensor> grads = {as_strided(base, {view.length}, {1}, view.offset)};
  const Tensor flag = flag_on(device);

  amp_unscale_(Contract{}, {grads, flag, inverse_on(device, 0.3f)});

  std::vector<std::byte> after = read_elements(base);
  const std::vector<std::byte> raised = read_elements(flag);
  after.insert(after.end(), raised.begin(), raised.end());
  return after;
}

class UnscaleOf : public testing::TestWithParam<Dtype> {};

TEST_P(UnscaleOf, ViewsOfAnyAlignmentTouchesTheirElementsOnly) {
  for (std::int64_t offset = 0; offset < 9; ++offset) {
    for (const std::int64_t length : {1, 2, 3, 7, 8, 9, 16, 17, 31, 47}) {
      EXPECT_EQ(unscaled_base(GetParam(), {offset, length}, kDevice),
                unscaled_base(GetParam(), {offset, length}, kCpu))
          << "offset " << offset << ", length " << length;
    }
  }
}

TEST_P(UnscaleOf, TensorsOfManyChunksIsThatOfTheHost) {
  const std::vector<std::byte> bytes = random_elements(GetParam(), 70001, 3);
  std::vector<std::byte> results[2];
  for (const bool on_device : {false, true}) {
    const Device device = on_device ? kDevice : kCpu;
    const Tensor grad = made_of(bytes, GetParam(), device);
    amp_unscale_(Contract{}, {{&grad, 1}, flag_on(device), inverse_on(device, 0.7f)});
    results[on_device ? 1 : 0] = read_elements(grad);
  }
  EXPECT_EQ(results[0], results[1]);
}

INSTANTIATE_TEST_SUITE_P(Gradients, UnscaleOf,
                         testing::Values(Dtype::kFloat16, Dtype::kFloat32, Dtype::kFloat64),
                         [](const auto& dtype) { return std::string(facts(dtype.param).name); });

// The operator rejects bfloat16 (AMP-212), but benchmarks launch this kernel directly.
TEST(LaunchUnscale, TakesBfloat16) {
  const std::vector<std::byte> bytes = random_elements(Dtype::kBFloat16, 5000, 11);
  const Tensor on_host = made_of(bytes, Dtype::kBFloat16, kCpu);
  const Tensor on_device = made_of(bytes, Dtype::kBFloat16, kDevice);
  const Tensor inverse = inverse_on(kDevice, 0.3f);
  const Tensor flag = flag_on(kDevice);

  amp_unscale_(Contract{}, {{&on_host, 1}, flag_on(kCpu), inverse_on(kCpu, 0.3f)});
  const TensorRow<1> row{{on_device.data()}, on_device.numel()};
  launch_unscale(Dtype::kBFloat16, {&row, 1}, {inverse.data_as<float>(), flag.data_as<float>()});

  EXPECT_EQ(read_elements(on_device), read_elements(on_host));
}

struct LimitCase {
  std::size_t bytes;
  std::int64_t launches;  ///< expected for 1000 tensors
};
class ParameterLimit : public testing::TestWithParam<LimitCase> {};

TEST_P(ParameterLimit, CutsAListAndLosesNothing) {
  constexpr std::size_t kTensors = 1000;
  std::vector<Tensor> grads;
  for (std::size_t i = 0; i < kTensors; ++i)
    grads.push_back(full({3}, static_cast<double>(i), Dtype::kFloat32, kDevice));
  const Tensor flag = flag_on(kDevice);
  const Tensor inverse = inverse_on(kDevice, 0.5f);
  pretend_parameter_bytes(GetParam().bytes);
  const std::int64_t before = counters().launches;

  amp_unscale_(Contract{}, {grads, flag, inverse});

  const std::int64_t launches = counters().launches - before;
  pretend_parameter_bytes(std::nullopt);
  EXPECT_EQ(launches, GetParam().launches);
  for (std::size_t i = 0; i < kTensors; ++i) {
    const Tensor last = as_strided(grads[i], {}, {}, 2);
    ASSERT_EQ(read_number(last), static_cast<double>(i) / 2) << "tensor " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ParameterLimit,
                         testing::Values(LimitCase{kLargeParameters, 1},
                                         LimitCase{kSmallParameters, 9}),
                         [](const auto& limit) { return std::to_string(limit.param.bytes); });

TEST(Unscale, GroupsOtherTypesInOneLaunchEach) {
  std::vector<Tensor> grads;
  for (int i = 0; i < 20; ++i) {
    const Dtype dtype = i % 2 == 0 ? Dtype::kFloat32 : Dtype::kFloat16;
    grads.push_back(full({5}, 4, dtype, kDevice));
  }
  const Tensor flag = flag_on(kDevice);
  const Tensor inverse = inverse_on(kDevice, 0.5f);
  const std::int64_t before = counters().launches;

  amp_unscale_(Contract{}, {grads, flag, inverse});

  EXPECT_EQ(counters().launches - before, 2);
  for (const Tensor& grad : grads) EXPECT_EQ(read_number(as_strided(grad, {}, {}, 4)), 2);
}

TEST(Unscale, OfACubeWithGapsWalksItsElementsOnly) {
  const Tensor base = full({4, 5, 6}, 8, Dtype::kFloat32, kDevice);
  const Tensor inner = as_strided(base, {2, 3, 2}, {60, 6, 2}, 7);

  amp_unscale_(Contract{}, {{&inner, 1}, flag_on(kDevice), inverse_on(kDevice, 0.5f)});

  double sum = 0;
  for (std::int64_t i = 0; i < base.numel(); ++i) sum += read_number(as_strided(base, {}, {}, i));
  EXPECT_EQ(sum, 8 * (120 - 12) + 4 * 12);
  EXPECT_EQ(read_number(as_strided(base, {}, {}, 7 + 60 + 12 + 2)), 4);
}

using Counts = std::vector<std::int64_t>;

TEST(LaunchPlan, EndsInTheMiddleOfATensorThatFillsTheBlocks) {
  const auto plan = plan_launches(Counts{3 * kPlannedChunk + 1, 5}, {110, 2}, false);

  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0].tensor, 0u);
  EXPECT_EQ(plan[0].element, 2 * kPlannedChunk);
  EXPECT_EQ(plan[1].element, 3 * kPlannedChunk + 1);
  EXPECT_EQ(plan[2].tensor, 1u);
  EXPECT_EQ(plan[2].blocks, 1);
}

TEST(LaunchPlan, OfOldReleasesLosesOnlyTheLaunchThatIsBeingFilled) {
  Counts counts(112, 1);
  counts.back() = 0;

  const auto plan = plan_launches(counts, {}, true);

  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].tensor, 109u);
}

TEST(LaunchPlan, OfOldReleasesKeepsAnEmptyTensorThatIsNotTheLast) {
  const auto plan = plan_launches(Counts{4, 0, 4}, {}, true);

  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].blocks, 2);
}

using Rows = std::vector<TensorRow<1>>;
constexpr double kAHalf = 0.5;

class UnscaleAllocations : public ::testing::TestWithParam<std::int64_t> {
 protected:
  Device device_ = cuda_device(static_cast<int>(GetParam() % 2));
  Tensor flag_ = full({}, 0, Dtype::kFloat32, device_);
  Tensor inverse_ = full({}, 0.5, Dtype::kFloat32, device_);
  UnscaleScalars scalars_{inverse_.data_as<const float>(), flag_.data_as<float>()};

  std::vector<Tensor> gradients(Dtype dtype) const {
    std::vector<Tensor> grads;
    for (std::int64_t i = 0; i < GetParam(); ++i) grads.push_back(full({3}, 1, dtype, device_));
    return grads;
  }
  static Rows rows_of(const std::vector<Tensor>& grads) {
    Rows rows;
    for (const Tensor& grad : grads) rows.push_back({{grad.data()}, grad.numel()});
    return rows;
  }
  double of_operator(const std::vector<Tensor>& grads) const {
    return allocations_of([&] { amp_unscale_(Contract{}, {grads, flag_, inverse_}); });
  }
  /// `launch` makes the launches that the operator would make.
  template <typename Launch>
  double of_launches(const Launch& launch) const {
    return allocations_of([&] {
      const DeviceScope scope(device_.index);
      launch();
    });
  }
};

TEST_P(UnscaleAllocations, OfOneTypeAreNone) {
  for (const Dtype dtype : {Dtype::kFloat16, Dtype::kFloat32, Dtype::kFloat64}) {
    const std::vector<Tensor> grads = gradients(dtype);
    const Rows rows = rows_of(grads);
    EXPECT_LT(of_operator(grads),
              kAHalf + of_launches([&] { launch_unscale(dtype, rows, scalars_); }));
  }
}

TEST_P(UnscaleAllocations, OfSeveralTypesAreNone) {
  const std::vector<Tensor> singles = gradients(Dtype::kFloat32);
  const std::vector<Tensor> halves = gradients(Dtype::kFloat16);
  const std::vector<Tensor> doubles = gradients(Dtype::kFloat64);
  std::vector<Tensor> grads;
  for (const auto* each : {&singles, &halves, &doubles}) {
    grads.insert(grads.end(), each->begin(), each->end());
  }
  const Rows single_rows = rows_of(singles), half_rows = rows_of(halves),
             double_rows = rows_of(doubles);
  EXPECT_LT(of_operator(grads), kAHalf + of_launches([&] {
                                  launch_unscale(Dtype::kFloat16, half_rows, scalars_);
                                  launch_unscale(Dtype::kFloat64, double_rows, scalars_);
                                  launch_unscale(Dtype::kFloat32, single_rows, scalars_);
                                }));
}

TEST_P(UnscaleAllocations, OfViewsAreNone) {
  const Tensor base = full({4, 6, 10}, 1, Dtype::kFloat32, device_);
  const std::vector<Tensor> grads(static_cast<std::size_t>(GetParam()),
                                  as_strided(base, {2, 3, 5}, {60, 20, 2}, 0));
  const StridedRow row = strided_row(*grads.front().body());
  EXPECT_LT(of_operator(grads), kAHalf + of_launches([&] {
                                  for (std::size_t i = 0; i < grads.size(); ++i) {
                                    launch_unscale_strided(Dtype::kFloat32, row, scalars_);
                                  }
                                }));
}

TEST_P(UnscaleAllocations, OfTheFusedUpdateAreNone) {
  const std::vector<Tensor> grads = gradients(Dtype::kFloat32);
  const Rows rows = rows_of(grads);
  const Tensor scale = full({}, 2, Dtype::kFloat32, device_);
  const Tensor tracker = full({}, 0, Dtype::kInt32, device_);
  const UpdateFactors factors{2, 0.5, 1'000'000};
  const ScaleUpdate update{
      {scale.data_as<float>(), tracker.data_as<std::int32_t>(), flag_.data_as<const float>()},
      {factors.growth, factors.backoff, 1'000'000, false}};
  EXPECT_LT(
      allocations_of([&] {
        amp_unscale_and_update_(Contract{}, {{grads, flag_, inverse_}, scale, tracker}, factors);
      }),
      kAHalf + of_launches([&] { launch_unscale(Dtype::kFloat32, rows, scalars_, update); }));
}

INSTANTIATE_TEST_SUITE_P(Lengths, UnscaleAllocations, ::testing::Values(1, 10, 160));

}  // namespace

}  // namespace assay::cuda
