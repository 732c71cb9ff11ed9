// The ordering model, and copies of a machine.
#include "reference/runtime/device/machine.hpp"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

using Items = std::vector<ItemId>;

constexpr QueueId kFirst = 1;
constexpr QueueId kSecond = 2;
constexpr QueueId kBlockingQueue = 3;
constexpr QueueId kLegacyQueue = 4;
constexpr EventId kEvent = 1;

class MachineTest : public testing::Test {
 protected:
  MachineTest() {
    machine_.add_queue(kFirst, 0, QueueKind::kNonBlocking);
    machine_.add_queue(kSecond, 0, QueueKind::kNonBlocking);
    machine_.add_queue(kBlockingQueue, 0, QueueKind::kBlocking);
    machine_.add_queue(kLegacyQueue, 0, QueueKind::kLegacy);
  }

  Machine machine_;
};

TEST_F(MachineTest, an_item_follows_the_last_one_of_its_queue) {
  machine_.submit(1, kFirst);
  machine_.submit(2, kFirst);
  machine_.submit(3, kSecond);

  EXPECT_EQ(machine_.completable(), (Items{1, 3}));
  machine_.complete(1);
  EXPECT_EQ(machine_.completable(), (Items{2, 3}));
}

TEST_F(MachineTest, a_wait_follows_the_version_that_the_event_had_then) {
  machine_.record(1, kFirst, kEvent);
  machine_.wait(2, kSecond, kEvent);
  machine_.record(3, kFirst, kEvent);

  EXPECT_EQ(machine_.predecessors(2), Items{1});
  EXPECT_EQ(machine_.version_of(kEvent), Items{3});
}

TEST_F(MachineTest, an_event_that_was_never_recorded_holds_nothing_back) {
  machine_.wait(1, kFirst, kEvent);

  EXPECT_TRUE(machine_.can_complete(1));
  EXPECT_TRUE(machine_.is_event_ready(kEvent));
}

TEST_F(MachineTest, a_gate_may_be_open_before_its_item_comes) {
  machine_.submit(1, kFirst, 7);
  EXPECT_FALSE(machine_.can_complete(1));
  machine_.open(7);
  EXPECT_TRUE(machine_.can_complete(1));
  machine_.open(8);

  machine_.submit(2, kSecond, 8);

  EXPECT_TRUE(machine_.can_complete(2));
}

TEST_F(MachineTest, the_legacy_queue_and_the_blocking_ones_follow_each_other) {
  machine_.submit(1, kBlockingQueue);
  machine_.submit(2, kLegacyQueue);
  machine_.submit(3, kBlockingQueue);
  machine_.submit(4, kFirst);

  EXPECT_EQ(machine_.predecessors(2), Items{1});
  EXPECT_EQ(machine_.predecessors(3), (Items{1, 2}));
  EXPECT_TRUE(machine_.can_complete(4));
}

TEST_F(MachineTest, what_is_needed_is_all_that_comes_before) {
  machine_.submit(1, kFirst);
  machine_.record(2, kFirst, kEvent);
  machine_.submit(3, kFirst);
  machine_.wait(4, kSecond, kEvent);

  EXPECT_EQ(machine_.needed({4}), (Items{1, 2, 4}));
  EXPECT_EQ(machine_.needed({}), Items{});
}

TEST_F(MachineTest, what_a_closed_queue_has_completes_all_the_same) {
  machine_.submit(1, kFirst);
  machine_.submit(2, kFirst);

  machine_.close_queue(kFirst);
  machine_.complete(1);
  machine_.complete(2);

  EXPECT_EQ(machine_.pending_count(), 0U);
}

TEST_F(MachineTest, nothing_behind_a_failed_item_completes) {
  machine_.submit(1, kFirst);
  machine_.submit(2, kFirst);

  machine_.stop(1);

  EXPECT_EQ(machine_.completable(), Items{});
  EXPECT_EQ(machine_.pending(), (Items{1, 2}));
}

TEST_F(MachineTest, a_copy_goes_its_own_way_and_says_the_same_after_the_same) {
  machine_.record(1, kFirst, kEvent);
  machine_.submit(2, kSecond);
  Machine copy = machine_;
  std::vector<std::uint64_t> mine;
  std::vector<std::uint64_t> its;

  copy.complete(1);
  copy.complete(2);
  EXPECT_FALSE(machine_.is_event_ready(kEvent));
  machine_.complete(2);
  machine_.complete(1);

  machine_.describe(mine);
  copy.describe(its);
  EXPECT_EQ(mine, its);
}

}  // namespace
}  // namespace assay::reference
