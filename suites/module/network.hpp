// The network of DSP-811 with its data, and its expected results, computed in double.
#pragma once

#include <vector>

#include "suites/module/moving.hpp"

namespace assay::suites {

/// In row-major order.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;

  double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

/// A linear layer, a ReLU, another linear layer, and the mean squared error.
struct Network {
  Matrix input;
  Matrix first_weight;
  Matrix first_bias;
  Matrix second_weight;
  Matrix second_bias;
  Matrix target;

  Matrix hidden() const;
  Matrix output() const;
  double loss() const;
};

/// Linear(10, 10), ReLU, Linear(10, 5) and a batch of 20. All forward values are integers below
/// 256, so that each sum is exact in any order and in bfloat16; each output misses its target by 2,
/// so that the loss is 4.
Network network();

/// A small network for two training steps with a rate of 1/4: all values of a step, including
/// partial sums in any order, are exact in bfloat16.
Network trainable_network();

/// The gradients of the loss, in the order of the parameters: weight, bias, weight, bias.
std::vector<Matrix> gradients_of(const Network& network);
/// The network after a step of gradient descent.
Network stepped(const Network& network, double rate);

TensorValue tensor(const Matrix& matrix, Dtype dtype = Dtype::kFloat32);

/// The network in the subject, on the given device.
struct Built {
  ModuleHandle model;
  ModuleHandle loss;
  Ref input;
  Ref target;
  std::vector<Ref> parameters;  ///< in their order: weight, bias, weight, bias
};
Built build(Session& subject, const Network& network, const Device& device);

}  // namespace assay::suites
