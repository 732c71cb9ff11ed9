// Graphs of any length are destroyed without recursion.
#include <gtest/gtest.h>

#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/factory.hpp"

namespace assay::reference {
namespace {

TEST(Backward, DiesWithoutRecursionHoweverLongTheChain) {
  Runtime runtime;
  Tensor tensor = full(runtime, {1}, 1, ScalarType::kFloat, kCpuDevice);
  tensor.set_requires_grad(true);
  for (int i = 0; i < 200000; ++i)
    tensor = cast_to(runtime, tensor, i % 2 == 0 ? ScalarType::kHalf : ScalarType::kFloat);

  tensor = {};

  EXPECT_FALSE(tensor.defined());
}

}  // namespace
}  // namespace assay::reference
