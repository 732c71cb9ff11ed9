// Coalescing: sorted entries, summed values, half types rounded once.
#include "cuda_impl/operators/sparse.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace assay::cuda {
namespace {

template <typename T>
Tensor tensor_of(const std::vector<T>& elements, Shape sizes, Dtype dtype) {
  const Tensor made = empty(std::move(sizes), dtype, cuda_device(0));
  write_elements(made, reinterpret_cast<const std::byte*>(elements.data()));
  return made;
}

template <typename T>
std::vector<T> elements_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

TEST(Coalesce, SortsByIndexAndAddsDuplicates) {
  const Tensor sparse =
      sparse_coo(tensor_of<std::int64_t>({1, 0, 1, 0, 2, 0, 2, 1}, {2, 4}, Dtype::kInt64),
                 tensor_of<float>({1, 2, 4, 8}, {4}, Dtype::kFloat32), {2, 3}, false);

  const Tensor merged = coalesce(sparse);

  EXPECT_TRUE(merged->sparse->is_coalesced);
  EXPECT_EQ(merged.sizes(), (Shape{2, 3}));
  EXPECT_EQ(elements_of<std::int64_t>(merged->sparse->indices),
            (std::vector<std::int64_t>{0, 0, 1, 0, 1, 2}));
  EXPECT_EQ(elements_of<float>(merged->sparse->values), (std::vector<float>{2, 8, 5}));
}

TEST(Coalesce, AddsWholeRowsWhereValuesHaveDenseDimensions) {
  const Tensor sparse =
      sparse_coo(tensor_of<std::int64_t>({1, 1}, {1, 2}, Dtype::kInt64),
                 tensor_of<double>({1, 2, 3, 10, 20, 30}, {2, 3}, Dtype::kFloat64), {2, 3}, false);

  const Tensor merged = coalesce(sparse);

  EXPECT_EQ(merged->sparse->values.sizes(), (Shape{1, 3}));
  EXPECT_EQ(elements_of<double>(merged->sparse->values), (std::vector<double>{11, 22, 33}));
}

TEST(Coalesce, RoundsHalfTypesOnceAfterTheSum) {
  // 2048 + 1 + 1: in float16 each addition of 1 alone would be lost; 64000 + 64000 is infinite.
  const Tensor sparse = sparse_coo(
      tensor_of<std::int64_t>({0, 1, 0, 0, 1}, {1, 5}, Dtype::kInt64),
      tensor_of<std::uint16_t>({0x6800, 0x7bd0, 0x3c00, 0x3c00, 0x7bd0}, {5}, Dtype::kFloat16), {2},
      false);

  const Tensor merged = coalesce(sparse);

  EXPECT_EQ(elements_of<std::uint16_t>(merged->sparse->values),
            (std::vector<std::uint16_t>{0x6801, 0x7c00}));
}

TEST(Coalesce, LeavesWhatIsCoalescedAndTakesWhatIsEmpty) {
  const auto make = [](bool is_coalesced) {
    return sparse_coo(empty({1, 0}, Dtype::kInt64, cuda_device(0)),
                      empty({0}, Dtype::kFloat32, cuda_device(0)), {4}, is_coalesced);
  };
  const Tensor done = make(true);

  EXPECT_TRUE(coalesce(done).is_same(done));
  EXPECT_EQ(coalesce(make(false))->sparse->values.numel(), 0);
}

}  // namespace
}  // namespace assay::cuda
