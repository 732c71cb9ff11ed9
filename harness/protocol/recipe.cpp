// Implements recipes and digests of large tensors.
#include "harness/protocol/recipe.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace assay {
namespace {

struct NanPattern {
  std::uint64_t infinity;  ///< larger magnitudes are NaNs
  std::uint64_t magnitude;
  std::uint64_t canonical;
};

NanPattern nan_pattern(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
      return {0x7c00, 0x7fff, 0x7e00};
    case Dtype::kBfloat16:
      return {0x7f80, 0x7fff, 0x7fc0};
    case Dtype::kFloat32:
      return {0x7f800000, 0x7fffffff, 0x7fc00000};
    case Dtype::kFloat64:
      return {0x7ff0000000000000, 0x7fffffffffffffff, 0x7ff8000000000000};
    default:
      return {~0ull, 0, 0};
  }
}

template <typename Word>
void canonicalize(std::span<std::uint8_t> bytes, const NanPattern& nan) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if ((word & nan.magnitude) <= nan.infinity) continue;
    word = static_cast<Word>(nan.canonical);
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

void canonicalize(std::span<std::uint8_t> bytes, Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
    case Dtype::kBfloat16:
      return canonicalize<std::uint16_t>(bytes, nan_pattern(dtype));
    case Dtype::kFloat32:
      return canonicalize<std::uint32_t>(bytes, nan_pattern(dtype));
    case Dtype::kFloat64:
      return canonicalize<std::uint64_t>(bytes, nan_pattern(dtype));
    default:
      return;
  }
}

template <typename Word>
void fill(TensorValue& tensor, const Recipe& recipe) {
  const auto count = static_cast<std::uint64_t>(tensor.numel());
  tensor.data.resize(count * sizeof(Word));
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto word = static_cast<Word>(recipe_bits(recipe, i));
    std::memcpy(tensor.data.data() + i * sizeof(Word), &word, sizeof word);
  }
}

/// The finalizer of splitmix64.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t recipe_bits(const Recipe& recipe, std::uint64_t index) {
  const std::uint64_t counter = recipe.start + index * recipe.step;
  return recipe.kind == Recipe::Kind::kCounter ? counter : mix(counter);
}

TensorValue materialize(const TensorValue& tensor) {
  if (!tensor.recipe) return tensor;
  TensorValue made = tensor;
  made.recipe.reset();
  switch (bits_per_element(tensor.dtype)) {
    case 8:
      fill<std::uint8_t>(made, *tensor.recipe);
      break;
    case 16:
      fill<std::uint16_t>(made, *tensor.recipe);
      break;
    case 32:
      fill<std::uint32_t>(made, *tensor.recipe);
      break;
    default:
      fill<std::uint64_t>(made, *tensor.recipe);
  }
  if (tensor.dtype == Dtype::kBool) {
    for (std::uint8_t& byte : made.data) byte &= 1;
  }
  for (const auto& [index, bits] : tensor.recipe->set) made.set_bits(index, bits);
  return made;
}

std::uint64_t canonical_bits(Dtype dtype, std::uint64_t bits) {
  const NanPattern nan = nan_pattern(dtype);
  return (bits & nan.magnitude) > nan.infinity ? nan.canonical : bits;
}

Digest digest_of(const TensorValue& tensor, std::uint64_t block, bool keep_nan_payloads) {
  const std::size_t width = bits_per_element(tensor.dtype) / 8;
  // Limited by the size of the tensor, so that the product cannot overflow.
  const std::uint64_t block_bytes = std::min<std::uint64_t>(block, tensor.data.size()) * width;
  Digest digest{block, {}};
  std::vector<std::uint8_t> scratch;
  if (block_bytes == 0) return digest;
  for (std::uint64_t at = 0; at < tensor.data.size(); at += block_bytes) {
    const auto begin = tensor.data.begin() + static_cast<std::ptrdiff_t>(at);
    const auto length = std::min<std::uint64_t>(block_bytes, tensor.data.size() - at);
    scratch.assign(begin, begin + static_cast<std::ptrdiff_t>(length));
    if (!keep_nan_payloads) canonicalize(scratch, tensor.dtype);
    const uLong sum = crc32_z(0, scratch.data(), scratch.size());
    digest.crc.push_back(static_cast<std::uint32_t>(sum));
  }
  return digest;
}

}  // namespace assay
