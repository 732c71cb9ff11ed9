// Calls concurrent with registrations see them completely or not at all (DSP-801 to DSP-804,
// DSP-614, DSP-615); run with the thread sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <map>
#include <thread>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"

namespace assay::reference {
namespace {

using enum Functionality;

constexpr int kCallers = 3;
constexpr int kRounds = 300;
constexpr DispatchKey kAutogradCPU{kAutogradFunctionality, Backend::kCPU};

/// A kernel that returns `number`.
Kernel answering(std::int64_t number) {
  return Kernel::boxed([number](const OperatorHandle&, KeySet, Stack& stack) {
    stack.clear();
    stack.emplace_back(number);
  });
}

/// The result of a call with these keys; -1 if no kernel is found, -2 if the dispatcher is
/// inconsistent.
std::int64_t answer(Dispatcher& dispatcher, const OperatorHandle& op, KeySet keys) {
  const IncludeKeyGuard include(dispatcher.runtime(), keys);
  Stack stack;
  try {
    dispatcher.call_boxed(op, stack);
    return stack.front().to_int();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kInternal ? -2 : -1;
  }
}

/// Repeats `call` on several threads while `change` runs; counts how often each answer was seen.
std::map<std::int64_t, int> answers_during(const std::function<std::int64_t()>& call,
                                           const std::function<void()>& change) {
  std::atomic<bool> over = false;
  std::barrier start(kCallers + 1);
  std::vector<std::map<std::int64_t, int>> seen(kCallers);
  std::vector<std::thread> callers;
  for (auto& mine : seen) {
    callers.emplace_back([&] {
      start.arrive_and_wait();
      do ++mine[call()];
      while (!over);
    });
  }
  start.arrive_and_wait();
  change();
  over = true;
  for (std::thread& caller : callers) caller.join();
  std::map<std::int64_t, int> all;
  for (const auto& mine : seen) {
    for (const auto& [value, count] : mine) all[value] += count;
  }
  return all;
}

void expect_only(const std::map<std::int64_t, int>& seen, std::initializer_list<std::int64_t> ok) {
  for (const auto& [value, count] : seen) {
    EXPECT_TRUE(std::find(ok.begin(), ok.end(), value) != ok.end())
        << count << " calls answered " << value;
  }
}

class DispatcherRaces : public ::testing::Test {
 protected:
  DispatcherRaces() {
    dispatcher_.keep(dispatcher_.define("ns::f() -> int"));
    cpu_ = set_of(dispatcher_.layout(), Backend::kCPU);
    with_autograd_ = cpu_ | set_of(dispatcher_.layout(), kAutogradCPU);
  }

