// The network of DSP-811 with its data, and what it must compute, worked out in double.
#pragma once

#include <vector>

#include "suites/module/moving.hpp"

namespace assay::suites {

/// Row by row.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;

  double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

/// Linear(10, 10), ReLU, Linear(10, 5) and a batch of 20. Everything forward is a whole number
/// below 256, so that each sum is exact in any order and in bfloat16; each output misses its target
/// by 2, so that the loss is 4.
struct Network {
  Matrix input;
  Matrix first_weight;
  Matrix first_bias;
  Matrix second_weight;
  Matrix second_bias;

  Matrix hidden() const;
  Matrix output() const;
  Matrix target() const;
};
Network network();

/// Gradients of the loss, in the order of the parameters.
std::vector<Matrix> gradients_of(const Network& network);

TensorValue tensor(const Matrix& matrix, Dtype dtype = Dtype::kFloat32);

/// The network in the subject, on the device that is given.
struct Built {
  ModuleHandle model;
  ModuleHandle loss;
  Ref input;
  Ref target;
  std::vector<Ref> parameters;  ///< in their order: weight, bias, weight, bias
};
Built build(Session& subject, const Network& network, const Device& device);

}  // namespace assay::suites
