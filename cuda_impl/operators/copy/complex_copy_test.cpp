// Copies of complex tensors, split into parts if the dtype changes, on two devices and the host.
#include <gtest/gtest.h>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/copy/imaginary_parts.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

/// Makes a complex tensor from pairs of floats.
Tensor complex_of(const std::vector<float>& pairs, Device device) {
  const Tensor made =
      empty({static_cast<std::int64_t>(pairs.size() / 2)}, Dtype::kComplex64, device);
  write_elements(made, reinterpret_cast<const std::byte*>(pairs.data()));
  return made;
}

TEST(ComplexCopy, NumbersAreConvertedPartByPart) {
  for (const Device from : {kCpu, kGpu, cuda_device(1)}) {
    for (const Device there : {kCpu, kGpu, cuda_device(1)}) {
      const Tensor numbers = complex_of({1, 2, 3, 4}, from);
      ToOptions options;
      options.device = there;
      options.dtype = Dtype::kComplex128;
      const Tensor wide = to(numbers, options);
      EXPECT_EQ(values_of<double>(wide), (std::vector<double>{1, 2, 3, 4}));
      const Tensor second = as_strided(wide, {1}, {1}, 1);
      options.device = from;
      options.dtype = Dtype::kFloat32;
      EXPECT_EQ(values_of<float>(to(second, options)), (std::vector<float>{3}));
      options.device = there;
      options.dtype = Dtype::kComplex64;
      const Tensor real = tensor_of(std::vector<double>{5, 6}, from);
      EXPECT_EQ(values_of<float>(to(real, options)), (std::vector<float>{5, 0, 6, 0}));
    }
  }
}

TEST(ComplexCopy, DiscardingImaginaryPartsIsWarnedOfOnce) {
  const Tensor numbers = complex_of({1, 2}, kGpu);
  has_warned_of_imaginary_parts() = false;
  warnings().clear();

  to(to(numbers, Dtype::kComplex128), Dtype::kFloat32);
  to(numbers, Dtype::kFloat64);

  EXPECT_EQ(warnings().size(), 1U);
}

}  // namespace
}  // namespace assay::cuda
