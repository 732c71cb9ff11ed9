// Tensor contents: what stays with the object, and what moves with the data.
#include "reference/module/contents.hpp"

#include <gtest/gtest.h>

#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

class Contents : public testing::Test {
 protected:
  Tensor make(double value, ScalarType dtype = ScalarType::kFloat) {
    return full(runtime_, {1}, value, dtype, kCpuDevice);
  }

  Runtime runtime_;
};

TEST_F(Contents, NewDataComesWithoutItsVersion) {
  const Tensor tensor = make(1);
  const Tensor data = make(2, ScalarType::kDouble);
  tensor.bump_version();

  set_data(tensor, data);

  EXPECT_EQ(tensor.dtype(), ScalarType::kDouble);
  EXPECT_EQ(real_at(tensor, 0), 2);
  EXPECT_EQ(tensor.version(), 1U);
  EXPECT_TRUE(tensor.is_alias_of(data));
}

TEST_F(Contents, IntegersAreNoDataForWhatRequiresGradients) {
  const Tensor tensor = make(1);
  tensor.set_requires_grad(true);

  EXPECT_THROW(set_data(tensor, make(2, ScalarType::kInt)), Error);

  EXPECT_EQ(tensor.dtype(), ScalarType::kFloat);
}

TEST_F(Contents, SwappedTensorsExchangeVersionsToo) {
  const Tensor left = make(1);
  const Tensor right = make(2, ScalarType::kDouble);
  left.bump_version();

  swap_contents(left, right);

  EXPECT_EQ(left.dtype(), ScalarType::kDouble);
  EXPECT_EQ(left.version(), 0U);
  EXPECT_EQ(real_at(right, 0), 1);
  EXPECT_EQ(right.version(), 1U);
}

TEST_F(Contents, AWatchedTensorIsNotSwappedUntilItsWatcherIsGone) {
  const Tensor left = make(1);
  const Tensor right = make(2);
  auto watcher = std::make_shared<int>(0);
  left.impl()->watchers.push_back(watcher);

  EXPECT_THROW(swap_contents(left, right), Error);
  watcher.reset();
  swap_contents(left, right);

  EXPECT_EQ(real_at(left, 0), 2);
}

}  // namespace
}  // namespace assay::reference
