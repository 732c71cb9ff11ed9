// Implements convolutions as sums over pairs of places.
#include "reference/core/math/convolution.hpp"

#include "reference/core/math/operand.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

std::int64_t reach_of(const Tensor& weight, const ConvOptions& options, std::size_t dim) {
  return options.dilation[dim] * (weight.sizes()[dim + 2] - 1) + 1;
}

void check_operands(const Tensor& x, const Tensor& weight, const Tensor& bias,
                    const ConvOptions& options) {
  common_device({x, weight, bias}, "convolution");
  const bool are_alike =
      x.dtype() == weight.dtype() && (!bias.defined() || bias.dtype() == x.dtype());
  check(are_alike, [&] {
    return "convolution: expected all operands to have the same dtype, but got " +
           std::string(cpp_name_of(x.dtype())) + " and " + std::string(cpp_name_of(weight.dtype()));
  });
  check(weight.dim() >= 3 && x.dim() == weight.dim(), [&] {
    return "convolution: the weight " + to_text(weight.sizes()) + " does not fit the input " +
           to_text(x.sizes());
  });
  const std::size_t dims = weight.sizes().size() - 2;
  const bool is_complete = options.stride.size() == dims && options.padding.size() == dims &&
                           options.dilation.size() == dims;
  check(is_complete, [] { return "convolution: one number for each dimension is expected"; });
  for (std::size_t i = 0; i < dims; ++i) {
    check(options.padding[i] >= 0, [] { return "negative padding is not supported"; });
    check(options.stride[i] > 0, [] { return "non-positive stride is not supported"; });
    check(options.dilation[i] > 0, [] { return "dilation should be greater than zero"; });
  }
}

/// The sizes of the result after batch and channels.
Shape slid_sizes(const Tensor& x, const Tensor& weight, const ConvOptions& options) {
  Shape sizes;
  for (std::size_t i = 0; i < options.stride.size(); ++i) {
    const std::int64_t reach = reach_of(weight, options, i);
    const std::int64_t length = x.sizes()[i + 2];
    if (options.transposed) {
      sizes.push_back((length - 1) * options.stride[i] - 2 * options.padding[i] + reach +
                      options.output_padding[i]);
      check(sizes.back() > 0, [&] { return "Output size is too small: " + to_text(sizes); });
    } else {
      check(length + 2 * options.padding[i] >= reach, [&] {
        return "Kernel size can't be greater than actual input size: the weight " +
               to_text(weight.sizes()) + " and the padded input " + to_text(x.sizes());
      });
      sizes.push_back((length + 2 * options.padding[i] - reach) / options.stride[i] + 1);
    }
  }
  return sizes;
}

/// Two planes: `places` on the shorter one are multiplied by the kernel, which moves over the
/// longer one. A convolution sums into the shorter plane, a transposed one into the longer.
struct Pairs {
  Shape shorter;
  Shape longer;
  Shape kernel;
  ConvOptions options;

  /// Calls `visit(at, tap, on)` with row-major indices of a place, an element of the kernel, and
  /// the place under it.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::int64_t at = 0; at < numel_of(shorter); ++at) {
      for (std::int64_t tap = 0; tap < numel_of(kernel); ++tap) {
        std::int64_t on = 0;
        if (find(at, tap, on)) visit(at, tap, on);
      }
    }
  }

 private:
  /// Returns whether the place is not in the padding.
  bool find(std::int64_t at, std::int64_t tap, std::int64_t& on) const {
    std::int64_t step = 1;
    for (std::size_t i = shorter.size(); i-- > 0;) {
      const std::int64_t place = at % shorter[i] * options.stride[i] +
                                 tap % kernel[i] * options.dilation[i] - options.padding[i];
      if (place < 0 || place >= longer[i]) return false;
      on += place * step;
      step *= longer[i];
      at /= shorter[i];
      tap /= kernel[i];
    }
    return true;
  }
};

Shape behind_channels(const Tensor& tensor) {
  return Shape(tensor.sizes().begin() + 2, tensor.sizes().end());
}

struct Convolution {
  Tensor x;
  Tensor weight;
  Tensor bias;
  Tensor result;
  ConvOptions options;

