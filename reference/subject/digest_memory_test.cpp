// The memory use of replies with digests.
#include <gtest/gtest.h>

#include "reference/core/tensor/factory.hpp"
#include "reference/subject/values.hpp"

namespace assay::reference {
namespace {

// Clients keep all replies of a case, so digested elements must not stay in memory.
TEST(DigestMemory, ElementsThatWereDigestedAreGivenBack) {
  Runtime runtime;
  const Tensor tensor = empty(runtime, {4096}, ScalarType::kFloat, runtime.home());

  const Value value = to_protocol(runtime, tensor, 1024);

  ASSERT_NE(value.tensor(), nullptr);
  EXPECT_EQ(value.tensor()->digest->crc.size(), 4U);
  EXPECT_EQ(value.tensor()->data.capacity(), 0U);
}

}  // namespace
}  // namespace assay::reference
