// Typed wrappers: the arguments that reach the operator, and their dtypes.
#include "cuda_impl/autocast/typed_wrapper.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/dispatch/call/boxed_call.hpp"

namespace assay::cuda::autocast {
namespace {

using dispatch::Dispatcher;
using dispatch::Functionality;
using dispatch::Key;
using dispatch::TypedHandle;

/// What the wrapped kernel received.
struct Got {
  std::vector<Dtype> tensors;
  std::int64_t number = 0;
  bool was_on = true;
};
Got& got() {
  static Got all;
  return all;
}

Tensor three(const Tensor& a, const std::optional<Tensor>& b, std::int64_t number) {
  got().tensors = {a.dtype(), b ? b->dtype() : Dtype::kUndefined};
  got().number = number;
  got().was_on = is_enabled(DeviceKind::kCpu);
  return a;
}

std::int64_t count(const std::vector<Tensor>& all) { return static_cast<std::int64_t>(all.size()); }

using Three = Tensor(const Tensor&, const std::optional<Tensor>&, std::int64_t);

Tensor made(Dtype dtype) { return full({1}, 1, dtype, kCpu); }

TEST(IsCastType, IsWhatTheTableOfTypesSaysIsFloatingButFloat64) {
  for (auto dtype = Dtype::kUInt8; dtype <= Dtype::kUndefined;
       dtype = static_cast<Dtype>(static_cast<int>(dtype) + 1)) {
    EXPECT_EQ(is_cast_type(dtype), facts(dtype).is_floating && dtype != Dtype::kFloat64);
  }
}

class TypedWrapperTest : public testing::Test {
 protected:
  void SetUp() override {
    reset({});
    dispatch::reset_thread_keys();
    dispatcher_ = Dispatcher::make({});
    set_enabled(DeviceKind::kCpu, true);
  }
  void TearDown() override {
    dispatcher_ = nullptr;
    dispatch::reset_thread_keys();
    reset({});
  }

  dispatch::Operator& add(const char* schema, const dispatch::Kernel& kernel) {
    const dispatch::Schema parsed = dispatch::parse_schema(schema);
    dispatcher_->keep(dispatcher_->define(parsed, {.debug = "test"}));
    dispatcher_->keep(dispatcher_->implement(parsed.name(), Key(Functionality::kCompositeExplicit),
                                             kernel, "kernel"));
    return *dispatcher_->find(parsed.name());
  }
  void wrap(const dispatch::Operator& op, const dispatch::Kernel& wrapper) {
    dispatcher_->keep(
        dispatcher_->implement(op.name(), Key(Functionality::kAutocastCpu), wrapper, "wrapper"));
  }

  std::shared_ptr<Dispatcher> dispatcher_;
};

TEST_F(TypedWrapperTest, LowersWhatIsATensorAndPassesTheRest) {
  auto& op =
      add("t::three(Tensor a, Tensor? b, int n) -> Tensor", dispatch::typed_kernel<&three>());
  wrap(op, typed_wrapper<CastPolicy::kLowerPrecision, DeviceKind::kCpu, Three>(op));

  TypedHandle<Three>(op).call(made(Dtype::kFloat32), made(Dtype::kFloat64), -7);

  EXPECT_EQ(got().tensors, (std::vector{Dtype::kBFloat16, Dtype::kFloat64}));
  EXPECT_EQ(got().number, -7);
  EXPECT_FALSE(got().was_on);
  EXPECT_TRUE(is_enabled(DeviceKind::kCpu));
}

TEST_F(TypedWrapperTest, PromotesByTensorsAndCastsOptionalOnesToo) {
  auto& op =
      add("t::three(Tensor a, Tensor? b, int n) -> Tensor", dispatch::typed_kernel<&three>());
  wrap(op, typed_wrapper<CastPolicy::kPromote, DeviceKind::kCpu, Three>(op));

  TypedHandle<Three>(op).call(made(Dtype::kBFloat16), made(Dtype::kFloat32), 0);

  EXPECT_EQ(got().tensors, (std::vector{Dtype::kBFloat16, Dtype::kBFloat16}));
}

TEST_F(TypedWrapperTest, BoxedCallsAreCastAlike) {
  auto& op =
      add("t::three(Tensor a, Tensor? b, int n) -> Tensor", dispatch::typed_kernel<&three>());
  wrap(op, typed_wrapper<CastPolicy::kLowerPrecision, DeviceKind::kCpu, Three>(op));
  dispatch::Stack stack;
  stack.emplace_back(made(Dtype::kFloat32));
  stack.emplace_back();
  stack.emplace_back(std::int64_t{3});

  call_boxed(op, stack);

  EXPECT_EQ(got().tensors, (std::vector{Dtype::kBFloat16, Dtype::kUndefined}));
  EXPECT_EQ(got().number, 3);
}

TEST_F(TypedWrapperTest, AListThatHoldsSomethingElseIsRefused) {
  for (const CastPolicy policy : {CastPolicy::kLowerPrecision, CastPolicy::kPromote}) {
    auto inner = std::make_shared<BoxedItems>();
    inner->items.emplace_back(made(Dtype::kFloat32));
    auto outer = std::make_shared<BoxedItems>();
    outer->items.emplace_back(std::move(inner));
    dispatch::Stack stack;
    stack.emplace_back(std::move(outer));
    auto& op = add(
        policy == CastPolicy::kPromote ? "t::b(Tensor[] all) -> int" : "t::a(Tensor[] all) -> int",
        dispatch::typed_kernel<&count>());
    wrap(op, boxed_wrapper({.policy = policy, .device = DeviceKind::kCpu}));

    EXPECT_THROW(call_boxed(op, stack), Error);
  }
}

}  // namespace
}  // namespace assay::cuda::autocast
