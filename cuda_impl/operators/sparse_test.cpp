// Coalescing: sorted entries, summed values, half types rounded once.
#include "cuda_impl/operators/sparse.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

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

/// `entries` of 2 nonzero values each, whose sums depend on the order of their terms; about
/// every third index occurs again, near and far away.
Tensor many_entries(std::int64_t entries, const Shape& sizes, Dtype dtype, Device device) {
  std::vector<std::int64_t> indices;
  std::uint64_t state = 7;
  for (const std::int64_t size : sizes) {
    for (std::int64_t i = 0; i < entries; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      indices.push_back(
          static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(size)));
    }
  }
  std::vector<float> values;
  for (std::int64_t i = 0; i < 2 * entries; ++i) {
    values.push_back(static_cast<float>(i % 97 + 1) * (i % 3 == 0 ? 1e-3F : -1e4F));
  }
  const auto dims = static_cast<std::int64_t>(sizes.size());
  const Tensor wide = tensor_of<float>(values, {entries, 2}, Dtype::kFloat32);
  Shape all = sizes;
  all.push_back(2);
  ToOptions there;
  there.device = device;
  const Tensor placed = to(tensor_of<std::int64_t>(indices, {dims, entries}, Dtype::kInt64), there);
  there.dtype = dtype;
  return sparse_coo(placed, to(wide, there), all, false);
}

void expect_as_on_host(const Tensor& sparse, const Tensor& on_host) {
  const Tensor merged = coalesce(sparse);
  const Tensor wanted = coalesce(on_host);

  EXPECT_TRUE(merged->sparse->is_coalesced);
  EXPECT_EQ(merged->sparse->indices.device(), sparse->sparse->indices.device());
  EXPECT_EQ(merged->sparse->values.sizes(), wanted->sparse->values.sizes());
  EXPECT_EQ(read_elements(merged->sparse->indices), read_elements(wanted->sparse->indices));
  EXPECT_EQ(read_elements(merged->sparse->values), read_elements(wanted->sparse->values));
}

// A block of the kernels that find runs takes 256 entries.
TEST(Coalesce, OnADeviceHasTheBitsOfTheHostsLoop) {
  for (const std::int64_t entries : {0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 5000}) {
    for (const Shape& sizes : {Shape{1}, Shape{2}, Shape{3000}, Shape{40, 1, 70}}) {
      for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat64}) {
        SCOPED_TRACE(std::to_string(entries) + " entries in " + to_text(sizes));
        expect_as_on_host(many_entries(entries, sizes, dtype, cuda_device(0)),
                          many_entries(entries, sizes, dtype, kCpu));
      }
    }
  }
}

TEST(Coalesce, SortsManyEntries) {
  for (const Shape& sizes : {Shape{50'000}, Shape{4'000'000'000, 3}}) {
    expect_as_on_host(many_entries(70'000, sizes, Dtype::kFloat64, cuda_device(0)),
                      many_entries(70'000, sizes, Dtype::kFloat64, kCpu));
  }
}

TEST(Coalesce, RunsOnTheTensorsDevice) {
  expect_as_on_host(many_entries(600, {100}, Dtype::kFloat32, cuda_device(1)),
                    many_entries(600, {100}, Dtype::kFloat32, kCpu));
}

TEST(Coalesce, ReadsOneNumber) {
  const Tensor sparse = many_entries(600, {100, 3}, Dtype::kFloat32, cuda_device(0));
  const Counters before = counters();

  coalesce(sparse);

  EXPECT_EQ(counters().host_reads - before.host_reads, 1);
  EXPECT_EQ(counters().copies, before.copies);
}

TEST(Coalesce, OfEntriesIsRefusedInACapture) {
  const Tensor sparse = many_entries(600, {100}, Dtype::kFloat32, cuda_device(0));
  Graph graph;
  graph.begin(cudaStreamCaptureModeThreadLocal);

  EXPECT_THROW(coalesce(sparse), Error);
  EXPECT_THROW(graph.end(Release::k2_11), Error);
}

}  // namespace
}  // namespace assay::cuda
