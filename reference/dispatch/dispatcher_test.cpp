// The dispatcher: copies, registrations that outlive it, and the trace of calls, whose environment
// variable is read once, so that each test runs in its own process.
#include "reference/dispatch/dispatcher.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

TEST(Dispatcher, ACopyStartsLikeItsPrototypeAndGoesItsOwnWay) {
  Runtime runtime;
  Dispatcher prototype(runtime);
  prototype.keep(prototype.define("ns::f() -> int"));
  const auto answer = [](std::int64_t number) {
    return Kernel::boxed(
        [number](const OperatorHandle&, KeySet, Stack& stack) { stack.emplace_back(number); });
  };
  prototype.keep(prototype.impl("ns::f", std::nullopt, answer(1), "one"));
  Dispatcher copy(runtime, prototype);

  const auto two = copy.impl("ns::f", std::nullopt, answer(2), "two");

  EXPECT_EQ(copy.call(copy.op("ns::f"), {}).front().to_int(), 2);
  EXPECT_EQ(prototype.call(prototype.op("ns::f"), {}).front().to_int(), 1);
  EXPECT_EQ(&copy.op("ns::f").dispatcher(), &copy);
  EXPECT_EQ(*copy.registry().fallbacks(), *prototype.registry().fallbacks());
}

TEST(Dispatcher, RegistrationsOutliveTheDispatcher) {
  Runtime runtime;
  auto dispatcher = std::make_unique<Dispatcher>(runtime);
  auto def = dispatcher->define("ns::g() -> ()");
  const OperatorHandle op = dispatcher->op("ns::g");

  dispatcher.reset();

  def.drop();
  EXPECT_THROW(op.live_state(), Error);
}

// The trace of calls.

/// Makes a call with one redispatch under the given value of the variable.
[[noreturn]] void call_under(const char* value) {
  setenv("RT_SHOW_DISPATCH_TRACE", value, 1);
  Runtime runtime;
  Dispatcher dispatcher(runtime);
  dispatcher.keep(dispatcher.define("ns::f(int n) -> int"));
  const KeySet cpu = set_of(dispatcher.layout(), Backend::kCPU);
  const auto outer = [cpu](const OperatorHandle& op, KeySet, Stack& stack) {
    op.dispatcher().redispatch_boxed(op, cpu, stack);
  };
  const auto inner = [](const OperatorHandle&, KeySet, Stack&) {};
  dispatcher.keep(dispatcher.impl("ns::f", std::nullopt, Kernel::boxed(outer), "outer"));
  dispatcher.keep(dispatcher.impl("ns::f", Backend::kCPU, Kernel::boxed(inner), "inner"));
  dispatcher.call(dispatcher.op("ns::f"), {IValue(std::int64_t{1})});
  std::_Exit(0);
}

class CallTraceDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(CallTraceDeathTest, PrintsCallsAndIndentsWhatTheyCall) {
  EXPECT_EXIT(call_under("1"), ::testing::ExitedWithCode(0),
              "^\\[callBoxed\\] op=\\[ns::f\\], key=\\[Undefined\\]\n"
              " \\[redispatchBoxed\\] op=\\[ns::f\\], key=\\[CPU\\]");
}

TEST_F(CallTraceDeathTest, WarnsOfAnotherValue) {
  EXPECT_EXIT(call_under("yes"), ::testing::ExitedWithCode(0), "must be 0 or 1, not 'yes'");
}

}  // namespace
}  // namespace assay::reference
