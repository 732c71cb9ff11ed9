// Computes the numbers of the loops in integer arithmetic, with rounding.
#include "harness/measure/device_results.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/measure/loops.hpp"

namespace assay::measure {
namespace {

constexpr std::int64_t kPeriod = 65536;
constexpr std::int64_t kEnd = 65536;
constexpr std::uint32_t kSign = 0x8000'0000;
constexpr std::uint32_t kSetWord = 0x5a5a'5a5a;

using Bytes = std::vector<std::uint8_t>;

/// The value of element i without a seed, exact in float32.
float number(std::int64_t i) { return static_cast<float>(i * 40503 % kPeriod - 32768) / 1024; }

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

/// A floating type, described by the bits of float32 that it lacks.
struct Type {
  int dropped;
  std::size_t width;

  /// The float32 bits of the nearest value of the type, ties to even. The loops never overflow.
  std::uint32_t rounded(std::uint32_t bits) const {
    if (dropped == 0) return bits;
    const std::uint32_t half = 1U << (dropped - 1);
    const std::uint32_t is_odd = (bits >> dropped) & 1;
    return (bits + half - 1 + is_odd) >> dropped << dropped;
  }

  /// Converts a number that was rounded to the type to the type's own bits.
  std::uint32_t narrow(std::uint32_t bits) const {
    const std::uint32_t kept = bits >> dropped;
    if (width != 2 || dropped != 13) return kept;
    // float16 has 5 exponent bits instead of 8. The loops' values are normal there, or zero.
    constexpr std::uint32_t kBias = 127 - 15;
    const std::uint32_t sign = (kept >> 18) << 15;
    const std::uint32_t magnitude = kept & 0x3ffff;
    return magnitude == 0 ? sign : sign | (magnitude - (kBias << 10));
  }
};

constexpr Type kFloat32{0, 4};

/// The sizes of the tensors, in order.
std::vector<std::int64_t> sizes_of(const LoopCall& call) {
  if (!call.sizes.empty()) return call.sizes;
  return std::vector<std::int64_t>(static_cast<std::size_t>(whole_of(call.arguments, "tensors", 1)),
                                   whole_of(call.arguments, "N", 1));
}

Type type_of(const Axes& arguments) {
  const std::string name = text_of(arguments, "dtype", "f32");
  if (name == "f32") return kFloat32;
  if (name == "f16") return {13, 2};
  if (name == "bf16") return {16, 2};
  throw std::logic_error("the results of loops are not known for the dtype " + name);
}

void append(Bytes& bytes, std::uint32_t word, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  }
}

/// A sequence of elements that repeats after a period.
class Elements {
 public:
  /// `bits` makes an element from its first value.
  template <typename Bits>
  Elements(const LoopCall& call, std::size_t width, const Bits& bits) : call_(call), width_(width) {
    const auto first = static_cast<std::int64_t>(call.seed % kPeriod);
    for (std::int64_t i = 0; i < kPeriod; ++i) append(period_, bits(number(first + i)), width);
  }

  std::uint32_t sum(Part part) const {
    const std::vector<std::int64_t> sizes = sizes_of(call_);
    const std::int64_t last = sizes.back();
    if (part == Part::kEnds) {
      return add(add(0, 0, std::min(kEnd, sizes.front())), std::max<std::int64_t>(0, last - kEnd),
                 last);
    }
    std::uint32_t sum = 0;
    for (const std::int64_t count : sizes) sum = add(sum, 0, count);
    return sum;
  }

 private:
  std::uint32_t add(std::uint32_t sum, std::int64_t from, std::int64_t to) const {
    while (from < to) {
      const std::int64_t at = from % kPeriod;
      const std::int64_t count = std::min(kPeriod - at, to - from);
      sum = static_cast<std::uint32_t>(
          crc32_z(sum, period_.data() + static_cast<std::size_t>(at) * width_,
                  static_cast<std::size_t>(count) * width_));
      from += count;
    }
    return sum;
  }

  const LoopCall& call_;
  std::size_t width_;
  Bytes period_;
};

}  // namespace

std::uint32_t counted_tracker(const LoopCall&, std::int64_t times, Part) {
  Bytes bytes;
  append(bytes, bits_of(1.0F), sizeof(float));
  append(bytes, static_cast<std::uint32_t>(times), sizeof(std::int32_t));
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

/// The two ends of one word are that word. A kernel without arguments counts nothing.
std::uint32_t counted_word(const LoopCall& call, std::int64_t times, Part part) {
  const bool counts = whole_of(call.arguments, "bytes", 0) > 0;
  const auto word = static_cast<std::uint32_t>(counts ? times : 0);
  Bytes bytes;
  append(bytes, word, sizeof(std::int32_t));
  if (part == Part::kEnds) append(bytes, word, sizeof(std::int32_t));
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

std::uint32_t turned_signs(const LoopCall& call, std::int64_t times, Part part) {
  const Type type = type_of(call.arguments);
  const std::uint32_t sign = times % 2 == 0 ? 0 : kSign;
  const Elements left(call, type.width, [&](float value) {
    return type.narrow(type.rounded(bits_of(value)) ^ sign);
  });
  return left.sum(part);
}

std::uint32_t cast_from_f32(const LoopCall& call, std::int64_t, Part part) {
  return turned_signs(call, 0, part);
}

std::uint32_t cast_to_f32(const LoopCall& call, std::int64_t, Part part) {
  const Type type = type_of(call.arguments);
  const Elements left(call, kFloat32.width,
                      [&](float value) { return type.rounded(bits_of(value)); });
  return left.sum(part);
}

std::uint32_t copied_f32(const LoopCall& call, std::int64_t, Part part) {
  return Elements(call, kFloat32.width, bits_of).sum(part);
}

std::uint32_t set_bytes(const LoopCall& call, std::int64_t, Part part) {
  return Elements(call, kFloat32.width, [](float) { return kSetWord; }).sum(part);
}

/// Gradients and parameters start as the same numbers. The first step uses negated gradients and
/// adds the sign of each; the second step subtracts it again.
std::uint32_t stepped_by_signs(const LoopCall& call, std::int64_t times, Part part) {
  const float reach = times % 2 == 0 ? 0.0F : 1.0F;
  const Elements left(call, kFloat32.width, [&](float value) {
    return bits_of(value + (value > 0 ? reach : value < 0 ? -reach : 0.0F));
  });
  return left.sum(part);
}

/// The first step of SGD subtracts negated gradients, which are the parameters; the second adds
/// them.
std::uint32_t stepped_by_optimizer(const LoopCall& call, std::int64_t times, Part part) {
  if (text_of(call.arguments, "optimizer", "adam") == "adam") {
    return stepped_by_signs(call, times, part);
  }
  const float factor = times % 2 == 0 ? 1.0F : 2.0F;
  return Elements(call, kFloat32.width, [&](float value) { return bits_of(factor * value); })
      .sum(part);
}

}  // namespace assay::measure
