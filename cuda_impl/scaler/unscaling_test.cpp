// Unscaling: groups of gradients, and the scalars of each device.
#include "cuda_impl/scaler/unscaling.hpp"

#include <gtest/gtest.h>

namespace assay::cuda {
namespace {

/// An optimizer that only has parameters.
class Holder final : public Optimizer {
 public:
  Holder(Session& session, std::vector<Tensor> params)
      : Optimizer(session, {ParamGroup{std::move(params)}}) {}

 private:
  std::any run(const StepCall&) override { return {}; }
};

Tensor param_with_grad(Dtype dtype, Device device) {
  const Tensor param = full({2}, 1, dtype, device);
  param.set_grad(full({2}, 8, dtype, device));
  return param;
}

struct Group {
  int device;
  Dtype dtype;
  std::size_t gradients;
  bool operator==(const Group&) const = default;
};

std::vector<Group> groups_of(const std::vector<Tensor>& params) {
  Session session;
  std::vector<Group> groups;
  for (const GradientGroup& group : gradients_of(Holder(session, params), HalfGradients::kTaken)) {
    groups.push_back({group.device.index, group.dtype, group.gradients.size()});
  }
  return groups;
}

TEST(Unscaling, GradientsAreGroupedByDeviceThenByDtypeInTheOrderSeen) {
  const auto one = [](Dtype dtype, int device) {
    return param_with_grad(dtype, cuda_device(device));
  };
  const std::vector<Tensor> params = {one(Dtype::kFloat64, 1), one(Dtype::kFloat32, 0),
                                      one(Dtype::kFloat32, 1), one(Dtype::kFloat64, 1),
                                      one(Dtype::kFloat16, 0), full({1}, 0, Dtype::kFloat32, kCpu)};

  const std::vector<Group> wanted = {{1, Dtype::kFloat64, 2},
                                     {1, Dtype::kFloat32, 1},
                                     {0, Dtype::kFloat32, 1},
                                     {0, Dtype::kFloat16, 1}};
  EXPECT_EQ(groups_of(params), wanted);
}

TEST(Unscaling, HomeAndOtherDevicesGetTheInverseAndAFlagThatIsDown) {
  UnscaleStart start(full({}, 3, Dtype::kFloat32, cuda_device(0)), {});

  for (const Device device : {cuda_device(1), cuda_device(0), kCpu}) {
    const InverseAndFlag scalars = start.on(device);

    EXPECT_EQ(scalars.inverse.device(), device);
    EXPECT_EQ(scalars.flag.device(), device);
    EXPECT_EQ(read_number(scalars.inverse), double{1.0F / 3.0F});
    EXPECT_EQ(read_number(scalars.flag), 0.0);
  }
}

TEST(Unscaling, AtHomeItIsOneLaunch) {
  UnscaleStart start(full({}, 4, Dtype::kFloat32, cuda_device(0)), {});
  const Counters before = counters();

  start.on(cuda_device(0));

  EXPECT_EQ(counters().launches - before.launches, 1);
  EXPECT_EQ(counters().copies, before.copies);
  EXPECT_EQ(counters().host_reads, before.host_reads);
}

TEST(Unscaling, ACheckMultipliesByOneAndLaunchesNothingTheSecondTime) {
  CheckStart start;
  for (const Device device : {cuda_device(1), kCpu}) {
    const Tensor first = start.on(device, {}).flag;
    const Counters before = counters();

    const InverseAndFlag second = start.on(device, {1});

    EXPECT_EQ(counters().launches, before.launches);
    EXPECT_EQ(read_number(second.inverse), 1.0);
    EXPECT_EQ(read_number(second.flag), 0.0);
    EXPECT_EQ(second.flag.sizes(), Shape{1});
    EXPECT_FALSE(second.flag.is_alias_of(first));
  }
}

}  // namespace
}  // namespace assay::cuda
