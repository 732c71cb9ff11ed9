// Convolutions by all the names that autocast's lists have for them.
#include <algorithm>
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/linear.hpp"
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

/// For an operator over `count` dimensions, of one sample or a batch.
void expect_spatial(const ArgumentReader& given, std::size_t count) {
  const std::size_t dims = given.sizes(0).size();
  require(spatial_of(given) == count && (dims == count + 1 || dims == count + 2), [&] {
    return "Expected an input of " + std::to_string(count + 1) + " or " +
           std::to_string(count + 2) + " dimensions and a weight of " + std::to_string(count + 2) +
           ", but got the input " + describe(given.tensor(0)) + " and the weight " +
           describe(given.tensor(1));
  });
}

/// `input, weight, bias, stride, padding, dilation, groups`
template <std::size_t kCount>
Results plain(const ArgumentReader& given) {
  expect_spatial(given, kCount);
  return result_of(given, {given.integers(3, kCount), given.integers(4, kCount),
                           given.integers(5, kCount), given.integer(6)});
}

/// The padding is a word: `valid`, or `same` to keep the size.
template <std::size_t kCount>
Results worded(const ArgumentReader& given) {
  const std::string& padding = given.text(4);
  require(padding == "valid" || padding == "same",
          [&] { return "Invalid padding string: '" + padding + "'"; });
  expect_spatial(given, kCount);
  ConvolutionOptions by{given.integers(3, kCount), Shape(kCount, 0), given.integers(5, kCount),
                        given.integer(6)};
  if (padding == "valid") return result_of(given, by);
  require(by.stride == Shape(kCount, 1),
          [] { return "padding='same' is not supported for strided convolutions"; });
  for (std::size_t i = 0; i < kCount; ++i) {
    by.padding[i] = (by.dilation[i] * (given.sizes(1)[i + 2] - 1) + 1) / 2;
  }
  Tensor result = result_of(given, by).front().tensor();
  // An odd padding is one shorter in front, so the first position is left out.
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::int64_t size = from_end(given.sizes(0), kCount - i);
    const std::int64_t dim = result.dim() - static_cast<std::int64_t>(kCount - i);
    require(size > 0, [] { return "the kernel is larger than the padded input"; });
    const std::int64_t extra = result.sizes()[static_cast<std::size_t>(dim)] - size;
    if (extra > 0) result = narrow(result, dim, extra, size);
  }
  return {Boxed(contiguous(result))};
}

/// `input, weight, bias, stride, padding, output_padding, groups, dilation`
template <std::size_t kCount>
Results transposed(const ArgumentReader& given) {
  expect_spatial(given, kCount);
  return result_of(given,
                   {given.integers(3, kCount), given.integers(4, kCount), given.integers(7, kCount),
                    given.integer(6), true, given.integers(5, kCount)});
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
     plain<1>},
    {"conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, "
     "int[2] dilation=1, int groups=1) -> Tensor",
     plain<2>},
    {"conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, "
     "int[3] dilation=1, int groups=1) -> Tensor",
     plain<3>},
    {"conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str "
     "padding=\"valid\", int[1] dilation=1, int groups=1) -> Tensor",
     worded<1>},
    {"conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str "
     "padding=\"valid\", int[2] dilation=1, int groups=1) -> Tensor",
     worded<2>},
    {"conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str "
     "padding=\"valid\", int[3] dilation=1, int groups=1) -> Tensor",
     worded<3>},
    {"conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] "
     "padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor",
     transposed<1>},
    {"conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, "
     "int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
     transposed<2>},
    {"conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, "
     "int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
     transposed<3>},
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
