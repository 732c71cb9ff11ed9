// Modules that hold themselves, and moves to a device that is not there.
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

}  // namespace
}  // namespace assay::cuda
