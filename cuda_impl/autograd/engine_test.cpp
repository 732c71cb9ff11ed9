// Ways back that no case takes: through products of gradients, around a view, and to an operator
// without derivative.
#include "cuda_impl/autograd/engine.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/no_derivative.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"

namespace assay::cuda {
namespace {

using Floats = std::vector<float>;

Tensor floats(const Floats& values, Shape sizes) {
  const Tensor made = empty(std::move(sizes), Dtype::kFloat32, cuda_device(0));
  write_elements(made, reinterpret_cast<const std::byte*>(values.data()));
  return made;
}

Tensor leaf(const Floats& values, Shape sizes) {
  const Tensor made = floats(values, std::move(sizes));
  made->requires_grad = true;
  return made;
}

Floats values_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  Floats values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Tensor squares(const Tensor& tensor) { return autograd::sum(autograd::mul(tensor, tensor)); }

TEST(Backward, OfGradientsGoThroughTheGraphOfTheFirstOnes) {
  const Tensor weight = leaf({1, -2}, {2});
  const std::vector<Tensor> first =
      gradients_of(squares(weight), {weight}, {}, {.create_graph = true});

  backward(squares(first[0]));

  EXPECT_EQ(values_of(weight.grad()), (Floats{8, -16}));
}

TEST(Backward, StopsAtAnOperatorWithoutDerivative) {
  const Tensor x = leaf({3}, {1});
  const Tensor made = autograd::without_way_back(floats({3}, {1}), {x}, "lgamma");

  EXPECT_THROW(backward(autograd::mul(made, Scalar(2))), NoDerivative);
  EXPECT_FALSE(x.grad().defined());
}

TEST(Backward, WhatIsOutsideTheViewGetsZeros) {
  const Tensor base = leaf({0, 1, 2, 3, 4, 5}, {6});
  const Tensor odd = autograd::view_of(as_strided(base, {3}, {2}, 1), base);

  backward(odd, floats({7, 8, 9}, {3}));

  EXPECT_EQ(values_of(base.grad()), (Floats{0, 7, 0, 8, 0, 9}));
}

}  // namespace
}  // namespace assay::cuda
