// Unscale on a device makes no heap allocations besides those of its launches.
#include <gtest/gtest.h>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/amp/strided_row.hpp"
#include "cuda_impl/core/allocations_for_tests.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {
namespace {

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
