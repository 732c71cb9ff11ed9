// Layer norm: the normalized rows, and the mean and the inverse deviation of each (CORE-22), with
// its derivative.
#include <algorithm>
#include <cmath>
#include <span>

#include "reference/autograd/closure_node.hpp"
#include "reference/core/math/operand.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

/// Arguments 0 to 4: input, sizes of a row, weight, bias, epsilon.
struct Given {
  explicit Given(const BoxedArguments& args)
      : input(args.tensor(0)),
        row(args.integers(1)),
        weight(args.tensor(2)),
        bias(args.tensor(3)),
        eps(args.real(4)) {}

  Tensor input;
  Shape row;
  Tensor weight;
  Tensor bias;
  double eps;
};

struct Normed {
  Tensor rows;
  Tensor mean;
  Tensor inverse;
};

void check_sizes(const Given& given) {
  check(!given.row.empty(), [] {
    return "layer_norm: expected normalized_shape to be at least 1-dimensional, got []";
  });
  const Shape& sizes = given.input.sizes();
  const bool fits = given.row.size() <= sizes.size() &&
                    std::equal(given.row.rbegin(), given.row.rend(), sizes.rbegin());
  check(fits, [&] {
    return "layer_norm: the normalized_shape " + to_text(given.row) + " is not the end of " +
           to_text(sizes);
  });
  for (const Tensor& parameter : {given.weight, given.bias}) {
    check(!parameter.defined() || parameter.sizes() == given.row, [&] {
      return "layer_norm: weight and bias must have the normalized_shape " + to_text(given.row) +
             ", got " + describe(parameter);
    });
  }
}

/// The type of weight and bias; the input's if there are none.
ScalarType parameter_type(const Given& given) {
  if (given.weight.defined()) return given.weight.dtype();
  return given.bias.defined() ? given.bias.dtype() : given.input.dtype();
}

bool is_half(ScalarType dtype) {
  return dtype == ScalarType::kHalf || dtype == ScalarType::kBFloat16;
}

/// With a half-type input, only a CPU accepts float32 parameters.
void check_types(const Given& given) {
  const ScalarType dtype = given.input.dtype();
  check(is_floating(dtype), [&] {
    return "layer_norm: expected a floating point dtype, got " + std::string(cpp_name_of(dtype));
  });
  const ScalarType wanted = parameter_type(given);
  const bool is_mixed =
      given.input.device().is_cpu() && is_half(dtype) && wanted == ScalarType::kFloat;
  const bool is_alike =
      !given.weight.defined() || !given.bias.defined() || given.bias.dtype() == wanted;
  check((wanted == dtype || is_mixed) && is_alike, [&] {
    return "layer_norm: mixed dtypes: expected weight and bias with the scalar type of " +
           describe(given.input);
  });
}

/// A GPU keeps the statistics of half types in float32.
ScalarType statistics_type(const Given& given) {
  const bool is_wide = given.input.device().is_cuda() && is_half(given.input.dtype());
  return is_wide ? ScalarType::kFloat : parameter_type(given);
}

template <typename T>
struct Moments {
  T mean = 0;
  T deviation = 0;
};

/// The mean of no elements is 0, and their deviation NaN.
template <typename T>
Moments<T> moments_of(std::span<const T> row, double eps) {
  const auto length = static_cast<T>(row.size());
  T sum = 0;
  for (const T element : row) sum += element;
  const T mean = row.empty() ? 0 : sum / length;
  T squares = 0;
  for (const T element : row) squares += (element - mean) * (element - mean);
  return {mean, std::sqrt(squares / length + static_cast<T>(eps))};
}

Normed normed(Runtime& runtime, const Given& given) {
  const Tensor& input = given.input;
  common_device({input, given.weight, given.bias}, "layer_norm");
  check_sizes(given);
  check_types(given);
  const auto batch = input.sizes().size() - given.row.size();
  Shape each = input.sizes();
  std::fill(each.begin() + static_cast<std::ptrdiff_t>(batch), each.end(), 1);
  const ScalarType type = statistics_type(given);
  Normed made{empty(runtime, input.sizes(), input.dtype(), input.device()),
              empty(runtime, each, type, input.device()),
              empty(runtime, each, type, input.device())};
  count_launch(runtime, input.device());
  if (made.mean.data() == nullptr) return made;
  const auto kernel = [from = borrowed(input), to = borrowed(made.rows), eps = given.eps,
                       means = borrowed(made.mean), inverses = borrowed(made.inverse),
                       weights = borrowed(given.weight), biases = borrowed(given.bias),
                       length = static_cast<std::size_t>(numel_of(given.row))]<typename T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<T> elements = elements_of<T>(from);
      const std::vector<T> weight = elements_of<T>(weights);
      const std::vector<T> bias = elements_of<T>(biases);
      std::vector<T> mean;
      std::vector<T> inverse;
      for (std::int64_t row = 0; row < means.numel(); ++row) {
        const std::span<T> all(elements.data() + static_cast<std::size_t>(row) * length, length);
        const auto [middle, deviation] = moments_of<T>(all, eps);
        for (std::size_t i = 0; i < length; ++i) {
          all[i] = (all[i] - middle) / deviation;
          if (!weight.empty()) all[i] *= weight[i];
          if (!bias.empty()) all[i] += bias[i];
        }
        mean.push_back(middle);
        inverse.push_back(1 / deviation);
      }
      store_elements(to, elements);
      store_elements(means, mean);
      store_elements(inverses, inverse);
    }
  };
  launch_compute(runtime, input.device(), "layer_norm", input.dtype(), kernel);
  return made;
}

