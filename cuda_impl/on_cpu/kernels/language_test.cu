// What CUDA's language gives a kernel: places, barriers, shared variables, atomics, CUB's
// primitives, and the faults and limits of launches.
#include <gtest/gtest.h>

#include <array>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <numeric>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/kernels/symbols.hpp"
#include "cuda_impl/on_cpu/launch/array_for_tests.hpp"

namespace assay::cuda::on_cpu::language_test {

using testing::Array;

class Language : public ::testing::Test {
 protected:
  void SetUp() override { assay_cudart_reset(); }
  void TearDown() override { assay_cudart_reset(); }
};

__global__ void places_kernel(unsigned* sums) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  sums[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1 + thread;
}

TEST_F(Language, AThreadKnowsItsPlaceInThreeDimensions) {
  const unsigned threads = 4 * 3 * 2;
  const unsigned blocks = 2 * 3 * 5;
  const Array<unsigned> sums(std::vector<unsigned>(threads * blocks));

  launch(places_kernel, {dim3(2, 3, 5), dim3(4, 3, 2)}, sums.data());

  const auto read = sums.read();
  for (unsigned i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], 1 + i % threads);
}

template <typename T>
__global__ void sum_kernel(const T* values, T* sum) {
  auto& memory = __shared_variable<typename cub::BlockReduce<T, 64>::TempStorage>();
  const T result = cub::BlockReduce<T, 64>(memory).Sum(values[threadIdx.x]);
  if (threadIdx.x == 0) *sum = result;
}

/// 2^24 + 1 is no float: the sum depends on which of the ones are added to each other first.
TEST_F(Language, ABlockAddsNeighboursAndThenWarps) {
  std::vector<float> values(64, 1.0f);
  values[0] = 0x1p24f;
  const Array<float> in(values);
  const Array<float> sum({0.0f});

  launch(sum_kernel<float>, {1, 64}, in.data(), sum.data());

  // In the first warp the first 1 is lost, and then 2, 4, 8 and 16 are added; the second has 32.
  EXPECT_EQ(sum.read()[0], 0x1p24f + 30 + 32);
}

__global__ void scan_kernel(const int* values, int* before, int* total) {
  auto& memory = __shared_variable<cub::BlockScan<int, 64>::TempStorage>();
  int all = 0;
  cub::BlockScan<int, 64>(memory).ExclusiveSum(values[threadIdx.x], before[threadIdx.x], all);
  if (threadIdx.x == 63) *total = all;
}

TEST_F(Language, ABlockScansIntegers) {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), -7);
  std::vector<int> wanted(64);
  std::exclusive_scan(values.begin(), values.end(), wanted.begin(), 0);
  const Array<int> in(values);
  const Array<int> before(std::vector<int>(64));
  const Array<int> total({0});

  launch(scan_kernel, {1, 64}, in.data(), before.data(), total.data());

  EXPECT_EQ(before.read(), wanted);
  EXPECT_EQ(total.read()[0], wanted[63] + values[63]);
}

TEST_F(Language, ASortIsStableAndLooksAtTheWantedBitsOnly) {
  constexpr std::int64_t kCount = 1000;
  std::vector<std::uint64_t> keys(kCount);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i * 2654435761u % 4093;
  std::vector<std::int64_t> wanted(kCount);
  std::iota(wanted.begin(), wanted.end(), 0);
  const Array<std::uint64_t> key_arrays[] = {Array(keys), Array(keys)};
  const Array<std::int64_t> value_arrays[] = {Array(wanted), Array(wanted)};
  cub::DoubleBuffer<std::uint64_t> in_keys(key_arrays[0].data(), key_arrays[1].data());
  cub::DoubleBuffer<std::int64_t> in_values(value_arrays[0].data(), value_arrays[1].data());

  std::size_t bytes = 0;
  const auto sort = [&](void* scratch) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, in_keys, in_values, kCount, 0, 11,
                                           nullptr);
  };
  ASSERT_EQ(sort(nullptr), cudaSuccess);
  const Array<char> scratch((std::vector<char>(bytes)));
  ASSERT_EQ(sort(scratch.data()), cudaSuccess);

  const auto key_of = [&](std::int64_t i) { return keys[static_cast<std::size_t>(i)] % 2048; };
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](std::int64_t a, std::int64_t b) { return key_of(a) < key_of(b); });
  const auto& sorted =
      in_values.Current() == value_arrays[0].data() ? value_arrays[0] : value_arrays[1];
  EXPECT_EQ(sorted.read(), wanted);
}

__global__ void shuffle_kernel(int* values, int lanes) {
  values[threadIdx.x] = __shfl_xor_sync(0xffffffff, values[threadIdx.x], lanes);
}

TEST_F(Language, LanesExchangeTheirValues) {
  std::vector<int> numbers(40);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Array<int> values(numbers);

  launch(shuffle_kernel, {1, 40}, values.data(), 5);

  const auto read = values.read();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(read[static_cast<std::size_t>(i)], i ^ 5);
  // The second warp has eight lanes; those whose partner is missing keep their own.
  for (int i = 32; i < 40; ++i) EXPECT_EQ(read[static_cast<std::size_t>(i)], 32 + ((i - 32) ^ 5));
}

TEST_F(Language, ADistanceOfLanesHasFiveBits) {
  std::vector<int> numbers(32);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Array<int> values(numbers);

  launch(shuffle_kernel, {1, 32}, values.data(), 32 + 3);

  const auto read = values.read();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(read[static_cast<std::size_t>(i)], i ^ 3);
}

