// Convolutions by all the names that autocast's lists have for them.
#include <algorithm>
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/convolution.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

Results result_of(const ArgumentReader& given, const ConvolutionOptions& by, bool has_bias = true) {
  given.one_type();
  const Tensor bias = has_bias && given.has(2) ? given.tensor(2) : Tensor();
  return {Boxed(convolution(given.tensor(0), given.tensor(1), bias, by))};
}

std::size_t spatial_of(const ArgumentReader& given) {
  expect_dims(given.sizes(1), 3);
  return given.sizes(1).size() - 2;
}

/// `input, weight, bias, stride, padding, dilation, groups`
Results plain(const ArgumentReader& given) {
  const std::size_t count = spatial_of(given);
  return result_of(given, {given.integers(3, count), given.integers(4, count),
                           given.integers(5, count), given.integer(6)});
}

/// The padding is a word: `valid`, or `same` to keep the size.
Results worded(const ArgumentReader& given) {
  const std::string& padding = given.text(4);
  require(padding == "valid" || padding == "same",
          [&] { return "Invalid padding string: '" + padding + "'"; });
  const std::size_t count = spatial_of(given);
  ConvolutionOptions by{given.integers(3, count), Shape(count, 0), given.integers(5, count),
                        given.integer(6)};
  if (padding == "valid") return result_of(given, by);
  require(by.stride == Shape(count, 1),
          [] { return "padding='same' is not supported for strided convolutions"; });
  for (std::size_t i = 0; i < count; ++i) {
    by.padding[i] = (by.dilation[i] * (given.sizes(1)[i + 2] - 1) + 1) / 2;
  }
  Tensor result = result_of(given, by).front().tensor();
  // An odd padding is one shorter in front, so the first position is left out.
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t size = from_end(given.sizes(0), count - i);
    const std::int64_t dim = result.dim() - static_cast<std::int64_t>(count - i);
    const std::int64_t extra = result.sizes()[static_cast<std::size_t>(dim)] - size;
    if (extra > 0) result = narrow(result, dim, extra, size);
  }
  return {Boxed(contiguous(result))};
}

/// `input, weight, bias, stride, padding, output_padding, groups, dilation`
Results transposed(const ArgumentReader& given) {
  const std::size_t count = spatial_of(given);
  return result_of(given,
                   {given.integers(3, count), given.integers(4, count), given.integers(7, count),
                    given.integer(6), true, given.integers(5, count)});
}

/// `input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, …`
Results general(const ArgumentReader& given) {
  const std::size_t count = spatial_of(given);
  return result_of(given,
                   {given.integers(3, count), given.integers(4, count), given.integers(5, count),
                    given.integer(8), given.flag(6), given.integers(7, count)});
}

/// `self, weight, padding, stride, dilation, groups, …`
Results of_cudnn(const ArgumentReader& given) {
  const std::size_t count = spatial_of(given);
  return result_of(given,
                   {given.integers(3, count), given.integers(2, count), given.integers(4, count),
                    given.integer(5)},
                   false);
}

/// `self, weight, padding, output_padding, stride, dilation, groups, …`
Results transposed_of_cudnn(const ArgumentReader& given) {
  const std::size_t count = spatial_of(given);
  return result_of(given,
                   {given.integers(4, count), given.integers(2, count), given.integers(5, count),
                    given.integer(6), true, given.integers(3, count)},
                   false);
}

/// Time, batch, channels; the weight is time, channels, channels.
Results over_time(const ArgumentReader& given) {
  const Shape& input = given.sizes(0);
  const Shape& weight = given.sizes(1);
  require(input.size() == 3 && weight.size() == 3 && input[2] == weight[1], [&] {
    return "conv_tbc takes no input of " + to_text(input) + " and weight of " + to_text(weight);
  });
  const Window window{.size = weight[0], .padding = given.integer(3)};
  return {given.made({places_of(window, input[0]), input[1], weight[2]}, given.one_type())};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, "
     "int[1] dilation=1, int groups=1) -> Tensor",
     plain},
    {"conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, "
     "int[2] dilation=1, int groups=1) -> Tensor",
     plain},
    {"conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, "
     "int[3] dilation=1, int groups=1) -> Tensor",
     plain},
    {"conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str "
     "padding=\"valid\", int[1] dilation=1, int groups=1) -> Tensor",
     worded},
    {"conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str "
     "padding=\"valid\", int[2] dilation=1, int groups=1) -> Tensor",
     worded},
    {"conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str "
     "padding=\"valid\", int[3] dilation=1, int groups=1) -> Tensor",
     worded},
    {"conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] "
     "padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor",
     transposed},
    {"conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, "
     "int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
     transposed},
    {"conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, "
     "int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
     transposed},
    {"convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, bool transposed, int[] output_padding, int groups) -> Tensor",
     general},
    {"_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool "
     "deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor",
     general},
    {"_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, "
     "bool deterministic, bool cudnn_enabled) -> Tensor",
     general},
    {"cudnn_convolution(Tensor self, Tensor weight, int[] padding, int[] stride, int[] dilation, "
     "int groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor",
     of_cudnn},
    {"cudnn_convolution_transpose(Tensor self, Tensor weight, int[] padding, int[] output_padding, "
     "int[] stride, int[] dilation, int groups, bool benchmark, bool deterministic, bool "
     "allow_tf32) -> Tensor",
     transposed_of_cudnn},
    {"conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor", over_time},
});

}  // namespace

std::span<const ShapeRow> convolution_rows() { return kRows; }

}  // namespace assay::cuda::aten
