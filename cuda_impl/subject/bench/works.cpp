// Looks up device loops by name, fills their tensors with one period of numbers, and rejects sizes
// that take too long.
#include "cuda_impl/subject/bench/works.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>

#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/subject/simulated.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {

std::unique_ptr<BenchWork> make_bench_work(Call& call) {
  const std::string name = call.arguments().text("loop");
  for (const auto& theme :
       {kernel_works(), update_works(), copy_works(), step_works(), runtime_works()}) {
    for (const auto& [known, make] : theme) {
      if (known != name) continue;
      if (home().is_cuda()) return make(call);
      throw NotSupported("under the device rules of a CPU there is no device");
    }
  }
  throw NotSupported("there is no loop " + name);
}

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

namespace {

/// A simulated thread takes about a microsecond.
constexpr std::int64_t kMostSimulated = std::int64_t{1} << 18;
constexpr std::int64_t kMost = std::int64_t{1} << 40;
/// The driver's alignment of allocations.
constexpr std::int64_t kUsualAlignment = 256;

void need_count(std::int64_t count, const char* name) {
  if (count >= 1 && count <= kMost) return;
  throw InvalidArgument(std::string("bench.run: '") + name + "' must be 1 to 2^40");
}

std::int64_t counted(std::int64_t count, const char* name) {
  need_count(count, name);
  return count;
}

void refuse_too_much(const std::vector<std::int64_t>& sizes) {
  if (!is_simulated()) return;
  std::int64_t left = kMostSimulated;
  for (const std::int64_t size : sizes) {
    if (size > left) {
      throw NotSupported("a simulated device takes too long for more than " +
                         std::to_string(kMostSimulated) + " elements");
    }
    left -= size;
  }
}

}  // namespace

Dtype bench_dtype(Call& call) {
  const std::string name = call.arguments().text("dtype");
  if (name == "f32") return Dtype::kFloat32;
  if (name == "f16") return Dtype::kFloat16;
  if (name == "bf16") return Dtype::kBFloat16;
  throw NotSupported("there is no dtype " + name + " for loops");
}

std::int64_t bench_elements(Call& call) {
  const std::int64_t elements = counted(call.arguments().integer("N"), "N");
  refuse_too_much({elements});
  return elements;
}

std::vector<std::int64_t> bench_sizes(Call& call) {
  constexpr std::int64_t kMostTensors = 1 << 20;
  std::vector<std::int64_t> sizes;
  if (call.arguments().optional("sizes") != nullptr) {
    sizes = call.arguments().integers("sizes");
    for (const std::int64_t size : sizes) need_count(size, "sizes");
    if (sizes.empty()) throw InvalidArgument("bench.run: 'sizes' must not be empty");
  } else {
    const std::int64_t tensors = counted(call.arguments().integer("tensors", 1), "tensors");
    if (tensors > kMostTensors) throw NotSupported("loops have at most 2^20 tensors");
    sizes.assign(static_cast<std::size_t>(tensors), counted(call.arguments().integer("N"), "N"));
  }
  refuse_too_much(sizes);
  return sizes;
}

std::int64_t bench_alignment(Call& call) {
  const std::int64_t alignment = call.arguments().integer("alignment", kUsualAlignment);
  if (alignment >= 1 && alignment <= kUsualAlignment &&
      std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
    return alignment;
  }
  throw InvalidArgument("bench.run: 'alignment' must be a power of two up to 256");
}

Tensor bench_tensor(std::int64_t elements, Dtype dtype, std::int64_t alignment) {
  const auto width = static_cast<std::int64_t>(size_bytes(dtype));
  if (alignment % width != 0) {
    throw NotSupported("elements of " + std::to_string(width) + " bytes are not aligned to " +
                       std::to_string(alignment));
  }
  const Tensor room = empty({elements + 3 * kUsualAlignment / width}, dtype, home());
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(room.data()));
  const std::int64_t to_even =
      (2 * kUsualAlignment - address % (2 * kUsualAlignment)) % (2 * kUsualAlignment);
  return as_strided(room, {elements}, {1}, (to_even + alignment) / width);
}

}  // namespace assay::cuda
