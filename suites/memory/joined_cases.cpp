// Streams that join a capture through an event and leave it: the source of their memory
// (MEM-023).
#include "harness/suite/clients/graph.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// A graph that captures on one stream, and a second stream that has joined the capture.
struct Fork {
  explicit Fork(Session& session)
      : subject(session),
        graph(GraphClient(session).make()),
        origin(session.runtime().pool_stream()),
        joined(session.runtime().pool_stream()) {}

  void begin() const { graph.begin({.stream = origin, .mode = "relaxed"}); }
  void join() const {
    const auto event = subject.runtime().event();
    event.record(origin);
    event.block(joined);
  }
  void end() const {
    const auto event = subject.runtime().event();
    event.record(joined);
    event.block(origin);
    graph.end();
  }
  MemoryBlock allocate(std::int64_t size_bytes) const {
    return subject.memory().allocate(size_bytes, {.stream = joined});
  }

  Session& subject;
  GraphObject graph;
  StreamObject origin;
  StreamObject joined;
};

/// A free segment of 20 MiB of that stream, in the common pools.
BlockInfo cached(Session& subject, const StreamObject& stream) {
  const MemoryBlock block = subject.memory().allocate(20 * kMiB, {.stream = stream});
  const BlockInfo place = block.info();
  block.free();
  return place;
}

}  // namespace

CASES("memory/joined") {
  on_cuda("a_stream_that_joins_a_capture_allocates_from_its_pool", {"MEM-023"},
          [](Session& subject) {
            const Fork fork(subject);
            const BlockInfo outside = cached(subject, fork.joined);
            fork.begin();
            fork.join();

            const MemoryBlock inside = fork.allocate(20 * kMiB);
            fork.end();

            expect_true(inside.info().segment != outside.segment, "a segment of the capture's");
            inside.free();
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 1}});  // kept for its graph
            subject.drop(fork.graph.name());
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 0}});
          });

  on_cuda("before_it_joins_it_has_the_pools_of_all", {"MEM-023"}, [](Session& subject) {
    const Fork fork(subject);
    const BlockInfo outside = cached(subject, fork.joined);
    fork.begin();

    const MemoryBlock before = fork.allocate(20 * kMiB);
    fork.join();
    const MemoryBlock after = fork.allocate(20 * kMiB);
    fork.end();

    expect_same_place(before.info(), outside);
    expect_true(after.info().segment != outside.segment, "a segment of the capture's");
  });

  on_cuda("after_the_capture_it_has_the_pools_of_all_again", {"MEM-023"}, [](Session& subject) {
    const Fork fork(subject);
    const BlockInfo outside = cached(subject, fork.joined);
    fork.begin();
    fork.join();
    fork.allocate(20 * kMiB).free();
    fork.end();

    const MemoryBlock after = fork.allocate(20 * kMiB);

    expect_same_place(after.info(), outside);
  });

  on_cuda("what_it_frees_in_the_capture_it_gets_again_there", {"MEM-023", "MEM-004"},
          [](Session& subject) {
            const Fork fork(subject);
            fork.begin();
            fork.join();
            const MemoryBlock first = fork.allocate(20 * kMiB);
            const BlockInfo place = first.info();
            first.free();

            const MemoryBlock second = fork.allocate(20 * kMiB);
            const MemoryBlock other = subject.memory().allocate(20 * kMiB, {.stream = fork.origin});
            fork.end();

            expect_same_place(second.info(), place);
            expect_true(other.info().segment != place.segment, "a block belongs to a stream");
          });

  on_cuda("of_two_captures_it_has_the_pool_of_the_one_that_it_joined", {"MEM-023"},
          [](Session& subject) {
            const Fork first(subject);
            const Fork second(subject);
            const auto before = subject.runtime().current_stream();
            first.begin();
            subject.runtime().set_current_stream(before);
            second.begin();
            second.join();

            second.allocate(20 * kMiB).free();
            second.end();
            subject.runtime().set_current_stream(first.origin);
            subject.runtime().kernel();
            first.graph.end();

            subject.drop(first.graph.name());
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 1}});
            subject.drop(second.graph.name());
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 0}});
          });

  on_cuda("a_stream_that_used_a_block_in_the_capture_alone_has_nothing_of_it_to_do",
          {"MEM-023", "MEM-007"},
          [](Session& subject) {
            const Fork fork(subject);
            const MemoryBlock block = subject.memory().allocate(3 * kMiB);
            const BlockInfo place = block.info();
            fork.begin();
            fork.join();
            block.record_stream(fork.joined);
            block.free();
            fork.end();
            calls(subject);

            const MemoryBlock again = subject.memory().allocate(3 * kMiB);

            expect_equal(count_of(calls(subject), "event_record"), 0);
            // Memory freed during a capture becomes free after the capture.
            const MemoryBlock later = subject.memory().allocate(3 * kMiB);
            expect_true(
                again.info().address == place.address || later.info().address == place.address,
                "it is free once the capture is over");
          })
      .since(Release::k2_4);

  on_cuda("a_stream_that_used_it_before_the_capture_is_waited_for", {"MEM-023", "MEM-007"},
          [](Session& subject) {
            const Fork fork(subject);
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock block = subject.memory().allocate(3 * kMiB);
            const auto gate = subject.runtime().gate(user);
            block.record_stream(user);
            fork.begin();
            fork.join();
            block.record_stream(user);
            block.free();
            fork.end();

            subject.memory().allocate(64 * kMiB).free();  // processes events
            subject.memory().allocate(64 * kMiB).free();

            expect_counters(subject, {{"active_bytes", 3 * kMiB}});
            gate.open();
            subject.memory().allocate(64 * kMiB).free();
            expect_counters(subject, {{"active_bytes", 0}});
          })
      .only(Deviations::kStrict);
}

}  // namespace assay::suites
