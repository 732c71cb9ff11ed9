// Fused unscale and update: no launch for the update, and exactly one update.
#include <gtest/gtest.h>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);

struct State {
  Tensor scale = full({}, 8, Dtype::kFloat32, kDevice);
  Tensor tracker = full({}, 0, Dtype::kInt32, kDevice);
  Tensor flag = full({}, 0, Dtype::kFloat32, kDevice);
  Tensor inverse = full({}, 0.5, Dtype::kFloat32, kDevice);

  void step(const std::vector<Tensor>& grads) const {
    amp_unscale_and_update_(Contract{}, {{grads, flag, inverse}, scale, tracker}, {2.0, 0.5, 100});
  }
};

std::int64_t launches_of(const State& state, const std::vector<Tensor>& grads) {
  const std::int64_t before = counters().launches;
  state.step(grads);
  return counters().launches - before;
}

TEST(UnscaleAndUpdate, IsOneLaunchForOneType) {
  const State state;
  const std::vector<Tensor> grads(40, full({300}, 1, Dtype::kFloat32, kDevice));

  EXPECT_EQ(launches_of(state, grads), 1);
}

TEST(UnscaleAndUpdate, UpdatesInTheLastLaunchOfSeveralTypes) {
  const State state;

  EXPECT_EQ(launches_of(state, {full({3}, 1, Dtype::kFloat16, kDevice),
                                full({3}, 1, Dtype::kFloat32, kDevice)}),
            2);
  EXPECT_EQ(read_number(state.tracker), 1);
}

TEST(UnscaleAndUpdate, HasALaunchOfItsOwnWhereNothingHasElements) {
  const State state;

  EXPECT_EQ(launches_of(state, {}), 1);
  EXPECT_EQ(launches_of(state, {full({0}, 1, Dtype::kFloat32, kDevice)}), 1);
  EXPECT_EQ(read_number(state.tracker), 2);
}

TEST(UnscaleAndUpdate, UpdatesOnceForAnyNumberOfBlocks) {
  const State state;
  int steps = 0;
  for (const std::int64_t count : {1, 4096, 4097, 40000, 2}) {
    state.step(
        {full({count}, 1, Dtype::kFloat32, kDevice), full({7}, 1, Dtype::kFloat32, kDevice)});

    EXPECT_EQ(read_number(state.tracker), ++steps) << count << " elements";
  }
}

// A row with more chunks than the table can hold gets chunks of several blocks.
TEST(UnscaleAndUpdate, UpdatesOnceWhereAChunkIsSeveralBlocks) {
  const State state;
  const Tensor large = full({500 * 4096}, 1, Dtype::kFloat32, kDevice);
  pretend_parameter_bytes(kSmallParameters);

  state.step({large});

  pretend_parameter_bytes(std::nullopt);
  EXPECT_EQ(read_number(state.tracker), 1);
  EXPECT_EQ(read_number(as_strided(large, {}, {}, large.numel() - 1)), 0.5);
}

TEST(UnscaleAndUpdate, CountsOneVersionOfTheScale) {
  const State state;
  const std::uint64_t before = state.scale.version();

  state.step({full({3}, 1, Dtype::kFloat32, kDevice)});

  EXPECT_EQ(state.scale.version(), before + 1);
  EXPECT_EQ(state.tracker.version(), 0u);
}

}  // namespace
}  // namespace assay::cuda
