// Convolutions and their transposes.
#include <algorithm>

#include "reference/core/math/convolution.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

/// A single number is for all dimensions.
Shape for_each_dim(const BoxedArguments& args, std::size_t at) {
  const auto dims = static_cast<std::size_t>(std::max<std::int64_t>(args.tensor(1).dim() - 2, 1));
  const Shape numbers = args.integers(at);
  return numbers.size() == 1 ? Shape(dims, numbers.front()) : numbers;
}

/// A convolution over `dims` dimensions takes one sample or a batch.
void check_dims(const BoxedArguments& args, std::int64_t dims) {
  const std::int64_t given = args.tensor(0).dim();
  check(args.tensor(1).dim() == dims + 2 && (given == dims + 1 || given == dims + 2), [&] {
    return "a convolution over " + std::to_string(dims) + " dimensions of the input " +
           describe(args.tensor(0)) + " by the weight " + describe(args.tensor(1));
  });
}

/// After input, weight and bias: stride, padding, dilation and groups.
template <std::int64_t kDims>
IValue conv_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  check_dims(args, kDims);
  return IValue(convolution(dispatcher.runtime(), args.tensor(0), args.tensor(1), args.tensor(2),
                            {.stride = for_each_dim(args, 3),
                             .padding = for_each_dim(args, 4),
                             .dilation = for_each_dim(args, 5),
                             .groups = args.integer(6)}));
}

Tensor with_zero_at_end(Dispatcher& dispatcher, const Tensor& x, std::int64_t dim) {
  Shape sizes = x.sizes();
  sizes[static_cast<std::size_t>(dim)] = 1;
  const Tensor zero = zeros(dispatcher.runtime(), sizes, x.dtype(), x.device());
  return call_tensor(dispatcher, "aten::cat", {boxed(std::vector{x, zero}), IValue(dim)});
}

/// `…, stride, padding, dilation, groups`. The padding is the word "valid", for none, or "same",
/// for as much as keeps the sizes.
template <std::int64_t kDims>
IValue conv_by_word_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  args[4].expect_kind("String");
  const auto& word = std::get<std::string>(args[4].payload());
  check(word == "valid" || word == "same",
        [&] { return "Invalid padding string: '" + word + "'"; });
  check_dims(args, kDims);
  const Shape stride = for_each_dim(args, 3);
  const Shape dilation = for_each_dim(args, 5);
  const Shape none(kDims, 0);
  check(stride.size() == none.size() && dilation.size() == none.size(),
        [] { return "stride or dilation cannot broadcast to the dimensions of a convolution"; });
  Tensor x = args.tensor(0);
  Shape padding = none;
  for (std::size_t i = 0; i < padding.size() && word == "same"; ++i) {
    check(stride[i] == 1,
          [] { return "padding='same' is not supported for strided convolutions"; });
    const std::int64_t total = dilation[i] * (args.tensor(1).sizes()[i + 2] - 1);
    check(total >= 0, [] { return "negative padding is not supported"; });
    padding[i] = total / 2;
    const std::int64_t dim = x.dim() - kDims + static_cast<std::int64_t>(i);
    if (total % 2 != 0) x = with_zero_at_end(dispatcher, x, dim);
  }
  return IValue(call_tensor(dispatcher, "aten::convolution",
                            {IValue(x), args[1], args[2], boxed(stride), boxed(padding),
                             boxed(dilation), IValue(false), boxed(none), args[6]}));
}

/// `…, stride, padding, output_padding, groups, dilation`
template <std::int64_t kDims>
IValue conv_transpose_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  check_dims(args, kDims);
  return IValue(convolution(dispatcher.runtime(), args.tensor(0), args.tensor(1), args.tensor(2),
                            {.stride = for_each_dim(args, 3),
                             .padding = for_each_dim(args, 4),
                             .dilation = for_each_dim(args, 7),
                             .groups = args.integer(6),
                             .transposed = true,
                             .output_padding = for_each_dim(args, 5)}));
}

/// `…, stride, padding, dilation, transposed, output_padding, groups`
IValue convolution_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(convolution(dispatcher.runtime(), args.tensor(0), args.tensor(1), args.tensor(2),
                            {.stride = for_each_dim(args, 3),
                             .padding = for_each_dim(args, 4),
                             .dilation = for_each_dim(args, 5),
                             .groups = args.integer(8),
                             .transposed = args.boolean(6),
                             .output_padding = for_each_dim(args, 7)}));
}

}  // namespace

std::vector<OpDefinition> convolution_operators() {
  return {
      {.name = "aten::conv1d", .kernel = conv_kernel<1>},
      {.name = "aten::conv1d.padding",
       .place = OpPlace::kComposite,
       .kernel = conv_by_word_kernel<1>},
      {.name = "aten::conv2d", .kernel = conv_kernel<2>},
      {.name = "aten::conv2d.padding",
       .place = OpPlace::kComposite,
       .kernel = conv_by_word_kernel<2>},
      {.name = "aten::conv3d", .kernel = conv_kernel<3>},
      {.name = "aten::conv3d.padding",
       .place = OpPlace::kComposite,
       .kernel = conv_by_word_kernel<3>},
      {.name = "aten::conv_transpose1d", .kernel = conv_transpose_kernel<1>},
      {.name = "aten::conv_transpose2d.input", .kernel = conv_transpose_kernel<2>},
      {.name = "aten::conv_transpose3d.input", .kernel = conv_transpose_kernel<3>},
      {.name = "aten::convolution", .kernel = convolution_kernel},
  };
}

}  // namespace assay::reference
