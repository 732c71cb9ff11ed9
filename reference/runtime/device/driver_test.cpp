// The driver with several threads of the host, work that calls it, and bytes that no case reads;
// what is no litmus program.
#include "reference/runtime/device/driver.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "reference/runtime/device/explore.hpp"

namespace assay::reference {
namespace {

class DriverTest : public testing::Test {
 protected:
  StreamHandle new_stream(bool non_blocking = true) {
    StreamHandle stream = 0;
    EXPECT_EQ(driver_.stream_create(stream, non_blocking, 0), Code::kSuccess);
    return stream;
  }
  EventHandle new_event(unsigned flags = 2) {
    EventHandle event = 0;
    EXPECT_EQ(driver_.event_create(event, flags), Code::kSuccess);
    return event;
  }
  GateHandle close(StreamHandle stream, std::int64_t timeout_ms = 10'000) {
    GateHandle gate = 0;
    EXPECT_EQ(driver_.gate(stream, gate, timeout_ms), Code::kSuccess);
    return gate;
  }
  void store(StreamHandle stream, int value) {
    EXPECT_EQ(driver_.launch(stream, {.name = "store", .run = [this, value] { seen_ = value; }}),
              Code::kSuccess);
  }

  Runtime runtime_;
  Driver driver_{runtime_};
  int seen_ = 0;
};

TEST_F(DriverTest, a_thread_waits_until_another_opens_the_gate) {
  const StreamHandle stream = new_stream();
  const EventHandle event = new_event();
  const GateHandle gate = close(stream);
  store(stream, 7);
  EXPECT_EQ(driver_.event_record(event, stream), Code::kSuccess);
  std::thread waiter([&] {
    EXPECT_EQ(driver_.event_sync(event), Code::kSuccess);
    EXPECT_EQ(seen_, 7);
  });

  driver_.open(gate);
  waiter.join();

  EXPECT_EQ(driver_.gate_state(gate), GateState::kOpen);
}

TEST_F(DriverTest, many_threads_share_one_stream) {
  constexpr int kThreads = 4;
  constexpr int kLaunches = 200;
  const StreamHandle stream = new_stream();
  driver_.set_schedule({ScheduleKind::kRandom, 1});
  int count = 0;  // devices run one item at a time, so no race
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < kLaunches; ++k) {
        EXPECT_EQ(driver_.launch(stream, {.name = "count", .run = [&count] { ++count; }}),
                  Code::kSuccess);
        if (k % 50 == 0) {
          EXPECT_EQ(driver_.stream_sync(stream), Code::kSuccess);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(driver_.stream_sync(stream), Code::kSuccess);

  EXPECT_EQ(count, kThreads * kLaunches);
}

TEST_F(DriverTest, a_failure_stays_in_the_register_of_its_thread) {
  EXPECT_EQ(driver_.stream_destroy(12345), Code::kInvalidHandle);

  EXPECT_EQ(driver_.peek_last_error(), Code::kInvalidHandle);
  std::thread([&] { EXPECT_EQ(driver_.peek_last_error(), Code::kSuccess); }).join();
  EXPECT_EQ(driver_.get_last_error(), Code::kInvalidHandle);
  EXPECT_EQ(driver_.get_last_error(), Code::kSuccess);
}

TEST_F(DriverTest, shutting_down_wakes_whoever_waits) {
  const StreamHandle stream = new_stream();
  close(stream, 60'000);
  std::atomic<bool> is_waiting = false;
  std::thread waiter([&] {
    is_waiting = true;
    EXPECT_EQ(driver_.stream_sync(stream), Code::kUnloading);
  });
  while (!is_waiting) std::this_thread::yield();

  driver_.shut_down();
  waiter.join();

  EXPECT_EQ(driver_.stream_sync(stream), Code::kUnloading);
}

TEST(DriverOf, reset_lets_whoever_waits_return_and_begins_anew) {
  Runtime runtime;
  Driver& driver = driver_of(runtime);
  StreamHandle stream = 0;
  GateHandle gate = 0;
  EXPECT_EQ(driver.stream_create(stream, true, 0), Code::kSuccess);
  EXPECT_EQ(driver.gate(stream, gate, 60'000), Code::kSuccess);
  driver.take_log();
  std::thread waiter([&] { EXPECT_EQ(driver_of(runtime).stream_sync(stream), Code::kUnloading); });
  while (driver.take_log().empty()) std::this_thread::yield();

  runtime.reset();
  waiter.join();

  EXPECT_EQ(driver_of(runtime).live().streams, 0);
  EXPECT_EQ(driver_of(runtime).stream_query(stream), Code::kInvalidHandle);
}

TEST_F(DriverTest, what_a_work_owns_may_call_the_driver_when_it_goes) {
  struct Owner {
    Driver& driver;
    EventHandle event;
    ~Owner() { EXPECT_EQ(driver.event_destroy(event), Code::kSuccess); }
  };
  const StreamHandle stream = new_stream();
  auto owner = std::make_shared<Owner>(driver_, new_event());

  EXPECT_EQ(driver_.launch(stream, {.name = "last", .run = [kept = std::move(owner)] {}}),
            Code::kSuccess);

  EXPECT_EQ(driver_.live().events, 0);
}

TEST_F(DriverTest, a_work_may_launch_another) {
  const StreamHandle stream = new_stream();

  EXPECT_EQ(driver_.launch(stream, {.name = "outer", .run = [&] { store(stream, 5); }}),
            Code::kSuccess);

  EXPECT_EQ(driver_.stream_sync(stream), Code::kSuccess);
  EXPECT_EQ(seen_, 5);
}

TEST_F(DriverTest, bytes_are_poison_until_they_are_written) {
  Address address = 0;
  EXPECT_EQ(driver_.malloc(address, 4096), Code::kSuccess);

  std::byte* bytes = driver_.data(address + 100);
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(*bytes, std::byte{0xA5});
  *bytes = std::byte{1};
  EXPECT_EQ(*driver_.data(address + 100), std::byte{1});
  EXPECT_EQ(driver_.data(address + 4096), nullptr);
  EXPECT_EQ(driver_.free(address), Code::kSuccess);
  EXPECT_EQ(driver_.free(address), Code::kInvalidValue);
}

TEST_F(DriverTest, threads_record_query_and_wait_at_the_same_time) {
  driver_.set_schedule({ScheduleKind::kRandom, 3});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const StreamHandle stream = new_stream(i % 2 == 0);
      const EventHandle event = new_event();
      for (int k = 0; k < 100; ++k) {
        const GateHandle gate = close(stream);
        EXPECT_EQ(driver_.event_record(event, stream), Code::kSuccess);
        EXPECT_EQ(driver_.stream_wait(kLegacyStream, event), Code::kSuccess);
        driver_.open(gate);
        while (driver_.event_query(event) == Code::kNotReady) std::this_thread::yield();
      }
      EXPECT_EQ(driver_.event_destroy(event), Code::kSuccess);
      EXPECT_EQ(driver_.stream_destroy(stream), Code::kSuccess);
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(driver_.device_sync(), Code::kSuccess);

  EXPECT_EQ(driver_.pending(std::nullopt), 0);
  EXPECT_EQ(driver_.live().streams, 0);
}

// What is no litmus program. What programs may show is a matter of the litmus rows, and of random
// programs against the axioms.

TEST(LitmusProgramTest, says_what_is_wrong_with_a_text) {
  for (const char* text : {"st(S0,x)", "st(S0,x,y)", "jump(S0)", "st(X0,x,1)", "get(h)", "k(S0",
                           "alias(a,b); alias(b,a); k(a)"}) {
    EXPECT_THROW(read_litmus_program(text), BadLitmusProgram) << text;
  }
}

}  // namespace
}  // namespace assay::reference
