// The dispatcher: the selected kernel, the order of registrations, and their removal.
#include "reference/dispatch/dispatcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/missing_kernel.hpp"

namespace assay::reference {
namespace {

using enum Functionality;

constexpr DispatchKey kAutogradCPU{kAutogradFunctionality, Backend::kCPU};
constexpr DispatchKey kQuantizedCPU{kQuantized, Backend::kCPU};

/// A dispatcher with one operator, whose kernels record their label.
class Dispatching {
 public:
  explicit Dispatching(Contract contract = {}) : runtime_(contract), dispatcher_(runtime_) {
    dispatcher_.keep(dispatcher_.define("ns::f(Tensor x) -> Tensor"));
  }

  Registration impl(std::optional<DispatchKey> key, const std::string& label) {
    const auto kernel = Kernel::boxed([this, label](const OperatorHandle&, KeySet, Stack&) {
      ran_ = label;  // the argument is returned unchanged
    });
    return dispatcher_.impl("ns::f", key, kernel, label);
  }

  /// The label of the kernel that is reached with these keys, or the kind of the error.
  std::string reached(std::initializer_list<DispatchKey> keys) {
    Stack stack{IValue(Tensor())};
    const KeySet set = set_of(dispatcher_.layout(), keys);
    try {
      const OperatorHandle op = dispatcher_.op("ns::f");
      const KeySet effective = effective_keys(dispatcher_.table_of(op), {set, {}, {}});
      dispatcher_.redispatch_boxed(op, effective, stack);
      return ran_;
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kInternal ? "internal" : "missing";
    }
  }

  Dispatcher& dispatcher() { return dispatcher_; }

 private:
  Runtime runtime_;
  Dispatcher dispatcher_;
  std::string ran_;
};

constexpr Contract kCompat{Release::k1_13, DeviceRules::kCpu, Deviations::kCompat};
constexpr Contract kStrict{Release::k1_13, DeviceRules::kCpu, Deviations::kStrict};

TEST(Dispatcher, NewestKernelOfAKeyIsActiveAndComesBack) {
  Dispatching ops;
  auto k1 = ops.impl(Backend::kCPU, "k1");
  auto k2 = ops.impl(Backend::kCPU, "k2");
  auto k3 = ops.impl(Backend::kCPU, "k3");

  k2.drop();
  EXPECT_EQ(ops.reached({Backend::kCPU}), "k3");
  k3.drop();
  EXPECT_EQ(ops.reached({Backend::kCPU}), "k1");
  auto k4 = ops.impl(Backend::kCPU, "k4");
  k1.drop();
  EXPECT_EQ(ops.reached({Backend::kCPU}), "k4");
  k4.drop();
  EXPECT_EQ(ops.reached({Backend::kCPU}), "missing");
}

TEST(Dispatcher, CompositesYieldToKernelsWhateverTheOrder) {
  std::vector<int> order{0, 1, 2};
  do {
    Dispatching ops;
    std::vector<Registration> kept;
    for (const int which : order) {
      if (which == 0) kept.push_back(ops.impl(std::nullopt, "cia"));
      if (which == 1) kept.push_back(ops.impl(kCompositeExplicitAutograd, "cea"));
      if (which == 2) kept.push_back(ops.impl(kAutograd, "autograd"));
    }
    EXPECT_EQ(ops.reached({Backend::kCPU, kAutogradCPU}), "autograd");
    EXPECT_EQ(ops.reached({Backend::kCPU}), "cea");
    EXPECT_EQ(ops.reached({{kNestedTensor, Backend::kCPU}}), "missing");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Dispatcher, CompatLeavesTablesStaleAsPyTorchDoes) {
  Dispatching stale(kCompat);
  const auto cia = stale.impl(std::nullopt, "cia");
  const auto cea = stale.impl(kCompositeExplicitAutograd, "cea");
  EXPECT_EQ(stale.reached({Backend::kCPU, kAutogradCPU}), "cia");

  Dispatching fresh(kCompat);
  const auto cea_first = fresh.impl(kCompositeExplicitAutograd, "cea");
  const auto cia_second = fresh.impl(std::nullopt, "cia");
  EXPECT_EQ(fresh.reached({Backend::kCPU, kAutogradCPU}), "cea");
}

TEST(Dispatcher, AmbiguityAtAutogradOtherIsAnError) {
  for (const Contract& contract : {kStrict, Contract{}}) {
    Dispatching ops(contract);
    const auto cia = ops.impl(std::nullopt, "cia");
    const auto quantized = ops.impl(kQuantizedCPU, "quantized");
    EXPECT_EQ(ops.reached({kMkldnnCPU, kAutogradOther}), "internal");
    EXPECT_EQ(ops.reached({kQuantizedCPU, kAutogradCPU}), "cia");
    EXPECT_EQ(ops.reached({kQuantizedCPU}), "quantized");
  }
}

TEST(Dispatcher, FallthroughIsMaskedForItsBackendOnly) {
  Dispatching ops;
  const auto cpu = ops.impl(Backend::kCPU, "cpu");
  const auto hidden = ops.dispatcher().impl("ns::f", Backend::kCUDA, Kernel::fallthrough(), "none");

  EXPECT_EQ(ops.reached({Backend::kCPU}), "cpu");
  EXPECT_EQ(ops.reached({Backend::kCUDA}), "missing");
  EXPECT_EQ(ops.reached({Backend::kCPU, Backend::kCUDA}), "missing");  // both share the Dense bit
}

TEST(Dispatcher, RedispatchToAFallthroughIsAnError) {
  Dispatching ops;
  const auto cpu = ops.impl(Backend::kCPU, "cpu");
  const KeySet keys = set_of(ops.dispatcher().layout(), {Backend::kCPU, kAutogradCPU});
  Stack stack{IValue(Tensor())};

  EXPECT_THROW(ops.dispatcher().redispatch_boxed(ops.dispatcher().op("ns::f"), keys, stack), Error);
  EXPECT_EQ(ops.reached({Backend::kCPU, kAutogradCPU}), "cpu");
}

TEST(Dispatcher, AHandleOutlivesItsOperatorAndSaysSo) {
  Runtime runtime;
  Dispatcher dispatcher(runtime);
  auto def = dispatcher.define("ns::g() -> ()");
  const OperatorHandle op = dispatcher.op("ns::g");

  def.drop();

  Stack stack;
  EXPECT_THROW(dispatcher.call_boxed(op, stack), Error);
  EXPECT_FALSE(dispatcher.find({"ns::g", ""}));
}

TEST(Dispatcher, AFailedRegistrationLeavesNoTrace) {
  Runtime runtime;
  Dispatcher dispatcher(runtime);
  const auto def = dispatcher.define("ns::h(Tensor a, int b) -> ()");
  const auto kernel = [](const char* text) {
    return Kernel::typed(parse_signature(text), [](const OperatorHandle&, KeySet,
                                                   const TypedArguments&) { return Stack{}; });
  };

  EXPECT_THROW(dispatcher.impl("ns::h", Backend::kCPU, kernel("void(Tensor)"), "wrong"), Error);
  EXPECT_TRUE(
      dispatcher.impl("ns::h", Backend::kCPU, kernel("void(Tensor,int64_t)"), "right").active());
}

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
