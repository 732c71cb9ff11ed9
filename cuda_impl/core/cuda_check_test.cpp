// Errors of the linked runtime, and its current stream.
#include "cuda_impl/core/cuda_check.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

TEST(Devices, AStreamIsCurrentOnItsDeviceOnly) {
  cudaStream_t stream = nullptr;
  cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    const StreamScope scope(stream);
    EXPECT_EQ(current_stream(), stream);

    const DeviceScope other(1);
    EXPECT_EQ(current_stream(), nullptr);
  }
  EXPECT_EQ(current_stream(), nullptr);
  cuda_check(cudaStreamDestroy(stream));
}

TEST(CudaCheck, AnErrorCarriesItsCodeAndLeavesTheRegisterClean) {
  try {
    cuda_check(cudaSetDevice(1000));
    FAIL() << "there is no device 1000";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDevice);
    EXPECT_EQ(error.code(), static_cast<int>(cudaErrorInvalidDevice));
    EXPECT_NE(error.message().find("invalid device ordinal"), std::string::npos);
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(CudaCheck, NoMemoryIsAKindOfItsOwnToWhoeverAllocates) {
  const auto kind_of = [](const auto& check) {
    try {
      check(cudaErrorMemoryAllocation);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kInternal;
  };

  EXPECT_EQ(kind_of([](cudaError_t result) { cuda_check_memory(result); }),
            ErrorKind::kOutOfMemory);
  EXPECT_EQ(kind_of([](cudaError_t result) { cuda_check(result); }), ErrorKind::kDevice);
}

}  // namespace
}  // namespace assay::cuda