  Runtime runtime_;
  Dispatcher dispatcher_{runtime_};
  KeySet cpu_;
  KeySet with_autograd_;
};

TEST_F(DispatcherRaces, AnOverrideIsThereOrNot) {
  const auto first = dispatcher_.impl("ns::f", Backend::kCPU, answering(1), "first");
  const OperatorHandle op = dispatcher_.op("ns::f");

  const auto seen = answers_during([&] { return answer(dispatcher_, op, cpu_); },
                                   [&] {
                                     for (int i = 0; i < kRounds; ++i) {
                                       const auto second = dispatcher_.impl("ns::f", Backend::kCPU,
                                                                            answering(2), "second");
                                     }
                                   });

  expect_only(seen, {1, 2});
}

TEST_F(DispatcherRaces, MaskAndEntryChangeTogether) {
  const auto cpu = dispatcher_.impl("ns::f", Backend::kCPU, answering(1), "cpu");
  const OperatorHandle op = dispatcher_.op("ns::f");

  const auto seen = answers_during([&] { return answer(dispatcher_, op, with_autograd_); },
                                   [&] {
                                     for (int i = 0; i < kRounds; ++i) {
                                       const auto autograd = dispatcher_.impl(
                                           "ns::f", kAutogradCPU, answering(2), "autograd");
                                     }
                                   });

  expect_only(seen, {1, 2});  // -2 would mean that a fallthrough was entered
}

TEST_F(DispatcherRaces, AFallbackIsThereForAllOperatorsOrNot) {
  const OperatorHandle op = dispatcher_.op("ns::f");
  const auto private_use = set_of(dispatcher_.layout(), Backend::kPrivateUse1);

  const auto seen = answers_during([&] { return answer(dispatcher_, op, private_use); },
                                   [&] {
                                     for (int i = 0; i < kRounds; ++i) {
                                       const auto fallback = dispatcher_.fallback(
                                           Backend::kPrivateUse1, answering(3), "fallback");
                                     }
                                   });

  expect_only(seen, {3, -1});
}

TEST_F(DispatcherRaces, AnOperatorThatGoesIsFoundWholeOrNotAtAll) {
  const auto find_and_call = [&]() -> std::int64_t {
    const auto found = dispatcher_.find({"ns::g", ""});
    return found ? answer(dispatcher_, *found, cpu_) : 0;
  };

  const auto seen = answers_during(find_and_call, [&] {
    for (int i = 0; i < kRounds; ++i) {
      const auto def = dispatcher_.define("ns::g() -> int");
      const auto impl = dispatcher_.impl("ns::g", Backend::kCPU, answering(4), "g");
    }
  });

  expect_only(seen, {0, 4, -1});
}

TEST_F(DispatcherRaces, OtherOperatorsAreLeftAlone) {
  const auto cpu = dispatcher_.impl("ns::f", Backend::kCPU, answering(1), "cpu");
  const OperatorHandle op = dispatcher_.op("ns::f");

  const auto seen = answers_during(
      [&] { return answer(dispatcher_, op, cpu_); },
      [&] {
        for (int i = 0; i < kRounds; ++i) {
          const auto def =
              dispatcher_.define("ns::g" + std::to_string(i % 7) + "(Tensor x) -> Tensor");
        }
      });

  expect_only(seen, {1});
}

TEST_F(DispatcherRaces, AKernelOutlivesTheCallsInsideIt) {
  Registration own;
  const auto alive = std::make_shared<std::int64_t>(5);
  const auto drops_itself = [&own, held = alive](const OperatorHandle&, KeySet, Stack& stack) {
    own.drop();
    stack.emplace_back(*held);
  };
  own = dispatcher_.impl("ns::f", Backend::kCPU, Kernel::boxed(drops_itself), "mortal");

  EXPECT_EQ(answer(dispatcher_, dispatcher_.op("ns::f"), cpu_), 5);

  EXPECT_EQ(answer(dispatcher_, dispatcher_.op("ns::f"), cpu_), -1);
}

TEST_F(DispatcherRaces, AKernelMayRegisterAndCallItself) {
  const auto count_down = [](const OperatorHandle& op, KeySet, Stack& stack) {
    Dispatcher& dispatcher = op.dispatcher();
    const std::int64_t left = stack.back().to_int();
    const auto inner = dispatcher.define("ns::inner" + std::to_string(left) + "() -> ()");
    stack.back() = IValue(std::int64_t{0});
    if (left == 0) return;
    Stack next{IValue(left - 1)};
    dispatcher.call_boxed(op, next);
    stack.back() = IValue(next.back().to_int() + 1);
  };
  dispatcher_.keep(dispatcher_.define("ns::depth(int n) -> int"));
  dispatcher_.keep(
      dispatcher_.impl("ns::depth", std::nullopt, Kernel::boxed(count_down), "count_down"));

  const Stack results = dispatcher_.call(dispatcher_.op("ns::depth"), {IValue(std::int64_t{100})});

  EXPECT_EQ(results.front().to_int(), 100);
}

TEST_F(DispatcherRaces, GuardsBelongToTheirThread) {
  const auto cpu = dispatcher_.impl("ns::f", Backend::kCPU, answering(1), "cpu");
  const OperatorHandle op = dispatcher_.op("ns::f");

  const auto seen = answers_during([&] { return answer(dispatcher_, op, cpu_); },
                                   [&] {
                                     for (int i = 0; i < kRounds; ++i) {
                                       const ExcludeKeyGuard exclude(runtime_, cpu_);
                                       EXPECT_EQ(answer(dispatcher_, op, cpu_), -1);
                                     }
                                   });

  expect_only(seen, {1});
}

TEST(DispatcherRace, TheFirstCallOfManyThreadsFindsEverything) {
  for (int round = 0; round < 20; ++round) {
    Runtime runtime;
    std::barrier start(kCallers);
    std::vector<std::thread> threads;
    std::atomic<int> found = 0;
    for (int i = 0; i < kCallers; ++i) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        if (dispatcher_of(runtime).op("aten::_amp_update_scale_").has_schema()) ++found;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(found, kCallers);
  }
}

}  // namespace
}  // namespace assay::reference
