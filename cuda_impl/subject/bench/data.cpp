// Repeats one period of numbers as often as necessary.
#include "cuda_impl/subject/bench/data.hpp"

#include <zlib.h>

#include <algorithm>

#include "cuda_impl/operators/copy/copy.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {
namespace {

constexpr std::int64_t kPeriod = 65536;
/// The number of elements checked at either end if not all are.
constexpr std::int64_t kWindow = 65536;

Tensor period_on_host() {
  const Tensor numbers = empty({kPeriod}, Dtype::kFloat32, kCpu);
  auto* const out = numbers.data_as<float>();
  const auto first = static_cast<std::int64_t>(bench_sum().seed() % kPeriod);
  for (std::int64_t i = 0; i < kPeriod; ++i) {
    const std::int64_t word = (first + i) * 40503 % kPeriod - kPeriod / 2;
    out[i] = static_cast<float>(word) / 1024;
  }
  return numbers;
}

Tensor part(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  return as_strided(tensor, {count}, {1}, tensor->offset + first);
}

std::uint32_t add(std::uint32_t sum, const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  return static_cast<std::uint32_t>(
      crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

BenchNumbers::BenchNumbers(Dtype dtype, Device device) : period_(empty({kPeriod}, dtype, device)) {
  copy_elements(period_, to(period_on_host(), dtype));
}

void BenchNumbers::fill(const Tensor& target) const {
  for (std::int64_t at = 0; at < target.numel(); at += kPeriod) {
    const std::int64_t count = std::min(kPeriod, target.numel() - at);
    copy_elements(part(target, at, count), part(period_, 0, count));
  }
}

std::uint32_t bench_result(std::span<const Tensor> tensors, bool whole) {
  std::uint32_t sum = 0;
  if (whole) {
    for (const Tensor& tensor : tensors) sum = add(sum, tensor);
    return sum;
  }
  const Tensor& first = tensors.front();
  const Tensor& last = tensors.back();
  const std::int64_t tail = std::min(kWindow, last.numel());
  sum = add(sum, part(first, 0, std::min(kWindow, first.numel())));
  return add(sum, part(last, last.numel() - tail, tail));
}

}  // namespace assay::cuda
