// The effect of steps on tensors, counters and versions.
#include "cuda_impl/optim/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/sgd.hpp"

namespace assay::cuda {
namespace {

Tensor tensor_of(const std::vector<float>& numbers, Device device = cuda_device(0)) {
  Tensor made = empty({static_cast<std::int64_t>(numbers.size())}, Dtype::kFloat32, device);
  write_elements(made, reinterpret_cast<const std::byte*>(numbers.data()));
  return made;
}

std::vector<float> numbers_in(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

Tensor param(const std::vector<float>& numbers, const std::vector<float>& grad,
             Device device = cuda_device(0)) {
  Tensor made = tensor_of(numbers, device);
  made.set_grad(tensor_of(grad, device));
  return made;
}

using Numbers = std::vector<float>;

ErrorKind kind_raised(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::kError;
}

SgdOptions sgd_options(OptimizerMode mode, double momentum = 0) {
  SgdOptions options;
  options.lr = 0.25;
  options.momentum = momentum;
  options.mode = mode;
  return options;
}

const OptimizerMode kModes[] = {OptimizerMode::kPlain, OptimizerMode::kForeach,
                                OptimizerMode::kFused};

TEST(Optimizer, WithoutGroupsIsRefused) {
  Session session;

  EXPECT_EQ(kind_raised([&] { Sgd(session, {}, sgd_options(OptimizerMode::kPlain)); }),
            ErrorKind::kValue);
}

TEST(Optimizer, WithAParameterInTwoGroupsIsRefused) {
  Session session;
  const Tensor shared = param({1}, {1});

  EXPECT_EQ(kind_raised([&] {
              Sgd(session, {{{shared}}, {{shared}}}, sgd_options(OptimizerMode::kPlain));
            }),
            ErrorKind::kValue);
}

TEST(Optimizer, WithAParameterTwiceInAGroupWarnsAndStepsItTwice) {
  Session session;
  const Tensor twice = param({1}, {1});
  warnings().clear();

  Sgd optimizer(session, {{{twice, twice}}}, sgd_options(OptimizerMode::kPlain, 0.5));
  optimizer.step();

  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0].category, "UserWarning");
  EXPECT_EQ(numbers_in(twice), Numbers{1 - 0.25f - 0.25f});
  warnings().clear();
}

TEST(Optimizer, StepsElementsThatDoNotLieAlike) {
  for (const Device device : {cuda_device(0), kCpu}) {
    for (const OptimizerMode mode : kModes) {
      Session session;
      const Tensor whole = tensor_of({1, 2, 3, 4, 5, 6}, device);
      const Tensor every_second = as_strided(whole, {3}, {2}, 0);
      every_second.set_grad(tensor_of({4, 8, 12}, device));

      Sgd(session, {{{every_second}}}, sgd_options(mode)).step();

      EXPECT_EQ(numbers_in(whole), (Numbers{0, 2, 1, 4, 2, 6})) << to_text(device);
    }
  }
}

TEST(Optimizer, StepsTransposedTensorsWhereTheyLie) {
  Session session;
  const Tensor whole = tensor_of({1, 2, 3, 4});
  const Tensor transposed = as_strided(whole, {2, 2}, {1, 2}, 0);
  const Tensor grad = as_strided(tensor_of({4, 8, 12, 16}), {2, 2}, {2, 1}, 0);
  transposed.set_grad(grad);

  Sgd(session, {{{transposed}}}, sgd_options(OptimizerMode::kForeach, 0.5)).step();

  EXPECT_EQ(numbers_in(whole), (Numbers{0, -1, 1, 0}));
}

TEST(Optimizer, CountsVersionsAsPyTorchsOperatorsDo) {
  struct Row {
    OptimizerMode mode;
    std::uint64_t param;
    std::uint64_t buffer;
  };
  for (const Row& row : {Row{OptimizerMode::kPlain, 2, 2}, Row{OptimizerMode::kForeach, 2, 2},
                         Row{OptimizerMode::kFused, 0, 0}}) {
    Session session;
    const Tensor trained = param({1}, {1});
    Sgd optimizer(session, {{{trained}}}, sgd_options(row.mode, 0.5));
    const std::uint64_t before = trained.version();

    optimizer.step();
    optimizer.step();

    EXPECT_EQ(trained.version() - before, row.param);
    EXPECT_EQ(optimizer.state(0).at(0).tensor.version(), row.buffer);
  }
}

TEST(Optimizer, OfTheForeachFormAddsNesterovsMomentumToTheGradientWherePyTorchDoes) {
  for (const bool is_strict : {true, false}) {
    Session session;
    session.set_contract({Release::k2_11, is_strict});
    const Tensor trained = param({1}, {1});
    SgdOptions options = sgd_options(OptimizerMode::kForeach, 0.5);
    options.nesterov = true;

    Sgd(session, {{{trained}}}, options).step();

    EXPECT_EQ(numbers_in(trained.grad()), Numbers{is_strict ? 1 : 1.5f});
  }
}

TEST(Optimizer, TakesItsFirstMomentumAfterASkippedFirstStep) {
  for (const Device device : {cuda_device(0), kCpu}) {
    Session session;
    const Tensor trained = param({1, 2}, {INFINITY, 1}, device);
    Sgd optimizer(session, {{{trained}}}, sgd_options(OptimizerMode::kFused, 0.5));
    optimizer.found_inf = tensor_of({1}, device);
    optimizer.step();
    EXPECT_TRUE(optimizer.state(0).empty());

    trained.set_grad(tensor_of({1, 2}, device));
    optimizer.found_inf = tensor_of({0}, device);
    optimizer.step();
    optimizer.step();

    EXPECT_EQ(numbers_in(trained), (Numbers{1 - 0.25f - 0.375f, 2 - 0.5f - 0.75f}));
    EXPECT_EQ(numbers_in(optimizer.state(0).at(0).tensor), (Numbers{1.5f, 3}));
  }
}

TEST(Optimizer, OfTheFusedFormStepsHundredsOfTensorsInOneLaunchAndReadsNothing) {
  Session session;
  std::vector<Tensor> params;
  for (int i = 0; i < 200; ++i) params.push_back(param({1, 2, 3}, {4, 4, 4}));
  AdamOptions options;
  options.mode = OptimizerMode::kFused;
  Adam optimizer(session, {{params}}, options);
  optimizer.found_inf = tensor_of({0});
  optimizer.grad_scale = tensor_of({4});
  const Counters before = counters();

  optimizer.step();

  EXPECT_EQ(counters().launches - before.launches, 1);
  EXPECT_EQ(counters().host_reads, before.host_reads);
  EXPECT_EQ(numbers_in(params[199].grad()), (Numbers{1, 1, 1}));
  EXPECT_EQ(read_number(optimizer.state(199).at(0).tensor), 1);
}

TEST(Optimizer, CountsStepsOfEmptyParameters) {
  Session session;
  AdamOptions options;
  options.mode = OptimizerMode::kFused;
  Adam optimizer(session, {{{param({}, {}), param({1}, {1})}}}, options);

  optimizer.step();

  EXPECT_EQ(read_number(optimizer.state(0).at(0).tensor), 1);
  EXPECT_EQ(read_number(optimizer.state(1).at(0).tensor), 1);
}

TEST(Optimizer, KeepsAMomentumOfEmptyParametersOnceAFlagHasLetThemStep) {
  Session session;
  Sgd optimizer(session, {{{param({}, {})}}}, sgd_options(OptimizerMode::kFused, 0.5));
  optimizer.found_inf = tensor_of({0});

  optimizer.step();

  EXPECT_EQ(optimizer.state(0).size(), 1u);
}

TEST(Optimizer, CopiesWhatWasLentToEveryDevice) {
  Session session;
  const Tensor here = param({1}, {8});
  const Tensor there = param({1}, {8}, cuda_device(1));
  Sgd optimizer(session, {{{here, there}}}, sgd_options(OptimizerMode::kFused));
  optimizer.grad_scale = tensor_of({4});
  optimizer.found_inf = tensor_of({0});

  optimizer.step();

  EXPECT_EQ(numbers_in(here), Numbers{0.5f});
  EXPECT_EQ(numbers_in(there), Numbers{0.5f});
}

TEST(Optimizer, ThatIsNotFusedRefusesToBeLentAnything) {
  Session session;
  Sgd optimizer(session, {{{param({1}, {1})}}}, sgd_options(OptimizerMode::kForeach));
  optimizer.grad_scale = tensor_of({4});

  EXPECT_EQ(kind_raised([&] { optimizer.step(); }), ErrorKind::kAssertion);
}

TEST(Optimizer, OfTheFusedFormRefusesNumbersAndDoubles) {
  Session session;
  Sgd optimizer(session, {{{param({1}, {1})}}}, sgd_options(OptimizerMode::kFused));

  optimizer.grad_scale = 4.0;
  EXPECT_EQ(kind_raised([&] { optimizer.step(); }), ErrorKind::kAttribute);
  optimizer.grad_scale = full({}, 4, Dtype::kFloat64, cuda_device(0));
  EXPECT_EQ(kind_raised([&] { optimizer.step(); }), ErrorKind::kError);
}

TEST(Optimizer, LeavesNoEntriesInAZeroedSparseGradient) {
  Session session;
  const Tensor trained = tensor_of({1, 1, 1});
  const Tensor indices = full({1, 2}, 0, Dtype::kInt64, cuda_device(0));
  trained.set_grad(sparse_coo(indices, tensor_of({4, 8}), {3}, false));
  Sgd optimizer(session, {{{trained}}}, sgd_options(OptimizerMode::kPlain));

  optimizer.zero_grad(false);

  EXPECT_EQ(trained.grad()->sparse->values.numel(), 0);
  EXPECT_TRUE(trained.grad()->sparse->is_coalesced);
}

TEST(Optimizer, RefusesArgumentsThatItsStepDoesNotHave) {
  Session session;
  Sgd optimizer(session, {{{param({1}, {1})}}}, sgd_options(OptimizerMode::kPlain));
  StepCall call;
  call.keywords = {"factor"};

  EXPECT_EQ(kind_raised([&] { optimizer.step(call); }), ErrorKind::kType);
  EXPECT_EQ(optimizer.calls(), 1);
}

}  // namespace
}  // namespace assay::cuda
