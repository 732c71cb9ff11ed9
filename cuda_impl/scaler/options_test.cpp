// Constructor arguments by release and class: bindings and errors.
#include "cuda_impl/scaler/options.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

/// The options and the warnings' categories.
struct Made {
  ScalerOptions options;
  std::vector<std::string> warned;
};

Made make(const ConstructorCall& call, Release release = Release::k2_11) {
  warnings().clear();
  Made made{options_from(call, release), {}};
  for (const Warning& warning : warnings()) made.warned.push_back(warning.category);
  warnings().clear();
  return made;
}

ErrorKind error_of(const ConstructorCall& call, Release release = Release::k2_11) {
  try {
    options_from(call, release);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::kInternal;
}

ConstructorCall with(std::vector<ConstructorArgument> positional) {
  ConstructorCall call;
  call.positional = std::move(positional);
  return call;
}

ConstructorCall with(std::string name, Scalar value) {
  ConstructorCall call;
  call.named.emplace_back(std::move(name), value);
  return call;
}

TEST(ScalerOptions, TheDeviceComesFirstSinceTheClassIsInTorchAmp) {
  const Made made = make(with({std::string("cpu"), Scalar(4.0), Scalar(3.0)}));

  EXPECT_EQ(made.options.device, "cpu");
  EXPECT_EQ(made.options.init_scale.real(), 4.0);
  EXPECT_EQ(made.options.growth_factor.real(), 3.0);
  EXPECT_TRUE(made.warned.empty());
}

TEST(ScalerOptions, TheScaleComesFirstIn113AndNothingWarns) {
  const Made made = make(with({Scalar(4.0), Scalar(3.0)}), Release::k1_13);

  EXPECT_EQ(made.options.device, "cuda");
  EXPECT_EQ(made.options.init_scale.real(), 4.0);
  EXPECT_TRUE(made.warned.empty());
}

TEST(ScalerOptions, ASubclassFixesTheDeviceAndIsDeprecated) {
  ConstructorCall call = with({Scalar(4.0)});
  call.called = ScalerClass::kTorchCpuAmp;

  const Made made = make(call);

  EXPECT_EQ(made.options.device, "cpu");
  EXPECT_EQ(made.options.init_scale.real(), 4.0);
  EXPECT_EQ(made.warned, std::vector<std::string>{"FutureWarning"});
}

TEST(ScalerOptions, ADeviceObjectIsNoWord) {
  const Made made = make(with({OtherArgument{"device"}}));

  EXPECT_FALSE(made.options.device.has_value());
}

TEST(ScalerOptions, WithoutCudaOnlyTheWordCudaIsDisabled) {
  for (const auto& [device, enabled] :
       {std::pair{"cuda", false}, {"cuda:0", true}, {"cpu", true}}) {
    ConstructorCall call = with({std::string(device)});
    call.cuda_available = false;

    const Made made = make(call);

    EXPECT_EQ(made.options.enabled, enabled) << device;
    EXPECT_EQ(made.warned.size(), enabled ? 0U : 1U) << device;
  }
}

TEST(ScalerOptions, GrowthIsCheckedAheadOfBackoffAndNeitherWhereDisabled) {
  EXPECT_EQ(error_of(with("growth_factor", 1.0)), ErrorKind::kAssertion);
  EXPECT_EQ(error_of(with("backoff_factor", 1.0)), ErrorKind::kAssertion);
  ConstructorCall disabled = with("growth_factor", 1.0);
  disabled.named.emplace_back("enabled", Scalar(false));
  EXPECT_FALSE(make(disabled).options.enabled);
}

TEST(ScalerOptions, NanFactorsFailTheAssertionsOfOlderReleasesOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of(with("growth_factor", nan), Release::k2_4), ErrorKind::kAssertion);
  EXPECT_TRUE(make(with("growth_factor", nan)).options.enabled);
}

TEST(ScalerOptions, ArgumentsThatDoNotFitAreTypeErrors) {
  EXPECT_EQ(error_of(with("growth", 3.0)), ErrorKind::kType);
  EXPECT_EQ(error_of(with("device", 3.0), Release::k1_13), ErrorKind::kType);
  EXPECT_EQ(error_of(with(std::vector<ConstructorArgument>(7, Scalar(4.0)))), ErrorKind::kType);
  ConstructorCall twice = with({std::string("cuda"), Scalar(4.0)});
  twice.named.emplace_back("init_scale", Scalar(4.0));
  EXPECT_EQ(error_of(twice), ErrorKind::kType);
}

TEST(ScalerOptions, OlderReleasesHaveOneClass) {
  ConstructorCall call;
  call.called = ScalerClass::kTorchAmp;

  EXPECT_EQ(error_of(call, Release::k1_13), ErrorKind::kAttribute);
}

}  // namespace
}  // namespace assay::cuda
