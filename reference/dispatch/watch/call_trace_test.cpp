// The environment variable of the call trace is
// read once, so each test runs in its own process.
#include <gtest/gtest.h>

#include <cstdlib>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {
namespace {

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
