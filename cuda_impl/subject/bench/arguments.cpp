// Reads benchmark arguments and rejects sizes that take too long.
#include "cuda_impl/subject/bench/arguments.hpp"

#include <algorithm>
#include <bit>

#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {
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
