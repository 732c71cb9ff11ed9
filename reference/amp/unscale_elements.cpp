// Unscaling over memory: dense chunks and strided views.
#include "reference/amp/unscale_elements.hpp"

#include <cstddef>

#include "reference/amp/unscale_rule.hpp"
#include "reference/core/element.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

/// Where a tensor's elements lie and how they are to be treated.
class Elements {
 public:
  Elements(const Tensor& grad, const UnscaleContext& context)
      : dtype_(grad.dtype()), size_(element_size(dtype_)), data_(grad.data()), context_(context) {}

  /// The element `offset` places behind the first; true when it was not finite.
  bool unscale(std::int64_t offset) {
    std::uint8_t* at = data_ + static_cast<std::size_t>(offset) * size_;
    const std::uint64_t bits = load_bits(at, size_);
    const UnscaledElement result = unscale_element(dtype_, real_of_bits(dtype_, bits),
                                                   context_.inv_scale, context_.tests_as_float);
    if (result.is_written) store_bits(at, size_, stored(result.value));
    return result.is_bad;
  }

 private:
  std::uint64_t stored(double value) const {
    const std::uint64_t bits = bits_of_real(dtype_, value);
    if (fault("unscale_truncates_halves") && size_ == 2 &&
        is_above(real_of_bits(dtype_, bits), value)) {
      return bits - 1;
    }
    return bits;
  }
  static bool is_above(double rounded, double exact) {
    return rounded < 0 ? rounded < exact : rounded > exact;
  }

  ScalarType dtype_;
  std::size_t size_;
  std::uint8_t* data_;
  UnscaleContext context_;
};

/// Elements that a kernel with a wrong loop would miss.
bool is_missed(const Tensor& grad, std::int64_t index) {
  const std::int64_t rest = grad.numel() % 4;
  if (fault("unscale_skips_first_element") && index == 0) return true;
  if (fault("unscale_skips_last_element") && index == grad.numel() - 1) return true;
  if (fault("unscale_skips_tail_of_four") && index >= grad.numel() - rest) return true;
  if (fault("unscale_skips_unaligned_head") && grad.storage_offset() % 4 != 0) {
    return index < 4 - grad.storage_offset() % 4;
  }
  if (fault("unscale_skips_chunk_ends")) return index % kChunkElements == kChunkElements - 1;
  if (fault("unscale_skips_chunk_starts")) return index > 0 && index % kChunkElements == 0;
  return false;
}

}  // namespace

std::int64_t unscale_chunk(const Tensor& grad, const Chunk& chunk, const UnscaleContext& context) {
  Elements elements(grad, context);
  std::int64_t bad = 0;
  for (std::int64_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
    if (is_missed(grad, i)) continue;
    if (!elements.unscale(i)) continue;
    ++bad;
    if (fault("unscale_stops_at_first_bad")) break;
  }
  return bad;
}

std::int64_t unscale_strided(const Tensor& grad, const UnscaleContext& context) {
  Elements elements(grad, context);
  std::int64_t bad = 0;
  std::int64_t index = 0;
  for_each_offset(grad.sizes(), grad.strides(), 0, [&](std::int64_t offset) {
    if (is_missed(grad, index++)) return;
    if (fault("unscale_ignores_strides")) offset = index - 1;
    if (fault("unscale_stops_at_first_bad") && bad > 0) return;
    if (elements.unscale(offset)) ++bad;
  });
  return bad;
}

}  // namespace assay::reference