__global__ void neighbour_kernel(int* values) {
  auto& held = __shared_variable<int[64]>();
  held[threadIdx.x] = values[threadIdx.x];
  __syncwarp();
  values[threadIdx.x] = held[threadIdx.x ^ 1];
}

TEST_F(Language, LanesWaitForTheirWarp) {
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Array<int> values(numbers);

  launch(neighbour_kernel, {1, 64}, values.data());

  const auto read = values.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(read[static_cast<std::size_t>(i)], i ^ 1);
}

__global__ void wrapping_kernel(int* number) { atomicAdd(number, 1); }

TEST_F(Language, AtomicSumsWrapAround) {
  const Array<int> number({0x7fffffff});

  launch(wrapping_kernel, {1, 2}, number.data());

  EXPECT_EQ(number.read()[0], -0x7fffffff);
}

__global__ void atomics_kernel(unsigned* words, float* real) {
  atomicInc(&words[0], 9);
  atomicOr(&words[1], 1u << (threadIdx.x % 32));
  atomicAdd(&words[2], 2u);
  atomicExch(real, 1.5f);
  if (__syncthreads_or(threadIdx.x == 3) != 0) atomicAdd(&words[3], 1u);
  if (__syncthreads_count(threadIdx.x < 5) == 5) atomicAdd(&words[4], 1u);
}

TEST_F(Language, AtomicsAndVotesCountEveryThread) {
  const Array<unsigned> words(std::vector<unsigned>(5));
  const Array<float> real({0.0f});

  launch(atomics_kernel, {2, 64}, words.data(), real.data());

  EXPECT_EQ(words.read(), (std::vector<unsigned>{128 % 10, 0xffffffff, 256, 128, 128}));
  EXPECT_EQ(real.read()[0], 1.5f);
}

struct Pair {
  unsigned of[2];
};

__global__ void shared_kernel(unsigned* fresh, unsigned* read) {
  auto& words = __shared_variable<unsigned[32]>();
  auto& pair = __shared_variable<Pair>();
  fresh[threadIdx.x] = words[threadIdx.x];
  __syncthreads();
  words[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) pair = {{70, 80}};
  __syncthreads();
  read[threadIdx.x] = words[31 - threadIdx.x] + pair.of[threadIdx.x % 2];
}

TEST_F(Language, SharedVariablesAreTheBlocksAndBeginAsOnes) {
  const Array<unsigned> fresh(std::vector<unsigned>(32));
  const Array<unsigned> read(std::vector<unsigned>(32));

  for (int time = 0; time < 2; ++time) {
    launch(shared_kernel, {1, 32}, fresh.data(), read.data());

    EXPECT_EQ(fresh.read(), std::vector<unsigned>(32, 0xffffffff));
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(read.read()[i], 31 - i + 70 + i % 2 * 10);
  }
}

struct Much {
  char bytes[40 << 10];
};
struct More : Much {};

__global__ void much_kernel(char* to, bool more) {
  auto& first = __shared_variable<Much>();
  first.bytes[sizeof(first) - 1] = 1;
  if (more) __shared_variable<More>().bytes[0] = 2;
  *to = first.bytes[sizeof(first) - 1];
}

TEST_F(Language, ABlockHasFortyEightKibOfSharedVariables) {
  const Array<char> to(std::vector<char>(1));

  launch(much_kernel, {1, 1}, to.data(), false);
  EXPECT_EQ(to.read()[0], 1);
  launch(much_kernel, {1, 1}, to.data(), true);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  const std::string why = assay_cudart_why_lost(0);
  EXPECT_NE(why.find("shared variables need more than 48 KiB"), std::string::npos) << why;
}

#ifndef ASSAY_UNDEFINED_IS_WATCHED
__global__ void misaligned_kernel(char* to, int offset) {
  if (threadIdx.x == 7) *reinterpret_cast<double*>(to + offset) = 1;
}

TEST_F(Language, AMisalignedAccessEndsTheKernelAndNamesItsLine) {
  const Array<char> to(std::vector<char>(32));

  launch(misaligned_kernel, {1, 32}, to.data(), 8);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  launch(misaligned_kernel, {1, 32}, to.data(), 12);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
  const std::string why = assay_cudart_why_lost(0);
  for (const char* word : {"misaligned_kernel(char*, int)", "8 bytes at",
                           "language_test.cu:", "block (0,0,0), thread (7,0,0)"}) {
    EXPECT_NE(why.find(word), std::string::npos) << why;
  }
}
#endif

__global__ void __launch_bounds__(64, 2) few_threads_kernel() {}
__global__ void __maxnreg__(255) many_registers_kernel() {}

TEST_F(Language, LimitsOfAKernelAreKept) {
  launch(few_threads_kernel, {1, 64});
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  launch(few_threads_kernel, {1, 65});
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);

  launch(many_registers_kernel, {1, 256});
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  launch(many_registers_kernel, {1, 512});
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchOutOfResources);
}

__device__ std::array<int, 5> five_numbers;

TEST_F(Language, TheProgramKnowsItsSymbols) {
  const auto variable = symbol_at(&five_numbers);
  ASSERT_TRUE(variable);
  EXPECT_EQ(variable->size_bytes, 5 * sizeof(int));
  EXPECT_NE(variable->name.find("five_numbers"), std::string::npos);

  const auto kernel = symbol_at(reinterpret_cast<const void*>(&shared_kernel));
  ASSERT_TRUE(kernel);
  EXPECT_NE(kernel->name.find("shared_kernel"), std::string::npos);

  EXPECT_FALSE(symbol_at(&five_numbers[1]));
}

}  // namespace assay::cuda::on_cpu::language_test
