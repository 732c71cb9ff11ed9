// Computes the tensor sizes of the networks from their shapes.
#include "harness/measure/models.hpp"

#include <array>

namespace assay::measure {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes shrunk(Sizes sizes, std::int64_t shrink) {
  for (std::int64_t& size : sizes) size = (size + shrink - 1) / shrink;
  return sizes;
}

/// A convolution's weight, then weight and bias of its normalization.
void add_convolution(Sizes& sizes, std::int64_t from, std::int64_t to, std::int64_t window) {
  sizes.insert(sizes.end(), {from * to * window * window, to, to});
}

/// A bottleneck block: 1x1, 3x3, 1x1, to four times the width.
void add_bottleneck(Sizes& sizes, std::int64_t from, std::int64_t width) {
  add_convolution(sizes, from, width, 1);
  add_convolution(sizes, width, width, 3);
  add_convolution(sizes, width, 4 * width, 1);
}

}  // namespace

Sizes resnet50(std::int64_t shrink) {
  constexpr std::array kBlocks{3, 4, 6, 3};
  Sizes sizes;
  add_convolution(sizes, 3, 64, 7);
  std::int64_t channels = 64;
  std::int64_t width = 64;
  for (const int blocks : kBlocks) {
    add_bottleneck(sizes, channels, width);
    add_convolution(sizes, channels, 4 * width, 1);  // the shortcut of the first block
    channels = 4 * width;
    for (int i = 1; i < blocks; ++i) add_bottleneck(sizes, channels, width);
    width *= 2;
  }
  sizes.insert(sizes.end(), {channels * 1000, 1000});
  return shrunk(std::move(sizes), shrink);
}

Sizes transformer7b(std::int64_t shrink) {
  constexpr std::int64_t kWords = 32000;
  constexpr std::int64_t kWidth = 4096;
  constexpr std::int64_t kInner = 11008;
  constexpr int kLayers = 32;
  Sizes sizes{kWords * kWidth};
  for (int i = 0; i < kLayers; ++i) {
    sizes.insert(sizes.end(), 4, kWidth * kWidth);
    sizes.insert(sizes.end(), 3, kWidth * kInner);
    sizes.insert(sizes.end(), 2, kWidth);
  }
  sizes.insert(sizes.end(), {kWidth, kWords * kWidth});
  return shrunk(std::move(sizes), shrink);
}

}  // namespace assay::measure
