// Operators along one dimension: softmax and its logarithm with their derivatives, running sums and
// products, group norm.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/autograd/steps.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {

// Softmax and its logarithm.

namespace {

IValue softmax_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  const ScalarType dtype = args.dtype(2).value_or(self.dtype());
  wrap_dim(args.integer(1), std::max<std::int64_t>(self.dim(), 1));
  Runtime& runtime = dispatcher.runtime();
  return IValue(softmax(runtime, as_dtype(runtime, self, dtype), args.integer(1)));
}

/// Each element minus the logarithm of the sum of exponentials; a row that holds an infinity above
/// all is NaN.
IValue log_softmax_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  const Tensor input = as_dtype(runtime, self, args.dtype(2).value_or(self.dtype()));
  check(is_floating(input.dtype()), ErrorKind::kNotImplemented, [&] {
    return "\"log_softmax\" not implemented for '" + std::string(cpp_name_of(input.dtype())) + "'";
  });
  return IValue(rewrite_rows(runtime, "log_softmax", input, args.integer(1),
                             []<typename T>(std::span<T> row) {
                               if constexpr (std::is_floating_point_v<T>) {
                                 const T largest = *std::max_element(row.begin(), row.end());
                                 T sum = 0;
                                 for (const T element : row) sum += std::exp(element - largest);
                                 for (T& element : row)
                                   element = (element - largest) - std::log(sum);
                               }
                             }));
}

Tensor with(const DerivativeCall& call, const char* name, const Tensor& left, const Tensor& right) {
  return call_tensor(call.dispatcher(), name, {IValue(left), IValue(right)});
}

Tensor sums_of(const DerivativeCall& call, const Tensor& tensor) {
  if (tensor.dim() == 0) return tensor;
  const std::vector<std::int64_t> dims{call.plain().integer(1)};
  return call_tensor(call.dispatcher(), "aten::sum.dim_IntList",
                     {IValue(tensor), boxed(dims), IValue(true)});
}

/// Computed in float32 or float64: only the resulting gradient is rounded to a half type (CORE-22).
Tensor widened(const DerivativeCall& call, const Tensor& tensor) {
  const bool is_wide = tensor.dtype() == ScalarType::kDouble;
  return cast_to(call.dispatcher().runtime(), tensor,
                 is_wide ? tensor.dtype() : ScalarType::kFloat);
}

/// (grad - sum of grad * result) * result
Gradients softmax_derivative(const DerivativeCall& call, const Tensor& grad) {
  const Tensor wide = widened(call, grad);
  const Tensor result = widened(call, call.result());
  const Tensor sums = sums_of(call, with(call, "aten::mul.Tensor", wide, result));
  const Tensor above = with(call, "aten::sub.Tensor", wide, sums);
  const Tensor slope = with(call, "aten::mul.Tensor", above, result);
  return {cast_to(call.dispatcher().runtime(), slope, grad.dtype())};
}

/// grad - exp(result) * sum of grad
Gradients log_softmax_derivative(const DerivativeCall& call, const Tensor& grad) {
  const Tensor wide = widened(call, grad);
  const Tensor shares =
      call_tensor(call.dispatcher(), "aten::exp", {IValue(widened(call, call.result()))});
  const Tensor product = with(call, "aten::mul.Tensor", shares, sums_of(call, wide));
  const Tensor slope = with(call, "aten::sub.Tensor", wide, product);
  return {cast_to(call.dispatcher().runtime(), slope, grad.dtype())};
}

}  // namespace

std::vector<OpDefinition> softmax_operators() {
  return {
      {.name = "aten::softmax.int",
       .kernel = softmax_kernel,
       .derivative = softmax_derivative,
       .keeps_result = true},
      {.name = "aten::log_softmax.int",
       .kernel = log_softmax_kernel,
       .derivative = log_softmax_derivative,
       .keeps_result = true},
  };
}

// Running sums and products, logarithmic softmax, group norm.

namespace {

/// Integers are accumulated in int64.
Tensor accumulated(Runtime& runtime, const Tensor& self, std::optional<ScalarType> asked) {
  const bool is_whole = is_integral(self.dtype(), true);
  return as_dtype(runtime, self, asked.value_or(is_whole ? ScalarType::kLong : self.dtype()));
}

/// CUDA rounds each total of a half type.
template <template <typename> typename Operation>
IValue running(Dispatcher& dispatcher, const BoxedArguments& args, const char* name) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor input = accumulated(runtime, args.tensor(0), args.dtype(2));
  const bool rounds = input.is_cuda() && (input.dtype() == ScalarType::kHalf ||
                                          input.dtype() == ScalarType::kBFloat16);
  const auto run = [rounds, dtype = input.dtype()]<typename T>(std::span<T> row) {
    std::partial_sum(row.begin(), row.end(), row.begin(), [&](T total, T element) {
      const T next = Operation<T>()(total, element);
      if (!rounds) return next;
      return static_cast<T>(real_of_bits(dtype, bits_of_real(dtype, static_cast<double>(next))));
    });
  };
  return IValue(rewrite_rows(runtime, name, input, args.integer(1), run));
}

