// Names in a module, and conversion of buffers, formats and missing devices.
#include "cuda_impl/module/module.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/module/move.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::tensor_of;
using Floats = std::vector<float>;

ErrorKind kind_of(const std::function<void()>& fails) {
  try {
    fails();
  } catch (const Error& problem) {
    return problem.kind();
  }
  ADD_FAILURE() << "it does not fail";
  return ErrorKind::kInternal;
}

TEST(Module, ANameStandsForOneThing) {
  Module module;
  const Tensor tensor = tensor_of(Floats{1});
  module.set_parameter("p", tensor);
  module.set_buffer("b", {});
  module.set_attribute("a", tensor);

  EXPECT_EQ(kind_of([&] { module.set_buffer("p", tensor); }), ErrorKind::kKey);
  EXPECT_EQ(kind_of([&] { module.set_child("b", nullptr); }), ErrorKind::kKey);
  EXPECT_EQ(kind_of([&] { module.set_parameter("a", tensor); }), ErrorKind::kKey);
  module.set_parameter("p", {});
  EXPECT_FALSE(module.parameter("p").defined());
}

TEST(Module, PathsLeadThroughChildren) {
  const auto child = std::make_shared<Module>();
  const Tensor tensor = tensor_of(Floats{1}, cuda_device(1));
  child->set_buffer("b", tensor);
  Module module;
  module.set_child("sub", child);
  module.set_child("gap", nullptr);

  EXPECT_TRUE(module.buffer("sub.b").is_same(tensor));
  EXPECT_EQ(kind_of([&] { module.parameter("sub.b"); }), ErrorKind::kAttribute);
  EXPECT_EQ(kind_of([&] { module.buffer("gap.b"); }), ErrorKind::kAttribute);
}

TEST(Module, TrainingReachesChildren) {
  const auto child = std::make_shared<Module>();
  Module module;
  module.set_child("sub", child);

  module.set_training(false);

  EXPECT_FALSE(child->is_training());
}

TEST(Module, OneThatHoldsItselfIsAnErrorAndNoEndlessWalk) {
  const auto module = std::make_shared<Module>(ModuleKind::kSequential);
  const auto inner = std::make_shared<Module>();
  module->set_child("0", inner);
  inner->set_child("again", module);
  module->set_buffer("b", tensor_of(Floats{1}));

  for (int time = 0; time < 2; ++time)
    EXPECT_EQ(kind_of([&] { module->set_training(false); }), ErrorKind::kError);
  EXPECT_TRUE(module->buffer("0.again.0.again.b").is_same(module->buffer("b")));
  std::string path;
  for (int i = 0; i < 100'000; ++i) path += "0.again.";
  EXPECT_TRUE(module->buffer(path + "b").is_same(module->buffer("b")));
  inner->set_child("again", nullptr);
  module->set_training(true);
  EXPECT_TRUE(inner->is_training());
}

TEST(MovingModules, BuffersAreBoundAnewOnlyWhereTheyChange) {
  for (const Device device : {cuda_device(0), cuda_device(1), kCpu}) {
    Module module;
    const Tensor buffer = tensor_of(Floats{1}, device);
    const Tensor whole = tensor_of(std::vector<std::int64_t>{1}, device);
    module.set_buffer("b", buffer);
    module.set_buffer("i", whole);

    cast_floating(module, Dtype::kFloat32, {});
    EXPECT_TRUE(module.buffer("b").is_same(buffer));
    cast_floating(module, Dtype::kFloat16, {});

    EXPECT_EQ(module.buffer("b").dtype(), Dtype::kFloat16);
    EXPECT_EQ(buffer.dtype(), Dtype::kFloat32);
    EXPECT_TRUE(module.buffer("i").is_same(whole));
  }
}

TEST(MovingModules, EmptyTensorsKeepTheirStrides) {
  for (const Device device : {cuda_device(0), cuda_device(1), kCpu}) {
    Module module;
    const Tensor turned = empty_strided({2, 3}, {1, 2}, Dtype::kFloat32, kCpu);
    module.set_parameter("w", make_parameter(turned, false));

    to_empty(module, device, true, {});

    EXPECT_EQ(module.parameter("w").device(), device);
    EXPECT_EQ(module.parameter("w").strides(), (Shape{1, 2}));
    EXPECT_FALSE(module.parameter("w")->requires_grad);
  }
}

TEST(MovingModules, WithoutCudaStrictRefusesEvenAnEmptyModule) {
  Module module;
  MoveOptions options;
  options.device = cuda_device(0);
  const MoveContext strict{.contract = {Release::k2_11, true}, .has_cuda = false};
  const MoveContext compat{.contract = {Release::k2_11, false}, .has_cuda = false};

  EXPECT_EQ(kind_of([&] { move_to(module, options, strict); }), ErrorKind::kError);
  EXPECT_NO_THROW(move_to(module, options, compat));
  module.set_buffer("b", tensor_of(Floats{1}, kCpu));
  EXPECT_EQ(kind_of([&] { move_to(module, options, compat); }), ErrorKind::kAssertion);
}

TEST(MovingModules, ToTakesTypesWithGradientsOnly) {
  Module module;
  EXPECT_EQ(
      kind_of([&] { move_to(module, {.dtype = Dtype::kInt32, .device = {}, .format = {}}, {}); }),
      ErrorKind::kType);
}

}  // namespace
}  // namespace assay::cuda
