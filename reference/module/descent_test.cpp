// Modules that contain themselves.
#include <gtest/gtest.h>

#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/error.hpp"
#include "reference/module/apply_tensors.hpp"

namespace assay::reference {
namespace {

TEST(Descent, EndsWithAnErrorWhereAModuleHoldsItself) {
  Runtime runtime;
  const auto module = std::make_shared<Module>();
  const auto inner = std::make_shared<Module>();
  module->set_child("inner", inner);
  inner->set_child("outer", module);
  const Tensor tensor = full(runtime, {1}, 2, ScalarType::kFloat, kCpuDevice);
  module->set_buffer("b", tensor);

  for (int time = 0; time < 2; ++time) {
    EXPECT_THROW(module->set_training(false), Error);
    EXPECT_THROW(paths_of(*module, ModuleTensors::kBuffers), Error);
  }
  std::string path;
  for (int i = 0; i < 100'000; ++i) path += "inner.outer.";
  EXPECT_TRUE(module->buffer(path + "b").is_same(tensor));
  inner->set_child("outer", nullptr);
  module->set_training(true);
  EXPECT_TRUE(inner->is_training());
}

}  // namespace
}  // namespace assay::reference
