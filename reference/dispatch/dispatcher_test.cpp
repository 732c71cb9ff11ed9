// The dispatcher: copies, and registrations that outlive it.
#include "reference/dispatch/dispatcher.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace assay::reference
