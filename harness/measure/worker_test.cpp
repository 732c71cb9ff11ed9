// Tests that a worker replies with samples or with the reason for their absence.
#include "harness/measure/worker.hpp"

#include <gtest/gtest.h>

#include "harness/measure/calibration.hpp"
#include "harness/measure/loops.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::measure {
namespace {

std::unique_ptr<Link> worker_of_bare_calls() {
  return connect_in_process([] { return make_worker(connect_in_process(make_bare_calls)); });
}

Command asking(const char* verb, Fields with) {
  Command command;
  command.id = 1;
  command.verb = verb;
  command.with = std::move(with);
  return command;
}

Command measuring(const char* loop, std::int64_t samples = 2) {
  return asking("bench.measure", {{"loop", loop}, {"samples", samples}, {"min_time_ns", 1000}});
}

std::size_t length_of(const Reply& reply, const char* field) {
  const Value* value = reply.ok.find(field);
  return value == nullptr ? 0 : value->get_if<List>()->items.size();
}

/// Dies at its first loop, like a subject in its own process may.
class DyingLink final : public Link {
 public:
  explicit DyingLink(int& starts) : starts_(starts) { ++starts_; }
  Reply exchange(const Command&) override {
    throw LinkBroken(LinkBroken::Cause::kDied, "the subject died of SIGSEGV");
  }
  void restart() override { ++starts_; }

 private:
  int& starts_;
};

TEST(Worker, GivesSamplesOfALoop) {
  const auto worker = worker_of_bare_calls();

  const Reply reply = worker->exchange(measuring("typed_2"));

  ASSERT_TRUE(reply.succeeded()) << reply.reason << reply.error.message;
  EXPECT_EQ(length_of(reply, "samples"), 2U);
  EXPECT_GE(*reply.ok.find("iterations")->get_if<std::int64_t>(), 1);
  EXPECT_EQ(*reply.ok.find("via")->get_if<std::string>(), "c++");
}

TEST(Worker, ReadsTheClockBehindEachSample) {
  unsigned reads = 0;
  const auto read = [&] {
    ++reads;
    return GpuClock{1000 + reads, reads % 2 == 0 ? "power" : ""};
  };
  const auto worker = connect_in_process(
      [&] { return make_worker(connect_in_process(make_bare_calls), {}, read); });

  const Reply reply = worker->exchange(measuring("typed_2", 3));

  ASSERT_EQ(length_of(reply, "samples"), 3U);
  ASSERT_EQ(length_of(reply, "sm_clocks_mhz"), 3U);
  const List& clocks = *reply.ok.find("sm_clocks_mhz")->get_if<List>();
  EXPECT_EQ(*clocks.items.back().get_if<std::int64_t>(), 1000 + reads);
  EXPECT_EQ(*reply.ok.find("throttled_by")->get_if<std::string>(), "power");
  EXPECT_FALSE(worker_of_bare_calls()->exchange(measuring("typed_2")).ok.has("sm_clocks_mhz"));
}

TEST(Worker, CalibratesItsProcess) {
  const auto worker = worker_of_bare_calls();

  const Reply reply =
      worker->exchange(asking("bench.calibrate", {{"samples", 3}, {"min_time_ns", 1000}}));

  ASSERT_TRUE(reply.succeeded()) << reply.reason << reply.error.message;
  for (const char* list : {"timer_cost_ns", "empty_loop_ns", "null_call_ns"}) {
    EXPECT_EQ(length_of(reply, list), 3U) << list;
  }
  EXPECT_GT(*reply.ok.find("timer_resolution_ns")->get_if<double>(), 0);
}

TEST(Worker, PassesASingleBatchOn) {
  const auto worker = worker_of_bare_calls();
  const Loop& loop = *find_loop("typed_2");

  const Reply reply = worker->exchange(asking("bench.run", {{"loop", "typed_2"}, {"n", 7}}));

  ASSERT_TRUE(reply.succeeded()) << reply.reason << reply.error.message;
  EXPECT_EQ(static_cast<std::uint64_t>(*reply.ok.find("checksum")->get_if<std::int64_t>()),
            expected_checksum(loop, 7));
}

TEST(Worker, PassesHelloOn) {
  const auto worker = worker_of_bare_calls();

  const Reply reply = worker->exchange(asking("hello", {}));

  EXPECT_EQ(*reply.ok.find("name")->get_if<std::string>(), "pointer");
}

TEST(Worker, SaysWhichBuildItIs) {
  const auto worker = connect_in_process([] {
    return make_worker(connect_in_process(make_bare_calls), {{"tool", "0.1.0"}});
  });

  const Reply reply = worker->exchange(asking("bench.build", {}));

  EXPECT_EQ(*reply.ok.find("tool")->get_if<std::string>(), "0.1.0");
}

TEST(Worker, SaysWhyThereAreNoSamples) {
  const auto worker = worker_of_bare_calls();

  EXPECT_EQ(worker->exchange(measuring("event")).reason, "function pointers have no loop event");
  EXPECT_EQ(worker->exchange(measuring("typed_9")).reason, "no loop typed_9");
  EXPECT_EQ(worker->exchange(measuring("empty", 0)).status, Reply::Status::kInvalid);
  EXPECT_EQ(worker->exchange(asking("amp.unscale", {})).status, Reply::Status::kUnsupported);
}

/// A simulated device with the correct tracker.
class Simulated final : public Subject {
 public:
  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    const std::int64_t times = arguments.integer("n");
    const std::uint64_t sum = expected_checksum(*find_loop("kernel"), times);
    return Reply::make_ok({{"checksum", static_cast<std::int64_t>(sum)},
                           {"result", static_cast<std::int64_t>(counted_tracker(
                                          *find_loop("kernel"), times, Part::kWhole))},
                           {"via", "c++"},
                           {"no_time", "simulated"}});
  }
};

TEST(Worker, SaysThatALoopRanWithoutATime) {
  const auto worker = connect_in_process(
      [] { return make_worker(connect_in_process(std::make_unique<Simulated>)); });

  const Reply reply = worker->exchange(measuring("kernel"));

  ASSERT_TRUE(reply.succeeded()) << reply.reason << reply.error.message;
  EXPECT_EQ(*reply.ok.find("no_time")->get_if<std::string>(), "simulated");
  EXPECT_FALSE(reply.ok.has("samples"));
}

TEST(Worker, StartsADeadSubjectAgain) {
  int starts = 0;
  const auto worker =
      connect_in_process([&] { return make_worker(std::make_unique<DyingLink>(starts)); });

  const Reply reply = worker->exchange(measuring("empty"));

  EXPECT_EQ(reply.status, Reply::Status::kError);
  EXPECT_EQ(reply.error.message, "the subject died of SIGSEGV");
  EXPECT_EQ(starts, 2);
}

}  // namespace
}  // namespace assay::measure
