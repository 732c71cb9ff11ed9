// Memory of devices: what its pool is told.
#include "cuda_impl/core/storage.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace assay::cuda {
namespace {

TEST(Storage, ThePoolKeepsWhatIsFreedWhenTheHostWaits) {
  const Storage storage(cuda_device(0), 64);

  cudaMemPool_t pool = nullptr;
  std::uint64_t bytes = 0;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), cudaSuccess);
  EXPECT_EQ(bytes, std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace assay::cuda
