// The instructions of each layer between a call of `_amp_update_scale_` and its kernel.
#include <gtest/gtest.h>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/amp/registered.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {
namespace {

class UpdateScaleLadder : public ::testing::Test {
 protected:
  using UpdateScale = Tensor&(Tensor&, Tensor&, const Tensor&, double, double, std::int64_t);

  static std::shared_ptr<dispatch::Dispatcher> registered() {
    auto dispatcher = dispatch::Dispatcher::make({});
    register_amp_operators(*dispatcher);
    return dispatcher;
  }
  void launch() const {
    const DeviceScope scope(0);
    launch_update_scale(
        {scale_.data_as<float>(), tracker_.data_as<std::int32_t>(), flag_.data_as<const float>()},
        {kGrowth, kBackoff, static_cast<std::int32_t>(kInterval), false});
  }
  void call_kernel() const {
    update_scale_kernel(Contract{}, DeviceKind::kCuda, {scale_, tracker_, flag_},
                        {kGrowth, kBackoff, kInterval});
  }
  void call_function() const {
    amp_update_scale_(Contract{}, {scale_, tracker_, flag_}, {kGrowth, kBackoff, kInterval});
  }
  void call_dispatcher() { handle_.call(scale_, tracker_, flag_, kGrowth, kBackoff, kInterval); }
  void call_boxed() {
    for (const Tensor* tensor : {&scale_, &tracker_, &flag_}) stack_.emplace_back(*tensor);
    stack_.emplace_back(kGrowth);
    stack_.emplace_back(kBackoff);
    stack_.emplace_back(kInterval);
    dispatch::call_boxed(operator_, stack_);
    stack_.clear();
  }

  /// The second of two calls.
  template <typename Call>
  static Executed warm(const Call& call) {
    call();
    return executed_by(call).value_or(Executed{});
  }

  static constexpr double kGrowth = 2;
  static constexpr double kBackoff = 0.5;
  static constexpr std::int64_t kInterval = 1'000'000;

  const Device device_ = cuda_device(0);
  Tensor scale_ = full({}, 4, Dtype::kFloat32, device_);
  Tensor tracker_ = full({}, 0, Dtype::kInt32, device_);
  Tensor flag_ = full({}, 0, Dtype::kFloat32, device_);
  std::shared_ptr<dispatch::Dispatcher> dispatcher_ = registered();
  dispatch::Operator& operator_ = *dispatcher_->find({"aten::_amp_update_scale_", ""});
  dispatch::TypedHandle<UpdateScale> handle_{operator_};
  dispatch::Stack stack_;
};

TEST_F(UpdateScaleLadder, EveryRungIsOneLaunchAndAllocatesNothingButBoxes) {
  const Executed rungs[] = {warm([&] { launch(); }), warm([&] { call_kernel(); }),
                            warm([&] { call_function(); }), warm([&] { call_dispatcher(); })};
  if (rungs[0].instructions == 0) return;

  for (const Executed& rung : rungs) {
    EXPECT_EQ(rung.launches, 1);
    EXPECT_EQ(rung.runtime_calls, rungs[0].runtime_calls);
    EXPECT_EQ(rung.allocations, 0);
  }
}

TEST_F(UpdateScaleLadder, EveryRungTakesFewInstructionsMoreThanTheOneBelow) {
  const std::pair<const char*, std::int64_t> rungs[] = {
      {"launch_and_its_check", warm([&] { launch(); }).instructions},
      {"argument_checks", warm([&] { call_kernel(); }).instructions},
      {"choice_of_the_kernel", warm([&] { call_function(); }).instructions},
      {"dispatch", warm([&] { call_dispatcher(); }).instructions},
      {"boxing", warm([&] { call_boxed(); }).instructions},
  };
  if (rungs[0].second == 0) return;

  std::int64_t below = 0;
  for (const auto& [name, instructions] : rungs) {
    RecordProperty(name, static_cast<int>(instructions - below));
    EXPECT_GT(instructions, below) << name;
    below = instructions;
  }
  EXPECT_LE(rungs[3].second, 1000);
}

}  // namespace
}  // namespace assay::cuda
