// Result shapes of Fourier transforms.
#include <array>
#include <numeric>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda::aten {
namespace {

/// A real signal has half a spectrum, so the last dimension is halved by the transform and extended
/// by its inverse.
enum class Side { kWhole, kToHalf, kFromHalf };

struct Dims {
  std::vector<std::size_t> at;
  Shape lengths;  ///< -1: unchanged
};

std::int64_t last_length(Side side, std::int64_t given, std::int64_t length) {
  if (side == Side::kFromHalf) return given >= 0 ? given : 2 * (length - 1);
  const std::int64_t taken = given >= 0 ? given : length;
  return side == Side::kToHalf ? taken / 2 + 1 : taken;
}

Results transformed(const ArgumentReader& given, Side side, const Dims& dims) {
  Shape sizes = given.sizes(0);
  require(dims.at.size() == dims.lengths.size(),
          [] { return "When given, dim and shape arguments must have the same length"; });
  for (std::size_t i = 0; i < dims.at.size(); ++i) {
    const bool is_last = i + 1 == dims.at.size();
    std::int64_t& size = sizes[dims.at[i]];
    size = last_length(is_last ? side : Side::kWhole, dims.lengths[i], size);
    require(size >= 1, [&] {
      return "Invalid number of data points (" + std::to_string(size) + ") specified";
    });
  }
  // Integers are transformed in float32; half types stay half types on devices that support it.
  const Dtype dtype = given.type();
  const bool is_real = !facts(dtype).is_floating && !facts(dtype).is_complex;
  const Dtype floating = is_real ? Dtype::kFloat32 : dtype;
  return {given.made(std::move(sizes),
                     side == Side::kFromHalf ? part_of(floating) : complex_of(floating))};
}

/// `self, n, dim, norm`
template <Side kSide>
Results in_one(const ArgumentReader& given) {
  const Dims dims{{wrapped(given.integer(2), given.sizes(0))}, {given.integer_or(1, -1)}};
  expect_dims(given.sizes(0), 1);
  return transformed(given, kSide, dims);
}

/// `self, s, dim, norm`: without `dim`, the last dimensions, as many as `s` has, or all.
template <Side kSide>
Results in_many(const ArgumentReader& given) {
  const Shape& sizes = given.sizes(0);
  Shape wanted;
  if (given.has(2)) {
    wanted = given.integers(2);
  } else {
    wanted.resize(given.has(1) ? given.integers(1).size() : sizes.size());
    std::iota(wanted.begin(), wanted.end(), -static_cast<std::int64_t>(wanted.size()));
  }
  Dims dims;
  for (const std::int64_t dim : wanted) dims.at.push_back(wrapped(dim, sizes));
  dims.lengths = given.has(1) ? given.integers(1) : Shape(wanted.size(), -1);
  expect_dims(sizes, 1);
  return transformed(given, kSide, dims);
}

/// For windows that slide over the signal. The arguments after `window` begin at `kAfter`.
template <std::size_t kAfter>
Results in_time(const ArgumentReader& given) {
  constexpr bool kMayCenter = kAfter > 5;
  const Shape& signal = given.sizes(0);
  const std::int64_t size = given.integer(1);
  const bool is_centered = kMayCenter && given.flag(5);
  const Window window{size, given.integer_or(2, size / 4), is_centered ? size / 2 : 0};
  const Dtype dtype = given.type();
  const bool is_onesided =
      given.has(kAfter + 1) ? given.flag(kAfter + 1) : !facts(dtype).is_complex;
  Shape sizes = leading(signal, 1);
  sizes.push_back(is_onesided ? size / 2 + 1 : size);
  sizes.push_back(places_of(window, from_end(signal, 1)));
  const bool is_complex = given.has(kAfter + 2) && given.flag(kAfter + 2);
  if (!is_complex) sizes.push_back(2);
  return {given.made(std::move(sizes), is_complex ? complex_of(dtype) : part_of(dtype))};
}

Results polar(const ArgumentReader& given) {
  return {given.made(broadcast(given.sizes(0), given.sizes(1)), complex_of(given.one_type()))};
}

/// Combines pairs in the last dimension into complex numbers.
Results view_as_complex(const ArgumentReader& given) {
  require(from_end(given.sizes(0), 1) == 2,
          [] { return "Tensor must have a last dimension of size 2"; });
  return {given.made(leading(given.sizes(0), 1), complex_of(given.type()))};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
     in_one<Side::kWhole>},
    {"fft_ifft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
     in_one<Side::kWhole>},
    {"fft_rfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
     in_one<Side::kToHalf>},
    {"fft_ihfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
     in_one<Side::kToHalf>},
    {"fft_irfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
     in_one<Side::kFromHalf>},
    {"fft_hfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
     in_one<Side::kFromHalf>},
    {"fft_fft2(Tensor self, int[1]? s=None, int[] dim=[-2,-1], str? norm=None) -> Tensor",
     in_many<Side::kWhole>},
    {"fft_ifft2(Tensor self, int[1]? s=None, int[] dim=[-2,-1], str? norm=None) -> Tensor",
     in_many<Side::kWhole>},
    {"fft_rfft2(Tensor self, int[1]? s=None, int[] dim=[-2,-1], str? norm=None) -> Tensor",
     in_many<Side::kToHalf>},
    {"fft_irfft2(Tensor self, int[1]? s=None, int[] dim=[-2,-1], str? norm=None) -> Tensor",
     in_many<Side::kFromHalf>},
    {"fft_fftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     in_many<Side::kWhole>},
    {"fft_ifftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     in_many<Side::kWhole>},
    {"fft_rfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     in_many<Side::kToHalf>},
    {"fft_irfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     in_many<Side::kFromHalf>},
    {"stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
     "window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None) -> "
     "Tensor",
     in_time<5>},
    {"stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
     "window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? "
     "onesided=None, bool? return_complex=None) -> Tensor",
     in_time<7>},
    {"polar(Tensor abs, Tensor angle) -> Tensor", polar},
    {"view_as_complex(Tensor(a) self) -> Tensor(a)", view_as_complex},
});

}  // namespace

std::span<const ShapeRow> spectrum_rows() { return kRows; }

}  // namespace assay::cuda::aten
