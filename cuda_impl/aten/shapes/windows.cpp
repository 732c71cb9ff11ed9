// Result shapes of pooling, padding and resampling.
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"

namespace assay::cuda::aten {
namespace {

/// `self, kernel_size, stride, padding, …`: the default stride is the kernel size.
Shape pooled(const ArgumentReader& given, const Shape& dilation, bool rounds_up) {
  const std::size_t count = dilation.size();
  const Shape& sizes = given.sizes(0);
  const Shape kernel = given.integers(1, count);
  const Shape stride = given.integers(2).empty() ? kernel : given.integers(2, count);
  const Shape padding = given.integers(3, count);
  Shape last;
  for (std::size_t i = 0; i < count; ++i) {
    const Window window{kernel[i], stride[i], padding[i], dilation[i], rounds_up};
    last.push_back(places_of(window, from_end(sizes, count - i)));
  }
  return with_last(sizes, last);
}

Results avg_pool3d(const ArgumentReader& given) {
  return {given.made(pooled(given, Shape(3, 1), given.flag(4)))};
}
Results max_pool3d(const ArgumentReader& given) {
  return {given.made(pooled(given, given.integers(4, 3), given.flag(5)))};
}

/// The result has the sizes of an argument.
template <std::size_t kArgument, std::size_t kCount>
Results sized(const ArgumentReader& given) {
  return {given.made(with_last(given.sizes(0), given.integers(kArgument, kCount)))};
}
/// Also returns the source index of each element.
template <std::size_t kArgument, std::size_t kCount>
Results sized_with_indices(const ArgumentReader& given) {
  const Shape sizes = with_last(given.sizes(0), given.integers(kArgument, kCount));
  return {given.made(sizes), given.made(sizes, Dtype::kInt64)};
}

/// Pairs of padding widths, beginning with the last dimension.
Results padded(const ArgumentReader& given) {
  Shape sizes = given.sizes(0);
  const Shape widths = given.integers(1);
  expect_dims(sizes, widths.size() / 2);
  for (std::size_t i = 0; i + 1 < widths.size(); i += 2) {
    sizes[sizes.size() - 1 - i / 2] += widths[i] + widths[i + 1];
  }
  return {given.made(std::move(sizes))};
}

/// Samples at the points of a grid, whose last dimension has the coordinates.
Results sampled(const ArgumentReader& given) {
  const Shape& input = given.sizes(0);
  const Shape& grid = given.sizes(1);
  require(
      grid.size() >= 4 && input.size() == grid.size() && input[0] == grid[0] &&
          grid.back() == std::ssize(input) - 2,
      [&] { return "a grid of " + to_text(grid) + " does not fit an input of " + to_text(input); });
  Shape sizes = leading(grid, 1);
  sizes.insert(sizes.begin() + 1, input[1]);
  return {given.made(std::move(sizes), given.one_type())};
}

// In strict mode, a fixed-size list has no empty default (DSP-309).
constexpr auto kRows = std::to_array<ShapeRow>({
    {"avg_pool3d(Tensor self, int[3] kernel_size, int[] stride=[], int[3] padding=0, bool "
     "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
     avg_pool3d},
    {"max_pool3d(Tensor self, int[3] kernel_size, int[] stride=[], int[3] padding=0, int[3] "
     "dilation=1, bool ceil_mode=False) -> Tensor",
     max_pool3d},
    {"adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor", sized<1, 3>},
    {"adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
     sized_with_indices<1, 3>},
    {"fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
     "random_samples) -> (Tensor, Tensor)",
     sized_with_indices<2, 2>},
    {"fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
     "random_samples) -> (Tensor, Tensor)",
     sized_with_indices<2, 3>},
    {"max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor", sized<2, 2>},
    {"max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] "
     "padding) -> Tensor",
     sized<2, 3>},
    {"reflection_pad1d(Tensor self, int[2] padding) -> Tensor", padded},
    {"reflection_pad2d(Tensor self, int[4] padding) -> Tensor", padded},
    {"replication_pad1d(Tensor self, int[2] padding) -> Tensor", padded},
    {"replication_pad2d(Tensor self, int[4] padding) -> Tensor", padded},
    {"replication_pad3d(Tensor self, int[6] padding) -> Tensor", padded},
    {"grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
     "align_corners) -> Tensor",
     sampled},
    {"grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
     "align_corners) -> Tensor",
     sampled},
    {"_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int "
     "padding_mode, bool align_corners) -> Tensor",
     sampled},
    {"grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
     "align_corners) -> Tensor",
     sampled},
    {"upsample_nearest1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor",
     sized<1, 1>},
    {"_upsample_nearest_exact1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor",
     sized<1, 1>},
    {"upsample_linear1d(Tensor self, int[1] output_size, bool align_corners, float? scales=None) "
     "-> Tensor",
     sized<1, 1>},
    {"upsample_nearest2d(Tensor self, int[2] output_size, float? scales_h=None, float? "
     "scales_w=None) -> Tensor",
     sized<1, 2>},
    {"_upsample_nearest_exact2d(Tensor self, int[2] output_size, float? scales_h=None, float? "
     "scales_w=None) -> Tensor",
     sized<1, 2>},
    {"upsample_bilinear2d(Tensor self, int[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 2>},
    {"_upsample_bilinear2d_aa(Tensor self, int[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 2>},
    {"upsample_bicubic2d(Tensor self, int[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 2>},
    {"_upsample_bicubic2d_aa(Tensor self, int[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 2>},
    {"upsample_nearest3d(Tensor self, int[3] output_size, float? scales_d=None, float? "
     "scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 3>},
    {"_upsample_nearest_exact3d(Tensor self, int[3] output_size, float? scales_d=None, float? "
     "scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 3>},
    {"upsample_trilinear3d(Tensor self, int[3] output_size, bool align_corners, float? "
     "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
     sized<1, 3>},
});

}  // namespace

std::span<const ShapeRow> window_rows() { return kRows; }

}  // namespace assay::cuda::aten
