// The network of DSP-811.
#include "suites/module/network.hpp"

#include <algorithm>

namespace assay::suites {
namespace {

/// Irregular integers from -`most` to `most`, so that errors in sums are visible.
Matrix scattered(std::int64_t rows, std::int64_t columns, std::int64_t most, std::int64_t seed) {
  Matrix made{rows, columns, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const std::int64_t mixed = (i * i * 7 + i * 5 + seed * 11) % (2 * most + 1);
    made.values.push_back(static_cast<double>(mixed - most));
  }
  return made;
}

Matrix linear(const Matrix& input, const Matrix& weight, const Matrix& bias) {
  Matrix made{input.rows, weight.rows, {}};
  for (std::int64_t row = 0; row < input.rows; ++row) {
    for (std::int64_t column = 0; column < weight.rows; ++column) {
      double sum = bias.at(0, column);
      for (std::int64_t i = 0; i < input.columns; ++i)
        sum += input.at(row, i) * weight.at(column, i);
      made.values.push_back(sum);
    }
  }
  return made;
}

/// The gradient of a linear layer's weight: output gradients times inputs, summed over the batch.
Matrix weight_gradient(const Matrix& grad, const Matrix& input) {
  Matrix made{grad.columns, input.columns, {}};
  for (std::int64_t out = 0; out < grad.columns; ++out) {
    for (std::int64_t in = 0; in < input.columns; ++in) {
      double sum = 0;
      for (std::int64_t row = 0; row < grad.rows; ++row)
        sum += grad.at(row, out) * input.at(row, in);
      made.values.push_back(sum);
    }
  }
  return made;
}

Matrix ones(std::int64_t rows) {
  return {rows, 1, std::vector<double>(static_cast<std::size_t>(rows), 1.0)};
}

Matrix bias_gradient(const Matrix& grad) {
  Matrix made = weight_gradient(grad, ones(grad.rows));
  std::swap(made.rows, made.columns);
  return made;
}

/// The gradient that flows back through a linear layer and the ReLU before it.
Matrix input_gradient(const Matrix& grad, const Matrix& weight, const Matrix& activated) {
  Matrix made{grad.rows, weight.columns, {}};
  for (std::int64_t row = 0; row < grad.rows; ++row) {
    for (std::int64_t in = 0; in < weight.columns; ++in) {
      double sum = 0;
      for (std::int64_t out = 0; out < weight.rows; ++out)
        sum += grad.at(row, out) * weight.at(out, in);
      made.values.push_back(activated.at(row, in) > 0 ? sum : 0);
    }
  }
  return made;
}

}  // namespace

Network network() {
  Network made{.input = scattered(20, 10, 2, 1),
               .first_weight = scattered(10, 10, 1, 2),
               .first_bias = scattered(1, 10, 2, 3),
               .second_weight = scattered(5, 10, 1, 4),
               .second_bias = scattered(1, 5, 2, 5),
               .target = {}};
  made.target = made.output();
  for (double& value : made.target.values) value -= 2;
  return made;
}

Network trainable_network() {
  return {.input = {4, 2, {0, 1, 1, 1, 1, 1, -1, 0}},
          .first_weight = {2, 2, {1, -1, 1, 1}},
          .first_bias = {1, 2, {0, 1}},
          .second_weight = {2, 2, {-1, 0, 1, 1}},
          .second_bias = {1, 2, {-1, 1}},
          .target = {4, 2, {0, 0, -1, -1, 1, -1, 0, 0}}};
}

Matrix Network::hidden() const {
  Matrix made = linear(input, first_weight, first_bias);
  for (double& value : made.values) value = std::max(value, 0.0);
  return made;
}

Matrix Network::output() const { return linear(hidden(), second_weight, second_bias); }

double Network::loss() const {
  const Matrix got = output();
  double sum = 0;
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    const double error = got.values[i] - target.values[i];
    sum += error * error;
  }
  return sum / static_cast<double>(got.values.size());
}

std::vector<Matrix> gradients_of(const Network& network) {
  const Matrix hidden = network.hidden();
  Matrix grad = network.output();
  const auto count = static_cast<double>(grad.values.size());
  for (std::size_t i = 0; i < grad.values.size(); ++i) {
    grad.values[i] = 2 * (grad.values[i] - network.target.values[i]) / count;
  }
  const Matrix below = input_gradient(grad, network.second_weight, hidden);
  return {weight_gradient(below, network.input), bias_gradient(below),
          weight_gradient(grad, hidden), bias_gradient(grad)};
}

Network stepped(const Network& network, double rate) {
  Network made = network;
  const std::vector<Matrix> grads = gradients_of(network);
  Matrix* parameters[] = {&made.first_weight, &made.first_bias, &made.second_weight,
                          &made.second_bias};
  for (std::size_t i = 0; i < grads.size(); ++i) {
    for (std::size_t j = 0; j < grads[i].values.size(); ++j) {
      parameters[i]->values[j] -= rate * grads[i].values[j];
    }
  }
  return made;
}

TensorValue tensor(const Matrix& matrix, Dtype dtype) {
  return shaped(tensor_of(dtype, matrix.values), {matrix.rows, matrix.columns});
}

Built build(Session& subject, const Network& network, const Device& device) {
  const auto placed = [&](const Matrix& matrix) { return on(tensor(matrix), device); };
  const auto vector = [&](const Matrix& matrix) {
    return on(shaped(tensor(matrix), {matrix.columns}), device);
  };
  const ModuleClient modules = subject.modules();
  const ModuleHandle model = modules.sequential(
      {modules.linear(placed(network.first_weight), vector(network.first_bias)), modules.relu(),
       modules.linear(placed(network.second_weight), vector(network.second_bias))});
  return {.model = model,
          .loss = modules.mse_loss(),
          .input = subject.core().tensor(placed(network.input)),
          .target = subject.core().tensor(placed(network.target)),
          .parameters = {model.parameter("0.weight"), model.parameter("0.bias"),
                         model.parameter("2.weight"), model.parameter("2.bias")}};
}

}  // namespace assay::suites
