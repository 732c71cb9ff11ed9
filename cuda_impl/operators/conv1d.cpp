// Convolution: argument checks and sizes.
#include <array>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/converted_operand.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/linear.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

void require_types(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  common_device(std::array{input, weight, bias});
  const bool are_alike =
      input.dtype() == weight.dtype() && (!bias.defined() || bias.dtype() == input.dtype());
  require(are_alike, [&] {
    return "Input type (" + std::string(facts(input.dtype()).cpp_name) + ") and weight type (" +
           std::string(facts(weight.dtype()).cpp_name) + ") should be the same, and bias as well";
  });
  require(facts(input.dtype()).is_floating && has_kernels(input.dtype()), [&] {
    return "\"conv1d\" not implemented for '" + std::string(facts(input.dtype()).cpp_name) + "'";
  });
}

void require_options(const Conv1dOptions& options) {
  require(options.stride > 0 && options.dilation > 0 && options.padding >= 0 && options.groups > 0,
          [] {
            return "conv1d needs a positive stride, dilation and number of groups, and a "
                   "padding that is not negative";
          });
}

void require_fitting(const Conv1dTask& task, const Tensor& weight, const Tensor& bias) {
  require(task.channels == weight.sizes()[1] * task.groups, [&] {
    return "Given groups=" + std::to_string(task.groups) + ", weight of size " +
           to_text(weight.sizes()) + ", expected input to have " +
           std::to_string(weight.sizes()[1] * task.groups) + " channels, but got " +
           std::to_string(task.channels) + " channels instead";
  });
  require(task.out_channels % task.groups == 0, [&] {
    return "expected " + std::to_string(task.groups) + " groups to divide " +
           std::to_string(task.out_channels) + " output channels";
  });
  require(task.out_length > 0 && task.width > 0, [&] {
    return "Calculated padded input size per channel: (" +
           std::to_string(task.length + 2 * task.padding) + "). Kernel size: (" +
           std::to_string(task.width) + "). Kernel size can't be greater than actual input size";
  });
  require(!bias.defined() || bias.sizes() == Shape{task.out_channels}, [&] {
    return "expected bias to have " + std::to_string(task.out_channels) + " elements, but got " +
           to_text(bias.sizes());
  });
}

Conv1dTask task_of(const Tensor& input, const Tensor& weight, const Conv1dOptions& options) {
  Conv1dTask task;
  task.dtype = input.dtype();
  task.batches = input.sizes()[0];
  task.channels = input.sizes()[1];
  task.length = input.sizes()[2];
  task.out_channels = weight.sizes()[0];
  task.width = weight.sizes()[2];
  task.stride = options.stride;
  task.padding = options.padding;
  task.dilation = options.dilation;
  task.groups = options.groups;
  const std::int64_t reach = options.dilation * (task.width - 1) + 1;
  const std::int64_t room = task.length + 2 * options.padding - reach;
  task.out_length = room < 0 ? 0 : room / options.stride + 1;
  return task;
}

void run(const Conv1dTask& task, Device device) {
  if (!device.is_cuda()) return on_host::conv1d(task);
  const DeviceScope scope(device.index);
  launch_conv1d(task);
}

}  // namespace

Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias,
              const Conv1dOptions& options) {
  require(weight.defined() && weight.dim() == 3 && (input.dim() == 3 || input.dim() == 2), [&] {
    return "Expected 2D (unbatched) or 3D (batched) input to conv1d, and a 3D weight, but got " +
           describe(input) + " and " + describe(weight);
  });
  require_types(input, weight, bias);
  require_options(options);
  if (input.dim() == 2) {
    const Tensor result = conv1d(unsqueeze(input, 0), weight, bias, options);
    return reshape(result, {result.sizes()[1], result.sizes()[2]});
  }
  Conv1dTask task = task_of(input, weight, options);
  require_fitting(task, weight, bias);
  const Tensor result =
      empty({task.batches, task.out_channels, task.out_length}, task.dtype, input.device());
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

}  // namespace assay::cuda
