// Registrations that race with calls: changes are atomic, and nothing in use is freed (DSP-801 to
// DSP-804). Most useful with the thread sanitizer.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <optional>
#include <thread>
#include <vector>

#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;
using Unary = std::int64_t(const Tensor&);

/// An object that must be alive while a kernel reads it.
struct Alive {
  std::atomic<std::int64_t> value = 1;
  Alive() = default;
  ~Alive() { value = 0; }
  Alive(const Alive&) = delete;
  Alive& operator=(const Alive&) = delete;
};
std::int64_t read(const Entry& entry, KeySet, const Tensor&) {
  return functor_of<Alive>(entry).value.load(std::memory_order_relaxed);
}
Kernel reading() { return typed_kernel<&read>(std::make_shared<const Alive>()); }

/// Runs with membarrier and without it.
class Races : public testing::TestWithParam<bool> {
 protected:
  Races() { order_by_barrier(GetParam()); }
  ~Races() override { order_by_barrier(had_barrier_); }

  static constexpr int kRounds = 300;

  const bool had_barrier_ = is_ordered_by_barrier();
  const std::shared_ptr<Dispatcher> dispatcher_ = Dispatcher::make({});
  const Schema schema_ = parse_schema("race::f(Tensor x) -> int");
  const Registration definition_ = dispatcher_->define(schema_, {"here"});
  const Registration bottom_ =
      dispatcher_->implement(schema_.name(), Key(Backend::kCpu), reading(), "bottom");
  const TypedHandle<Unary> handle_{*dispatcher_->find(schema_.name())};
  const Tensor tensor_ = empty({1}, Dtype::kFloat32, kCpu);
  std::atomic<bool> is_over_ = false;
  std::atomic<std::int64_t> wrong_ = 0;

  std::thread typed_caller() {
    return std::thread([this] {
      while (!is_over_) wrong_ += handle_.call(tensor_) == 1 ? 0 : 1;
    });
  }
  std::thread boxed_caller() {
    return std::thread([this] {
      Stack stack;
      while (!is_over_) {
        stack.emplace_back(tensor_);
        call_boxed(handle_.op(), stack);
        wrong_ += stack.back().integer() == 1 ? 0 : 1;
        stack.pop_back();
      }
    });
  }
  template <typename Change>
  void beside_calls(const Change& change) {
    std::vector<std::thread> callers;
    callers.push_back(typed_caller());
    callers.push_back(boxed_caller());
    callers.push_back(typed_caller());
    for (int i = 0; i < kRounds; ++i) change();
    is_over_ = true;
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(wrong_, 0);
  }
};

TEST_P(Races, AKernelComesAndGoes) {
  beside_calls([&] {
    const Registration above =
        dispatcher_->implement(schema_.name(), Key(Backend::kCpu), reading(), "above");
  });
}

TEST_P(Races, AMaskComesAndGoesWithItsTable) {
  const KeyGuard on({}, Which::kIncluded, dispatcher_->layout().set_of(kTracer));
  const Registration hidden =
      dispatcher_->implement(schema_.name(), Key(kTracer), Kernel::fallthrough(), "hidden");
  beside_calls([&] {
    const Registration seen =
        dispatcher_->implement(schema_.name(), Key(kTracer), reading(), "seen");
    wrong_ += handle_.call(tensor_) == 1 ? 0 : 1;
  });
}

TEST_P(Races, AFallbackComesAndGoes) {
  beside_calls([&] {
    const Registration fallback =
        dispatcher_->fall_back(Key(kTracer), Kernel::fallthrough(), "fallback");
  });
}

TEST_P(Races, AnObserverComesAndGoes) {
  std::atomic<std::int64_t> seen = 0;
  beside_calls([&] {
    Observer observer;
    observer.start = [&](const ObservedCall&) { ++seen; };
    const Registration watching = dispatcher_->add_observer(std::move(observer));
    wrong_ += handle_.call(tensor_) == 1 ? 0 : 1;
  });
  EXPECT_GE(seen, kRounds);
}

TEST_P(Races, OperatorsAreFoundWholeOrNotAtAll) {
  std::thread finder([this] {
    while (!is_over_) {
      const Operator* found = dispatcher_->find({"race::gone", ""});
      if (found != nullptr) static_cast<void>(found->state()->has_schema());
    }
  });
  beside_calls([&] {
    const Registration gone = dispatcher_->define(parse_schema("race::gone() -> ()"), {"here"});
  });
  finder.join();
  EXPECT_EQ(dispatcher_->find({"race::gone", ""}), nullptr);
}

TEST_P(Races, AnAdoptedOperatorIsMadeOnce) {
  const std::shared_ptr<Dispatcher> prototype = Dispatcher::make({});
  const Schema adopted = parse_schema("race::adopted() -> ()");
  const Registration there = prototype->define(adopted, {"there"});
  for (int round = 0; round < 20; ++round) {
    const std::shared_ptr<Dispatcher> other = Dispatcher::make({});
    other->adopt(*prototype);
    std::array<Operator*, 2> found{};
    std::thread second([&] { found[1] = other->find(adopted.name()); });
    found[0] = other->find(adopted.name());
    second.join();
    EXPECT_NE(found[0], nullptr);
    EXPECT_EQ(found[0], found[1]);
  }
}

TEST_P(Races, WhatWasRemovedIsFreedWhenCallsOfTwoThreadsHaveEnded) {
  auto functor = std::make_shared<const Alive>();
  const std::weak_ptr<const Alive> gone = functor;
  std::optional<Registration> above(dispatcher_->implement(
      schema_.name(), Key(Backend::kCpu), typed_kernel<&read>(std::move(functor)), "above"));
  std::barrier<> reads(3);
  std::barrier<> ends(3);
  const auto reader = [&] {
    const TableView table(handle_.op());
    reads.arrive_and_wait();
    ends.arrive_and_wait();
  };
  std::thread first(reader);
  std::thread second(reader);
  reads.arrive_and_wait();

  above.reset();
  collect();
  EXPECT_FALSE(gone.expired());
  ends.arrive_and_wait();
  first.join();
  second.join();
  collect();

  EXPECT_TRUE(gone.expired());
}

INSTANTIATE_TEST_SUITE_P(BothOrders, Races, testing::Bool());

}  // namespace
}  // namespace assay::cuda::dispatch
