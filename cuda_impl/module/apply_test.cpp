// The effect of conversions on a module's tensors, on two devices and the host.
#include "cuda_impl/module/apply.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/module/move.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::tensor_of;
using sample::values_of;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

const std::vector<Device> kPlaces = {cuda_device(0), cuda_device(1), kCpu};

class ApplyToTensors : public testing::Test {
 protected:
  ~ApplyToTensors() override { conversion_flags() = {}; }
};

Tensor add_parameter(Module& module, const std::string& name, Device device) {
  const Tensor parameter = make_parameter(tensor_of(Floats{1, 2}, device), true);
  parameter.set_grad(tensor_of(Floats{3, 4}, device));
  module.set_parameter(name, parameter);
  return parameter;
}

TEST_F(ApplyToTensors, AParameterAndItsGradientStayWhatTheyAre) {
  for (const Device from : kPlaces) {
    for (const Device there : kPlaces) {
      Module module;
      const Tensor parameter = add_parameter(module, "w", from);
      const Tensor grad = parameter.grad();

      move_to(module, {.dtype = Dtype::kFloat64, .device = there, .format = {}}, {});

      EXPECT_TRUE(module.parameter("w").is_same(parameter));
      EXPECT_TRUE(parameter.grad().is_same(grad));
      EXPECT_EQ(parameter.device(), there);
      EXPECT_EQ(grad.device(), there);
      EXPECT_EQ(values_of<double>(parameter), (Doubles{1, 2}));
      EXPECT_EQ(values_of<double>(grad), (Doubles{3, 4}));
      EXPECT_TRUE(parameter->requires_grad);
    }
  }
}

TEST_F(ApplyToTensors, OnTheWayToMetaBothAreReplaced) {
  for (const Device from : kPlaces) {
    Module module;
    const Tensor parameter = add_parameter(module, "w", from);

    move_to(module, {.dtype = {}, .device = kMeta, .format = {}}, {});

    const Tensor& now = module.parameter("w");
    EXPECT_FALSE(now.is_same(parameter));
    EXPECT_TRUE(now.is_meta() && now.grad().is_meta());
    EXPECT_TRUE(now->is_parameter && now->requires_grad);
    EXPECT_EQ(parameter.device(), from);
    EXPECT_EQ(values_of<float>(parameter.grad()), (Floats{3, 4}));
  }
}

TEST_F(ApplyToTensors, OverwritingReplacesWhatCouldStay) {
  Module module;
  const Tensor parameter = add_parameter(module, "w", cuda_device(1));
  conversion_flags().overwrite = true;

  cast_floating(module, Dtype::kFloat32, {});

  EXPECT_FALSE(module.parameter("w").is_same(parameter));
  EXPECT_TRUE(module.parameter("w").is_alias_of(parameter));
}

TEST_F(ApplyToTensors, SwappingKeepsObjectsOnTheWayToMeta) {
  for (const Device from : kPlaces) {
    Module module;
    const Tensor parameter = add_parameter(module, "w", from);
    const Tensor grad = parameter.grad();
    conversion_flags().swap = true;

    move_to(module, {.dtype = {}, .device = kMeta, .format = {}}, {});

    EXPECT_TRUE(module.parameter("w").is_same(parameter));
    EXPECT_TRUE(parameter.grad().is_same(grad));
    EXPECT_TRUE(parameter.is_meta() && grad.is_meta());
  }
}

TEST_F(ApplyToTensors, AWatchedGradientIsPutBackOnlyWhereStrict) {
  for (const bool is_strict : {true, false}) {
    Module module(ModuleKind::kLinear);
    const Tensor parameter = add_parameter(module, "weight", cuda_device(1));
    const Tensor grad = parameter.grad();
    grad->watchers = 1;
    conversion_flags().swap = true;
    const Contract contract{Release::k2_11, is_strict};

    try {
      cast_floating(module, Dtype::kFloat64, {.contract = contract});
      ADD_FAILURE() << "it was swapped";
    } catch (const Error& problem) {
      EXPECT_NE(problem.message().find("Couldn't swap Linear.weight.grad"), std::string::npos);
    }
    EXPECT_EQ(parameter.dtype(), Dtype::kFloat64);
    EXPECT_EQ(parameter.grad().defined(), is_strict);
  }
}

TEST_F(ApplyToTensors, WhatHasTwoNamesIsVisitedTwiceAndAChildOnce) {
  const auto child = std::make_shared<Module>();
  const Tensor tied = add_parameter(*child, "w", cuda_device(0));
  child->set_parameter("v", tied);
  Module parent;
  parent.set_child("left", child);
  parent.set_child("right", child);
  parent.set_child("none", nullptr);
  const auto doubled = [](const Tensor& tensor) { return add(tensor, tensor); };

  apply_to_tensors(parent, {.function = doubled, .contract = {}});

  EXPECT_EQ(values_of<float>(tied), (Floats{4, 8}));
  EXPECT_EQ(values_of<float>(tied.grad()), (Floats{12, 16}));
}

TEST_F(ApplyToTensors, AnErrorLeavesChildrenConverted) {
  const auto child = std::make_shared<Module>();
  const Tensor below = add_parameter(*child, "w", cuda_device(0));
  Module parent;
  const Tensor own = add_parameter(parent, "w", cuda_device(1));
  parent.set_child("child", child);
  const auto fails_on_second = [](const Tensor& tensor) {
    require(tensor.device() == cuda_device(0), [] { return "not there"; });
    return add(tensor, tensor);
  };

  EXPECT_THROW(apply_to_tensors(parent, {.function = fails_on_second, .contract = {}}), Error);

  EXPECT_EQ(values_of<float>(below), (Floats{2, 4}));
  EXPECT_EQ(values_of<float>(own), (Floats{1, 2}));
}

}  // namespace
}  // namespace assay::cuda
