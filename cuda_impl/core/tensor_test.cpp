// Tensors on devices of the linked runtime: made, written, read, shared.
#include "cuda_impl/core/tensor.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

std::vector<float> floats_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Tensor counting(const Shape& sizes, Device device) {
  const Tensor tensor = empty(sizes, Dtype::kFloat32, device);
  std::vector<float> values(static_cast<std::size_t>(tensor.numel()));
  std::iota(values.begin(), values.end(), 0.0f);
  write_elements(tensor, reinterpret_cast<const std::byte*>(values.data()));
  return tensor;
}

TEST(Tensor, ElementsSurviveTheWayToEveryDeviceAndBack) {
  const std::vector<float> wanted = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(floats_of(counting({2, 3}, kCpu)), wanted);
  for (int i = 0; i < Session::cuda_devices(); ++i) {
    EXPECT_EQ(floats_of(counting({2, 3}, cuda_device(i))), wanted);
  }
}

TEST(Tensor, AViewReadsAndWritesItsOwnElementsOnly) {
  const Tensor base = counting({6}, cuda_device(0));
  const Tensor odd = as_strided(base, {3}, {2}, 1);
  const std::vector<float> seven(3, 7.0f);

  EXPECT_EQ(floats_of(odd), (std::vector<float>{1, 3, 5}));
  write_elements(odd, reinterpret_cast<const std::byte*>(seven.data()));

  EXPECT_EQ(floats_of(base), (std::vector<float>{0, 7, 2, 7, 4, 7}));
  EXPECT_TRUE(odd.is_alias_of(base));
}

TEST(Tensor, AViewStaysInsideItsStorage) {
  const Tensor base = counting({6}, cuda_device(0));

  EXPECT_THROW(as_strided(base, {7}, {1}, 0), Error);
  EXPECT_THROW(as_strided(base, {2}, {5}, 1), Error);
  EXPECT_THROW(as_strided(base, {2}, {-1}, 1), Error);
  EXPECT_THROW(as_strided(base, {1}, {1}, -1), Error);
  EXPECT_EQ(as_strided(base, {0}, {1}, 100).data(), nullptr);
}

TEST(Tensor, ViewsAndDetachedTensorsShareTheVersion) {
  const Tensor base = counting({6}, cuda_device(0));
  const Tensor view = as_strided(base, {3}, {2}, 1);
  const Tensor detached = detach(base);

  view.bump_version();

  EXPECT_EQ(base.version(), 1u);
  EXPECT_EQ(detached.version(), 1u);
  EXPECT_FALSE(detached.is_same(base));
}

TEST(Tensor, NothingWaitsButReading) {
  const Counters before = counters();
  const Tensor tensor = counting({4}, cuda_device(0));
  EXPECT_EQ(counters().host_reads, before.host_reads);
  EXPECT_EQ(counters().allocations, before.allocations + 1);

  floats_of(tensor);
  EXPECT_EQ(counters().host_reads, before.host_reads + 1);
}

TEST(Tensor, OneOfManyNumbersIsNotTheNumber) {
  EXPECT_EQ(read_number(full({}, 1.5, Dtype::kBFloat16, cuda_device(0))), 1.5);
  EXPECT_THROW(read_number(counting({2}, cuda_device(0))), Error);
}

TEST(Tensor, TheUndefinedOneHasNoDevice) {
  const Tensor undefined;

  EXPECT_EQ(undefined.sizes(), (Shape{0}));
  EXPECT_EQ(undefined.dtype(), Dtype::kUndefined);
  EXPECT_THROW(undefined.device(), Error);
}

TEST(Tensor, SparsePartsMustFitEachOther) {
  const Tensor indices = empty({1, 2}, Dtype::kInt64, cuda_device(0));
  const Tensor values = empty({2}, Dtype::kFloat32, cuda_device(0));

  EXPECT_TRUE(sparse_coo(indices, values, {5}, true).is_sparse());
  EXPECT_THROW(sparse_coo(indices, values, {5, 5}, true), Error);
  EXPECT_THROW(sparse_coo(values, values, {5}, true), Error);
}

TEST(Devices, OneThatIsNotThereIsAnErrorOfTheDevice) {
  try {
    Session::resolve(cuda_device(100));
    FAIL() << "there are no 101 devices";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDevice);
    EXPECT_EQ(error.code(), static_cast<int>(cudaErrorInvalidDevice));
  }
  EXPECT_EQ(Session::resolve({DeviceKind::kCpu, 0}), kCpu);
}

TEST(Devices, AScopeMakesADeviceCurrentAndPutsTheOtherBack) {
  {
    const DeviceScope scope(1);
    EXPECT_EQ(Session::resolve({DeviceKind::kCuda, -1}), cuda_device(1));
  }
  EXPECT_EQ(Session::resolve({DeviceKind::kCuda, -1}), cuda_device(0));
}

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

TEST(Session, AWarningIsHeardOnceUntilTheSessionIsReset) {
  Session session;
  warnings().clear();
  session.warn_once("UserWarning", "once");
  session.warn_once("UserWarning", "once");
  EXPECT_EQ(warnings().size(), 1u);

  session.reset();
  session.warn_once("UserWarning", "once");
  EXPECT_EQ(warnings().size(), 2u);
}

}  // namespace
}  // namespace assay::cuda