IValue cumsum_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return running<std::plus>(dispatcher, args, "cumsum");
}

IValue cumprod_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return running<std::multiplies>(dispatcher, args, "cumprod");
}

Tensor product_over(Runtime& runtime, const Tensor& self, const Dims& over,
                    std::optional<ScalarType> dtype) {
  return reduce_rows(runtime, "prod", accumulated(runtime, self, dtype), over,
                     []<typename T>(std::span<const T> row) {
                       return std::accumulate(row.begin(), row.end(), T{1}, std::multiplies<T>());
                     });
}

IValue prod_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(product_over(dispatcher.runtime(), args.tensor(0), {}, args.dtype(1)));
}

IValue prod_dim_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(product_over(dispatcher.runtime(), args.tensor(0),
                             {{args.integer(1)}, args.boolean(2)}, args.dtype(3)));
}

/// ln of the sum of exp. The largest element is taken out first, unless it is infinite.
template <typename T>
T log_sum_exp(std::span<const T> row) {
  if (row.empty()) return -std::numeric_limits<T>::infinity();
  const T largest = *std::max_element(row.begin(), row.end());
  const T shift = std::isinf(largest) ? T{0} : largest;
  T sum = 0;
  for (const T element : row) sum += std::exp(element - shift);
  return std::log(sum) + shift;
}

void check_floating(const Tensor& tensor, const char* name) {
  check(is_floating(tensor.dtype()), ErrorKind::kNotImplemented, [&] {
    return "\"" + std::string(name) + "\" not implemented for '" +
           std::string(cpp_name_of(tensor.dtype())) + "'";
  });
}

IValue logsumexp_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  const bool is_whole = is_integral(self.dtype(), true);
  const Tensor input = as_dtype(runtime, self, is_whole ? ScalarType::kFloat : self.dtype());
  const auto one = []<typename T>(std::span<const T> row) -> T {
    if constexpr (std::is_floating_point_v<T>) return log_sum_exp(row);
    return T{};
  };
  return IValue(reduce_rows(runtime, "logsumexp", input, {args.integers(1), args.boolean(2)}, one));
}

/// Normalizes each group of channels of each sample, then scales and shifts by channel.
IValue group_norm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  const Tensor weight = args.tensor(2);
  const Tensor bias = args.tensor(3);
  const std::int64_t groups = args.integer(1);
  check_floating(self, "group_norm");
  check(self.dim() >= 2 && groups > 0 && self.size(1) % groups == 0, [&] {
    return "Expected number of channels in input to be divisible by num_groups, but got input of "
           "shape " +
           to_text(self.sizes()) + " and num_groups=" + std::to_string(groups);
  });
  const std::int64_t channels = self.size(1);
  for (const Tensor& parameter : {weight, bias}) {
    check(!parameter.defined() || parameter.sizes() == Shape{channels}, [&] {
      return "Expected weight and bias to be vectors of size equal to the number of channels in "
             "input, but got " +
             describe(parameter) + " and input of shape " + to_text(self.sizes());
    });
  }
  Tensor result = empty(runtime, self.sizes(), self.dtype(), self.device());
  count_launch(runtime, self.device());
  if (result.numel() == 0) return IValue(result);
  const auto kernel = [from = borrowed(self), to = borrowed(result), weights = borrowed(weight),
                       biases = borrowed(bias), groups, channels,
                       eps = args.real(4)]<typename T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<T> elements = elements_of<T>(from);
      const std::vector<T> scale = elements_of<T>(weights);
      const std::vector<T> shift = elements_of<T>(biases);
      const auto rows = static_cast<std::size_t>(from.size(0) * groups);
      const std::size_t length = elements.size() / rows;
      const std::size_t plane = elements.size() / static_cast<std::size_t>(from.size(0) * channels);
      for (std::size_t first = 0; first < elements.size(); first += length) {
        const std::span<T> row(elements.data() + first, length);
        const T mean = std::accumulate(row.begin(), row.end(), T{0}) / static_cast<T>(length);
        T squares = 0;
        for (const T element : row) squares += (element - mean) * (element - mean);
        const T deviation = std::sqrt(squares / static_cast<T>(length) + static_cast<T>(eps));
        for (T& element : row) element = (element - mean) / deviation;
      }
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const std::size_t channel = i / plane % static_cast<std::size_t>(channels);
        if (!scale.empty()) elements[i] *= scale[channel];
        if (!shift.empty()) elements[i] += shift[channel];
      }
      store_elements(to, elements);
    }
  };
  launch_compute(runtime, self.device(), "group_norm", self.dtype(), kernel);
  return IValue(result);
}

}  // namespace

std::vector<OpDefinition> row_operators() {
  return {
      {.name = "aten::cumsum", .kernel = cumsum_kernel},
      {.name = "aten::cumprod", .kernel = cumprod_kernel},
      {.name = "aten::prod", .kernel = prod_kernel},
      {.name = "aten::prod.dim_int", .kernel = prod_dim_kernel},
      {.name = "aten::logsumexp", .kernel = logsumexp_kernel},
      {.name = "aten::group_norm", .kernel = group_norm_kernel},
  };
}

}  // namespace assay::reference
