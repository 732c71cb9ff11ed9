// The numbers of the loops, rounded and turned by whole-number arithmetic.
#include "harness/measure/device_results.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::measure {
namespace {

constexpr std::int64_t kPeriod = 65536;
constexpr std::int64_t kEnd = 65536;
constexpr std::uint32_t kSign = 0x8000'0000;

using Bytes = std::vector<std::uint8_t>;

/// Bits of float32 of element i.
std::uint32_t number(std::int64_t i) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(i * 40503 % kPeriod - 32768) / 1024);
}

/// A floating type, by the bits of float32 that it has not.
struct Type {
  int dropped;
  std::size_t width;

  /// Bits of float32 of the nearest number that the type has, ties to even. None of ours overflows.
  std::uint32_t rounded(std::uint32_t bits) const {
    if (dropped == 0) return bits;
    const std::uint32_t half = 1U << (dropped - 1);
    const std::uint32_t is_odd = (bits >> dropped) & 1;
    return (bits + half - 1 + is_odd) >> dropped << dropped;
  }

  /// The type's own bits of a number that was rounded to it.
  std::uint32_t narrow(std::uint32_t bits) const {
    const std::uint32_t kept = bits >> dropped;
    if (width != 2 || dropped != 13) return kept;
    // float16 has 5 bits of exponent in place of 8. All of ours are normal there, or zero.
    constexpr std::uint32_t kBias = 127 - 15;
    const std::uint32_t sign = (kept >> 18) << 15;
    const std::uint32_t magnitude = kept & 0x3ffff;
    return magnitude == 0 ? sign : sign | (magnitude - (kBias << 10));
  }
};

constexpr Type kFloat32{0, 4};

Type type_of(const Axes& arguments) {
  const std::string name = text_of(arguments, "dtype", "f32");
  if (name == "f32") return kFloat32;
  if (name == "f16") return {13, 2};
  if (name == "bf16") return {16, 2};
  throw std::logic_error("nobody has worked out what loops do with the dtype " + name);
}

void append(Bytes& bytes, std::uint32_t word, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  }
}

/// Elements that begin again after a period.
class Elements {
 public:
  template <typename Bits>
  Elements(std::size_t width, const Bits& bits) : width_(width) {
    for (std::int64_t i = 0; i < kPeriod; ++i) append(period_, bits(i), width);
  }

  std::uint32_t sum(const Axes& arguments, Part part) const {
    const std::int64_t count = whole_of(arguments, "N", 1);
    if (part == Part::kEnds) {
      return add(add(0, 0, std::min(kEnd, count)), std::max<std::int64_t>(0, count - kEnd), count);
    }
    std::uint32_t sum = 0;
    const std::int64_t tensors = whole_of(arguments, "tensors", 1);
    for (std::int64_t i = 0; i < tensors; ++i) sum = add(sum, 0, count);
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

  std::size_t width_;
  Bytes period_;
};

}  // namespace

std::uint32_t counted_tracker(const Axes&, std::int64_t times, Part) {
  Bytes bytes;
  append(bytes, std::bit_cast<std::uint32_t>(1.0F), sizeof(float));
  append(bytes, static_cast<std::uint32_t>(times), sizeof(std::int32_t));
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

std::uint32_t turned_signs(const Axes& arguments, std::int64_t times, Part part) {
  const Type type = type_of(arguments);
  const std::uint32_t sign = times % 2 == 0 ? 0 : kSign;
  const Elements left(type.width,
                      [&](std::int64_t i) { return type.narrow(type.rounded(number(i)) ^ sign); });
  return left.sum(arguments, part);
}

std::uint32_t cast_from_f32(const Axes& arguments, std::int64_t, Part part) {
  return turned_signs(arguments, 0, part);
}

std::uint32_t cast_to_f32(const Axes& arguments, std::int64_t, Part part) {
  const Type type = type_of(arguments);
  const Elements left(kFloat32.width, [&](std::int64_t i) { return type.rounded(number(i)); });
  return left.sum(arguments, part);
}

std::uint32_t copied_f32(const Axes& arguments, std::int64_t, Part part) {
  return Elements(kFloat32.width, number).sum(arguments, part);
}

}  // namespace assay::measure
