// Loops that convert elements.
#include "reference/core/math/cast.hpp"

#include <bit>
#include <cstring>

#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

std::uint32_t float_bits(ScalarType from, std::uint64_t bits, const Conversion& how) {
  switch (from) {
    case ScalarType::kHalf:
      return float_bits_of_half(static_cast<std::uint16_t>(bits), how);
    case ScalarType::kBFloat16:
      return float_bits_of_bfloat16(static_cast<std::uint16_t>(bits));
    case ScalarType::kDouble:
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    case ScalarType::kFloat:
      return static_cast<std::uint32_t>(bits);
    default:
      return std::bit_cast<std::uint32_t>(static_cast<float>(integer_of_bits(from, bits)));
  }
}

std::uint64_t narrow(ScalarType from, ScalarType to, std::uint64_t bits, const Conversion& how) {
  const std::uint32_t wide = float_bits(from, bits, how);  // CAST-908
  if (to == ScalarType::kHalf) return half_bits(wide, how);
  return to == ScalarType::kBFloat16 ? bfloat16_bits(wide, how) : wide;
}

bool is_narrow(ScalarType type) {
  return type == ScalarType::kHalf || type == ScalarType::kBFloat16 || type == ScalarType::kFloat;
}

/// Applies a function, which the compiler can inline, to contiguous elements.
template <typename To, typename From, typename Function>
void convert_run(std::uint8_t* to, const std::uint8_t* from, std::int64_t count,
                 const Function& function) {
  for (std::int64_t i = 0; i < count; ++i) {
    From wide;
    std::memcpy(&wide, from + i * static_cast<std::int64_t>(sizeof(From)), sizeof wide);
    const To narrowed = function(wide);
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof(To)), &narrowed, sizeof narrowed);
  }
}

/// Handles the pairs of types that exhaustive tests convert often. Returns false for other pairs.
bool convert_fast(const Tensor& dst, const Tensor& src, const Conversion& how) {
  using std::uint16_t, std::uint32_t;
  const auto is = [&](ScalarType from, ScalarType to) {
    return src.dtype() == from && dst.dtype() == to;
  };
  const std::int64_t count = src.numel();
  if (is(ScalarType::kFloat, ScalarType::kHalf)) {
    convert_run<uint16_t, uint32_t>(dst.data(), src.data(), count,
                                    [&](uint32_t bits) { return half_bits(bits, how); });
  } else if (is(ScalarType::kFloat, ScalarType::kBFloat16)) {
    convert_run<uint16_t, uint32_t>(dst.data(), src.data(), count,
                                    [&](uint32_t bits) { return bfloat16_bits(bits, how); });
  } else if (is(ScalarType::kHalf, ScalarType::kFloat)) {
    convert_run<uint32_t, uint16_t>(dst.data(), src.data(), count,
                                    [&](uint16_t bits) { return float_bits_of_half(bits, how); });
  } else if (is(ScalarType::kBFloat16, ScalarType::kFloat)) {
    convert_run<uint32_t, uint16_t>(dst.data(), src.data(), count,
                                    [&](uint16_t bits) { return float_bits_of_bfloat16(bits); });
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::uint64_t convert_bits(ScalarType from, ScalarType to, std::uint64_t bits,
                           const Conversion& how) {
  if (from == to) return bits;
  if (is_narrow(to)) return narrow(from, to, bits, how);
  if (to == ScalarType::kDouble && !is_floating(from)) {
    return bits_of_integer(to, integer_of_bits(from, bits));
  }
  if (to == ScalarType::kDouble) {
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(float_bits(from, bits, how))));
  }
  if (to == ScalarType::kBool && is_floating(from)) return real_of_bits(from, bits) != 0 ? 1 : 0;
  return bits_of_integer(to, integer_of_bits(from, bits));
}

namespace {

ScalarType part_of(ScalarType dtype) {
  if (dtype == ScalarType::kComplexHalf) return ScalarType::kHalf;
  if (dtype == ScalarType::kComplexFloat) return ScalarType::kFloat;
  return dtype == ScalarType::kComplexDouble ? ScalarType::kDouble : dtype;
}

/// A complex element stores its real and then its imaginary part. Converting from real sets the
/// imaginary part to 0; converting to real discards it.
void convert_complex(const Tensor& dst, const Tensor& src, const Conversion& how) {
  const std::size_t to_part = element_size(part_of(dst.dtype()));
  const std::size_t from_part = element_size(part_of(src.dtype()));
  const std::size_t parts = is_complex(dst.dtype()) ? 2 : 1;
  for (std::int64_t i = 0; i < src.numel(); ++i) {
    const auto to = static_cast<std::size_t>(dst.offset_of(i)) * element_size(dst.dtype());
    const auto from = static_cast<std::size_t>(src.offset_of(i)) * element_size(src.dtype());
    for (std::size_t part = 0; part < parts; ++part) {
      const bool is_there = part == 0 || is_complex(src.dtype());
      const std::uint64_t bits =
          is_there ? load_bits(src.data() + from + part * from_part, from_part) : 0;
      store_bits(dst.data() + to + part * to_part, to_part,
                 convert_bits(part_of(src.dtype()), part_of(dst.dtype()), bits, how));
    }
  }
}

}  // namespace

void convert_elements(const Tensor& dst, const Tensor& src, const Conversion& how) {
  const bool is_run = dst.is_contiguous() && src.is_contiguous();
  const std::size_t to_size = element_size(dst.dtype());
  const std::size_t from_size = element_size(src.dtype());
  if (is_run && dst.dtype() == src.dtype()) {
    std::memcpy(dst.data(), src.data(), static_cast<std::size_t>(src.numel()) * from_size);
    return;
  }
  if (is_complex(dst.dtype()) || is_complex(src.dtype())) return convert_complex(dst, src, how);
  if (is_run && convert_fast(dst, src, how)) {
    return;
  }
  std::int64_t index = 0;
  for_each_offset(dst.sizes(), dst.strides(), 0, [&](std::int64_t offset) {
    const auto from = static_cast<std::size_t>(src.offset_of(index++)) * from_size;
    const std::uint64_t bits = load_bits(src.data() + from, from_size);
    store_bits(dst.data() + static_cast<std::size_t>(offset) * to_size, to_size,
               convert_bits(src.dtype(), dst.dtype(), bits, how));
  });
}

}  // namespace assay::reference