  template <typename T>
  void operator()(T) const {
    const Shape in = behind_channels(x);
    const Shape out = behind_channels(result);
    const Pairs pairs = options.transposed ? Pairs{in, out, behind_channels(weight), options}
                                           : Pairs{out, in, behind_channels(weight), options};
    const std::vector<T> inputs = elements_of<T>(x);
    const std::vector<T> weights = elements_of<T>(weight);
    const std::vector<T> biases = elements_of<T>(bias);
    const std::int64_t in_each = x.size(1) / options.groups;
    const std::int64_t out_each = result.size(1) / options.groups;
    std::vector<T> sums(static_cast<std::size_t>(result.numel()), T{0});
    const auto add_products = [&](std::int64_t sample, std::int64_t from, std::int64_t to) {
      const std::int64_t filter =
          options.transposed ? from * out_each + to % out_each : to * in_each + from % in_each;
      const T* input = inputs.data() + (sample * x.size(1) + from) * numel_of(in);
      const T* taps = weights.data() + filter * numel_of(pairs.kernel);
      T* sum = sums.data() + (sample * result.size(1) + to) * numel_of(out);
      pairs.for_each([&](std::int64_t at, std::int64_t tap, std::int64_t on) {
        if (options.transposed) {
          sum[on] += input[at] * taps[tap];
        } else {
          sum[at] += input[on] * taps[tap];
        }
      });
    };
    for (std::int64_t sample = 0; sample < x.size(0); ++sample) {
      for (std::int64_t to = 0; to < result.size(1); ++to) {
        const std::int64_t first = to / out_each * in_each;
        for (std::int64_t i = 0; i < in_each; ++i) add_products(sample, first + i, to);
      }
    }
    const std::int64_t plane = numel_of(out);
    for (std::size_t i = 0; i < sums.size() && !biases.empty(); ++i) {
      const std::int64_t channel = static_cast<std::int64_t>(i) / plane % result.size(1);
      sums[i] += biases[static_cast<std::size_t>(channel)];
    }
    store_elements(result, sums);
  }
};

}  // namespace

Tensor convolution(Runtime& runtime, const Tensor& x, const Tensor& weight, const Tensor& bias,
                   const ConvOptions& options) {
  if (x.dim() == weight.dim() - 1) {
    Shape sizes = x.sizes();
    Shape strides = x.strides();
    sizes.insert(sizes.begin(), 1);
    strides.insert(strides.begin(), 0);
    const Tensor one = convolution(runtime, as_strided(x, sizes, strides), weight, bias, options);
    return view_as(one, Shape(one.sizes().begin() + 1, one.sizes().end()));
  }
  check_operands(x, weight, bias, options);
  const std::int64_t groups = options.groups;
  const std::int64_t depth = options.transposed ? weight.size(0) : weight.size(1) * groups;
  const bool is_split = groups > 0 && weight.size(0) >= groups && weight.size(0) % groups == 0;
  check(is_split && x.size(1) == depth, [&] {
    return "Given groups=" + std::to_string(groups) + ", weight of size " +
           to_text(weight.sizes()) + ", expected input" + to_text(x.sizes()) + " to have " +
           std::to_string(depth) + " channels";
  });
  const std::int64_t channels = options.transposed ? weight.size(1) * groups : weight.size(0);
  check(!bias.defined() || bias.sizes() == Shape{channels}, [&] {
    return "expected bias to be 1-dimensional with " + std::to_string(channels) +
           " elements, but got bias of size " + to_text(bias.sizes());
  });
  const bool is_without = !options.transposed && x.size(1) == 0;
  Shape sizes{x.size(0), is_without ? 0 : channels};
  for (const std::int64_t size : slid_sizes(x, weight, options)) sizes.push_back(size);
  Tensor result = empty(runtime, sizes, x.dtype(), x.device());
  count_launch(runtime, x.device());
  if (result.data() == nullptr) return result;
  launch_compute(
      runtime, x.device(), "convolution", x.dtype(),
      Convolution{borrowed(x), borrowed(weight), borrowed(bias), borrowed(result), options});
  return result;
}

}  // namespace assay::reference