IValue layer_norm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(normed(dispatcher.runtime(), Given(args)).rows);
}

IValue native_layer_norm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Normed made = normed(dispatcher.runtime(), Given(args));
  return IValue(std::make_shared<IValue::List>(
      IValue::List{IValue(made.rows), IValue(made.mean), IValue(made.inverse)}));
}

/// The gradients of input, weight and bias; empty tensors where none is wanted.
struct Slopes {
  Tensor input;
  Tensor weight;
  Tensor bias;
};

/// `normed` rows are (x - mean) * inverse; `grad` of the result is scaled by the weight before it
/// goes on to the input.
template <typename T>
struct RowSlopes {
  std::vector<T> weight;
  std::vector<T> of_weight;
  std::vector<T> of_bias;

  void add(std::span<T> row, std::span<const T> grad, T mean, T inverse) {
    T along = 0;
    T across = 0;
    std::vector<T> scaled(grad.begin(), grad.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = (row[i] - mean) * inverse;
      of_weight[i] += grad[i] * row[i];
      of_bias[i] += grad[i];
      if (!weight.empty()) scaled[i] *= weight[i];
      along += scaled[i] * row[i];
      across += scaled[i];
    }
    const auto length = static_cast<T>(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = (scaled[i] - across / length - row[i] * (along / length)) * inverse;
    }
  }
};

void compute_slopes(Runtime& runtime, const Given& given, const Tensor& grad,
                    const Slopes& slopes) {
  const Normed made = normed(runtime, given);
  const auto kernel = [from = borrowed(given.input), grad = borrowed(grad),
                       means = borrowed(made.mean), inverses = borrowed(made.inverse),
                       weights = borrowed(given.weight), to = borrowed(slopes.input),
                       to_weight = borrowed(slopes.weight), to_bias = borrowed(slopes.bias),
                       length = static_cast<std::size_t>(numel_of(given.row))]<typename T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<T> elements = elements_of<T>(from);
      const std::vector<T> grads = elements_of<T>(grad);
      const std::vector<T> mean = elements_of<T>(means);
      const std::vector<T> inverse = elements_of<T>(inverses);
      RowSlopes<T> by{elements_of<T>(weights), std::vector<T>(length, 0),
                      std::vector<T>(length, 0)};
      for (std::size_t row = 0; row < mean.size() && length > 0; ++row) {
        by.add({elements.data() + row * length, length}, {grads.data() + row * length, length},
               mean[row], inverse[row]);
      }
      if (to.defined()) store_elements(to, elements);
      if (to_weight.defined()) store_elements(to_weight, by.of_weight);
      if (to_bias.defined()) store_elements(to_bias, by.of_bias);
    }
  };
  launch_compute(runtime, given.input.device(), "layer_norm", given.input.dtype(), kernel);
}

/// Has no derivative of its own here.
Gradients layer_norm_derivative(const DerivativeCall& call, const Tensor& grad) {
  Runtime& runtime = call.dispatcher().runtime();
  Given given(call.plain());
  given.input = call.argument(0);
  given.weight = call.argument(2);
  given.bias = call.argument(3);
  std::size_t number = 0;
  Gradients grads;
  const auto slope_of = [&](const Tensor& tensor) -> Tensor {
    if (!tensor.defined()) return {};
    const bool is_wanted = call.needs(number++);
    grads.push_back(is_wanted ? empty(runtime, tensor.sizes(), tensor.dtype(), tensor.device())
                              : Tensor{});
    return grads.back();
  };
  const Slopes slopes{slope_of(given.input), slope_of(given.weight), slope_of(given.bias)};
  compute_slopes(runtime, given, grad, slopes);
  for (const Tensor& slope : grads) {
    if (!slope.defined() || !is_grad_enabled(runtime)) continue;
    record_always(runtime, "native_layer_norm_backward", {}, slope,
                  [](Runtime&, const Tensor&) -> Gradients {
                    throw MissingFeature("there is no second derivative of layer_norm here");
                  });
  }
  return grads;
}

OpDefinition layer_norm(std::string_view name, OpKernel kernel) {
  OpDefinition definition{.name = name, .kernel = std::move(kernel)};
  definition.derivative = layer_norm_derivative;
  for (const std::size_t argument : {0U, 2U, 3U}) {
    for (const std::size_t tensor : {0U, 1U, 2U}) definition.keeps.push_back({argument, tensor});
  }
  return definition;
}

}  // namespace

std::vector<OpDefinition> layer_norm_operators() {
  return {
      layer_norm("aten::layer_norm", layer_norm_kernel),
      layer_norm("aten::native_layer_norm", native_layer_norm_kernel),
  };
}

}  // namespace assay::reference
