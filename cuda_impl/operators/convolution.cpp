// Convolution: argument checks and sizes.
#include <algorithm>
#include <array>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

void require_types(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  common_device(std::array{input, weight, bias});
  const bool are_alike =
      input.dtype() == weight.dtype() && (!bias.defined() || bias.dtype() == input.dtype());
  require(are_alike, [&] {
    return "Input type (" + std::string(facts(input.dtype()).cpp_name) + ") and weight type (" +
           std::string(facts(weight.dtype()).cpp_name) +
           ") should be the same, and the type of the bias too";
  });
  require(facts(input.dtype()).is_floating && has_kernels(input.dtype()), [&] {
    return "\"convolution\" not implemented for '" + std::string(facts(input.dtype()).cpp_name) +
           "'";
  });
}

void require_options(const ConvolutionOptions& options) {
  const auto all = [](const Shape& numbers, std::int64_t least) {
    return std::ranges::all_of(numbers, [&](std::int64_t number) { return number >= least; });
  };
  require(all(options.stride, 1) && all(options.dilation, 1) && all(options.padding, 0) &&
              options.groups > 0,
          [] {
            return "a convolution needs a positive stride, dilation and number of groups, and a "
                   "padding that is not negative";
          });
}

/// Replaces the last dimensions of `triple` by these numbers.
Triple ending_in(Triple triple, Shape::const_iterator first, Shape::const_iterator end) {
  std::copy_backward(first, end, std::end(triple.of));
  return triple;
}

Triple ending_in(const Triple& triple, const Shape& numbers) {
  return ending_in(triple, numbers.begin(), numbers.end());
}

void require_fitting(const ConvolutionTask& task, const Tensor& weight, const Tensor& bias) {
  const std::int64_t channels =
      task.is_transposed ? weight.sizes()[0] : weight.sizes()[1] * task.groups;
  require(task.channels == channels, [&] {
    return "Given groups=" + std::to_string(task.groups) + ", weight of size " +
           to_text(weight.sizes()) + ", expected input to have " + std::to_string(channels) +
           " channels, but got " + std::to_string(task.channels) + " channels instead";
  });
  require(weight.sizes()[0] > 0 && weight.sizes()[0] % task.groups == 0, [&] {
    return "expected the first size of the weight to be a positive multiple of groups=" +
           std::to_string(task.groups) + ", but got " + std::to_string(weight.sizes()[0]);
  });
  require(!bias.defined() || bias.sizes() == Shape{task.out_channels}, [&] {
    return "expected bias to have " + std::to_string(task.out_channels) + " elements, but got " +
           to_text(bias.sizes());
  });
}

void compute_out_sizes(ConvolutionTask& task, const Shape& more) {
  const Triple added = ending_in({{0, 0, 0}}, more);
  for (int dim = 0; dim < 3; ++dim) {
    const std::int64_t reach = task.dilation.of[dim] * (task.widths.of[dim] - 1) + 1;
    const std::int64_t padded = 2 * task.padding.of[dim];
    const std::int64_t room = task.sizes.of[dim] + padded - reach;
    std::int64_t& size = task.out_sizes.of[dim];
    size = room < 0 ? 0 : room / task.stride.of[dim] + 1;
    if (task.is_transposed) {
      size = (task.sizes.of[dim] - 1) * task.stride.of[dim] - padded + reach + added.of[dim];
    }
    require(size > 0 && task.widths.of[dim] > 0, [&] {
      return "Calculated padded input size per channel: (" +
             std::to_string(task.sizes.of[dim] + padded) + "). Kernel size: (" +
             std::to_string(task.widths.of[dim]) +
             "). Kernel size can't be greater than actual input size, and the output must not be "
             "empty";
    });
  }
}

ConvolutionTask task_of(const Tensor& input, const Tensor& weight,
                        const ConvolutionOptions& options) {
  ConvolutionTask task;
  task.dtype = input.dtype();
  task.is_transposed = options.is_transposed;
  task.batches = input.sizes()[0];
  task.channels = input.sizes()[1];
  task.groups = options.groups;
  task.out_channels =
      options.is_transposed ? weight.sizes()[1] * options.groups : weight.sizes()[0];
  task.sizes = ending_in(task.sizes, input.sizes().begin() + 2, input.sizes().end());
  task.widths = ending_in(task.widths, weight.sizes().begin() + 2, weight.sizes().end());
  task.stride = ending_in(task.stride, options.stride);
  task.padding = ending_in(task.padding, options.padding);
  task.dilation = ending_in(task.dilation, options.dilation);
  compute_out_sizes(task, options.more);
  return task;
}

void run(const ConvolutionTask& task, Device device) {
  if (!device.is_cuda()) return on_host::convolution(task);
  const DeviceScope scope(device.index);
  launch_convolution(task);
}

}  // namespace

Tensor convolution(const Tensor& input, const Tensor& weight, const Tensor& bias,
                   const ConvolutionOptions& options) {
  const bool fits = weight.defined() && weight.dim() >= 3 && weight.dim() <= 5 &&
                    (input.dim() == weight.dim() || input.dim() == weight.dim() - 1);
  require(fits, [&] {
    return "Expected a weight of 3 to 5 dimensions, and an input of as many, or of one fewer "
           "without a batch, but got " +
           describe(input) + " and " + describe(weight);
  });
  require_types(input, weight, bias);
  require_options(options);
  if (input.dim() == weight.dim() - 1) {
    const Tensor result = convolution(unsqueeze(input, 0), weight, bias, options);
    return reshape(result, Shape(result.sizes().begin() + 1, result.sizes().end()));
  }
  ConvolutionTask task = task_of(input, weight, options);
  require_fitting(task, weight, bias);
  // Without input channels, PyTorch's result has no output channels.
  const bool is_without_channels = !task.is_transposed && task.channels == 0;
  Shape sizes{task.batches, is_without_channels ? 0 : task.out_channels};
  sizes.insert(sizes.end(), std::end(task.out_sizes.of) - (weight.dim() - 2),
               std::end(task.out_sizes.of));
  const Tensor result = empty(sizes, task.dtype, input.device());
  if (result.numel() == 0 || result.is_meta()) return result;
  const Tensor from = contiguous(input);
  const Tensor weights = contiguous(weight);
  const Tensor added = bias.defined() ? contiguous(bias) : bias;
  task.input = from.data();
  task.weight = weights.data();
  task.bias = added.data();
  task.out = result.data();
  run(task, result.device());
  return result;
}

Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias,
              const Conv1dOptions& options) {
  require(weight.defined() && weight.dim() == 3, [&] {
    return "Expected 2D (unbatched) or 3D (batched) input to conv1d, and a 3D weight, but got " +
           describe(input) + " and " + describe(weight);
  });
  return convolution(input, weight, bias,
                     {{options.stride}, {options.padding}, {options.dilation}, options.groups});
}

}  // namespace assay::cuda
