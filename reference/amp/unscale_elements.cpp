// Unscales dense chunks and strided views.
#include "reference/amp/unscale_elements.hpp"

#include <cstddef>

#include "reference/amp/unscale_rule.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

/// The elements of a tensor, with the parameters of the unscale.
class Elements {
 public:
  Elements(const Tensor& grad, const UnscaleContext& context)
      : dtype_(grad.dtype()), size_(element_size(dtype_)), data_(grad.data()), context_(context) {}

  /// Unscales the element at `offset`; returns true if it was not finite.
  bool unscale(std::int64_t offset) {
    std::uint8_t* at = data_ + static_cast<std::size_t>(offset) * size_;
    const std::uint64_t bits = load_bits(at, size_);
    const UnscaledElement result = unscale_element(dtype_, real_of_bits(dtype_, bits),
                                                   context_.inv_scale, context_.tests_as_float);
    if (result.is_written) store_bits(at, size_, stored(result.value));
    return result.is_bad;
  }

 private:
  std::uint64_t stored(double value) const { return bits_of_real(dtype_, value); }

  ScalarType dtype_;
  std::size_t size_;
  std::uint8_t* data_;
  UnscaleContext context_;
};

}  // namespace

std::int64_t unscale_chunk(const Tensor& grad, const Chunk& chunk, const UnscaleContext& context) {
  Elements elements(grad, context);
  std::int64_t bad = 0;
  for (std::int64_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
    if (elements.unscale(i)) ++bad;
  }
  return bad;
}

std::int64_t unscale_strided(const Tensor& grad, const UnscaleContext& context) {
  Elements elements(grad, context);
  std::int64_t bad = 0;
  for_each_offset(grad.sizes(), grad.strides(), 0, [&](std::int64_t offset) {
    if (elements.unscale(offset)) ++bad;
  });
  return bad;
}

}  // namespace assay::reference
