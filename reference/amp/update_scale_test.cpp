// The update operator: identity of the result, checks, and the cost of a call.
#include <gtest/gtest.h>

#include "reference/amp/operators.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

class UpdateScale : public testing::Test {
 protected:
  Tensor scalar(double value, ScalarType dtype = ScalarType::kFloat) {
    return scalar_tensor(runtime_, value, dtype, cuda_device(0));
  }

  Runtime runtime_;
};

TEST_F(UpdateScale, ReturnsTheScaleItself) {
  const Tensor scale = scalar(4);
  const Tensor tracker = scalar(1, ScalarType::kInt);

  const Tensor returned = amp_update_scale_(runtime_, {scale, tracker, scalar(0)}, {2, 0.25, 2});

  EXPECT_TRUE(returned.is_same(scale));
  EXPECT_EQ(real_at(scale, 0), 8);
  EXPECT_EQ(integer_at(tracker, 0), 0);
  EXPECT_EQ(runtime_.counters().launches, 1);
  EXPECT_EQ(runtime_.counters().host_reads, 0);
}

TEST_F(UpdateScale, ReadsAnAliasedFlagBeforeItWrites) {
  const Tensor scale = scalar(4);

  amp_update_scale_(runtime_, {scale, scalar(1, ScalarType::kInt), scale}, {2, 0.5, 2});

  EXPECT_EQ(real_at(scale, 0), 2);
}

TEST_F(UpdateScale, ChecksTheTrackerFirst) {
  const Tensor scale = scalar(4, ScalarType::kDouble);

  try {
    amp_update_scale_(runtime_, {scale, scalar(1, ScalarType::kLong), scalar(0)}, {});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("growth_tracker"), std::string::npos) << error.message();
  }

  EXPECT_EQ(real_at(scale, 0), 4);
}

TEST_F(UpdateScale, LeavesTheInputsOfTheFunctionalFormAlone) {
  const Tensor scale = scalar(4);
  const Tensor tracker = scalar(1, ScalarType::kInt);

  const UpdateScaleResult result =
      amp_update_scale(runtime_, {scale, tracker, scalar(0)}, {2, 0.25, 2});

  EXPECT_EQ(real_at(scale, 0), 4);
  EXPECT_EQ(real_at(result.scale, 0), 8);
  EXPECT_EQ(integer_at(result.growth_tracker, 0), 0);
}

}  // namespace

}  // namespace assay::reference
