// Typed calls: arguments that reach the kernel, and results.
#include "cuda_impl/dispatch/call/typed_handle.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

Tensor plus_uses(Tensor tensor) {
  return full({1}, static_cast<double>(tensor.body().use_count()), Dtype::kFloat64, kCpu);
}
Tensor& in_place(Tensor& tensor, std::int64_t) { return tensor; }
std::int64_t keys_below(KeySet keys, const Tensor&) { return static_cast<std::int64_t>(keys.bits); }
/// Returns a tensor other than its argument.
void push_other(const Entry&, KeySet, Stack& stack) {
  stack.clear();
  stack.push_back(Boxed(full({1}, 99.0, Dtype::kFloat32, kCpu)));
}
void pass_on(const Entry& entry, KeySet keys, Stack& stack) {
  redispatch_below(entry, keys, stack);
}

class Typed : public testing::Test {
 protected:
  const std::shared_ptr<Dispatcher> dispatcher_ = Dispatcher::make({});
  std::vector<Registration> held_;
  const Tensor tensor_ = full({1}, 5.0, Dtype::kFloat32, kCpu);

  Operator& define(const std::string& text, const Kernel& kernel, Key key = kCompositeExplicit) {
    const Schema schema = parse_schema("test::" + text);
    held_.push_back(dispatcher_->define(schema, {"here"}));
    held_.push_back(dispatcher_->implement(schema.name(), key, kernel, "test"));
    return *dispatcher_->find(schema.name());
  }
};

TEST_F(Typed, AValueIsMovedThroughToTheKernel) {
  const TypedHandle<Tensor(Tensor)> handle(
      define("uses(Tensor x) -> Tensor", typed_kernel<&plus_uses>()));
  Tensor mine = full({1}, 1.0, Dtype::kFloat32, kCpu);

  const Tensor uses = handle.call(std::move(mine));

  EXPECT_EQ(read_number(uses), 1.0);
  EXPECT_FALSE(mine.defined());  // NOLINT: this is what is tested
}

TEST_F(Typed, AReferenceComesBackAsTheObjectThatItWas) {
  const TypedHandle<Tensor&(Tensor&, std::int64_t)> handle(
      define("in_place(Tensor(a!) x, int n) -> Tensor(a!)", typed_kernel<&in_place>()));
  Tensor mine = tensor_;

  EXPECT_EQ(&handle.call(mine, 3), &mine);
}

TEST_F(Typed, NoKindOfCallTakesMemory) {
  Operator& op = define("keys(Tensor x) -> int", typed_kernel<&keys_below>(), Backend::kCpu);
  const TypedHandle<std::int64_t(const Tensor&)> handle(op);
  Stack stack;
  const auto call_on_stack = [&] {
    stack.emplace_back(tensor_);
    call_boxed(op, stack);
    stack.pop_back();
  };
  EXPECT_EQ(allocations_of([&] { handle.call(tensor_); }), 0);
  EXPECT_EQ(allocations_of(call_on_stack), 0);

  held_.push_back(dispatcher_->fall_back(Key(kGenericMode), Kernel::of_boxed(pass_on), "test"));
  const KeyGuard on({}, Which::kIncluded, dispatcher_->layout().set_of(kGenericMode));

  EXPECT_EQ(allocations_of([&] { handle.call(tensor_); }), 0);
  EXPECT_EQ(allocations_of(call_on_stack), 0);
}

TEST_F(Typed, ABoxedKernelMayBeReachedWithTooFewArguments) {
  Operator& op =
      define("keys(Tensor x, int n) -> int", Kernel::of_boxed(push_other), Backend::kCpu);
  Stack stack;
  EXPECT_THROW(call_boxed(op, stack), Error);

  redispatch_boxed(op, dispatcher_->layout().set_of(Backend::kCpu), stack);
  EXPECT_EQ(stack.size(), 1U);

  Operator& none = define("none(Tensor x) -> ()", Kernel::of_boxed(push_other), Backend::kCpu);
  stack.clear();
  EXPECT_THROW(redispatch_boxed(none, dispatcher_->layout().set_of(Backend::kCpu), stack), Error);
}

}  // namespace
}  // namespace assay::cuda::dispatch
