// Allocations while a stream captures (MEM-023).
#include "harness/suite/device_error.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// A stream that captures into its own pool.
class Capturing {
 public:
  explicit Capturing(Session& subject)
      : subject_(subject), stream_(subject.runtime().pool_stream()) {
    pool_ = subject.memory().capture_pool(stream_);
  }
  const StreamObject& stream() const { return stream_; }
  const Ref& pool() const { return pool_; }
  void begin() const { subject_.runtime().capture_begin(stream_); }
  void end() const { subject_.runtime().capture_end(stream_); }
  MemoryBlock allocate(std::int64_t size_bytes) const {
    return subject_.memory().allocate(size_bytes, {.stream = stream_});
  }

 private:
  Session& subject_;
  StreamObject stream_;
  Ref pool_;
};

}  // namespace

CASES("memory/capture") {
  on_cuda("a_capture_allocates_from_a_pool_of_its_own", {"MEM-023"}, [](Session& subject) {
    const Capturing capture(subject);
    const MemoryBlock before = capture.allocate(512);
    const BlockInfo outside = before.info();
    before.free();

    capture.begin();
    const MemoryBlock during = capture.allocate(512);
    const BlockInfo inside = during.info();
    during.free();
    const MemoryBlock again = capture.allocate(512);
    capture.end();

    expect_true(inside.segment != outside.segment, "a segment of the private pool");
    expect_same_place(again.info(), inside);
    again.free();
    const MemoryBlock after = capture.allocate(512);
    expect_same_place(after.info(), outside);
  });

  on_cuda("other_streams_keep_the_pools_of_all", {"MEM-023"}, [](Session& subject) {
    const Capturing capture(subject);
    const auto other = subject.runtime().pool_stream();
    const MemoryBlock before = subject.memory().allocate(512, {.stream = other});
    const BlockInfo place = before.info();
    before.free();

    capture.begin();
    const MemoryBlock during = subject.memory().allocate(512, {.stream = other});
    capture.end();

    expect_same_place(during.info(), place);
  });

  on_cuda("events_are_not_looked_at_while_a_capture_is_under_way", {"MEM-023", "MEM-008"},
          [](Session& subject) {
            const Capturing capture(subject);
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock block = subject.memory().allocate(3 * kMiB);
            const BlockInfo place = block.info();
            block.record_stream(user);
            block.free();
            capture.begin();
            calls(subject);

            const MemoryBlock during = subject.memory().allocate(3 * kMiB);

            expect_equal(count_of(calls(subject), "event_query"), 0);
            expect_true(during.info().address != place.address, "the block is not free yet");
            capture.end();
            const MemoryBlock after = subject.memory().allocate(3 * kMiB);
            expect_same_place(after.info(), place);
          });

  on_cuda("a_block_freed_with_other_users_waits_for_the_end_of_the_capture", {"MEM-023"},
          [](Session& subject) {
            const Capturing capture(subject);
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock block = subject.memory().allocate(3 * kMiB);
            const BlockInfo place = block.info();
            block.record_stream(user);
            capture.begin();
            calls(subject);

            block.free();
            subject.memory().allocate(64 * kMiB).free();

            expect_counters(subject, {{"active_bytes", 3 * kMiB}});
            expect_equal(count_of(calls(subject), "event_record"), 0);
            capture.end();
            const MemoryBlock after = subject.memory().allocate(3 * kMiB);
            const MemoryBlock later = subject.memory().allocate(3 * kMiB);
            expect_true(
                after.info().address == place.address || later.info().address == place.address,
                "it is free once the capture is over");
          });

  on_cuda("emptying_the_cache_takes_what_a_capture_held_back", {"MEM-016", "MEM-023"},
          [](Session& subject) {
            const Capturing capture(subject);
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock block = subject.memory().allocate(12 * kMiB);
            block.record_stream(user);
            capture.begin();
            block.free();
            capture.end();

            subject.memory().empty_cache();

            expect_counters(subject, {{"segment", 0}, {"active", 0}});
          });

  on_cuda("a_failure_loses_no_block_that_was_freed_during_a_capture", {"MEM-023", "FLT-012"},
          [](Session& subject) {
            for (const char* call : {"event_create", "event_record"}) {
              const ScopedTrace place(call);
              const Capturing capture(subject);
              const auto user = subject.runtime().pool_stream();
              const MemoryBlock block = subject.memory().allocate(3 * kMiB);
              block.record_stream(user);
              capture.begin();
              block.free();
              capture.end();
              subject.sim().faults({{.call = call, .code = 400, .occurrence = 1}});

              expect_device_error(
                  subject, [&] { subject.memory().allocate(512); }, 400);

              subject.sim().faults({});
              subject.memory().allocate(512).free();
              subject.memory().allocate(512).free();
              expect_counters(subject, {{"active_bytes", 0}, {"active", 0}});
            }
          })
      .only(Deviations::kStrict);

  on_cuda("memory_of_a_capture_is_kept_while_its_graph_lives", {"MEM-023"}, [](Session& subject) {
    const Capturing capture(subject);
    capture.begin();
    const MemoryBlock during = capture.allocate(12 * kMiB);
    capture.end();
    during.free();

    subject.memory().empty_cache();
    expect_counters(subject, {{"segment", 1}});

    subject.memory().release_pool(capture.pool());
    subject.memory().empty_cache();
    expect_counters(subject, {{"segment", 0}, {"reserved_bytes", 0}});
  });

  on_cuda("memory_of_a_capture_is_kept_while_its_blocks_live", {"MEM-023"}, [](Session& subject) {
    const Capturing capture(subject);
    capture.begin();
    const MemoryBlock during = capture.allocate(12 * kMiB);
    capture.end();

    subject.memory().release_pool(capture.pool());
    subject.memory().empty_cache();
    expect_counters(subject, {{"segment", 1}});

    during.free();
    subject.memory().empty_cache();
    expect_counters(subject, {{"segment", 0}});
  });

  on_cuda("a_capture_gives_no_cached_memory_back", {"MEM-023", "MEM-011"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    const Capturing capture(subject);
    subject.memory().allocate(40 * kMiB).free();
    capture.begin();
    calls(subject);

    expect_error([&] { subject.memory().allocate(60 * kMiB); }, ErrorKind::kOutOfMemory);

    expect_equal(count_of(calls(subject), "free"), 0);
    expect_counters(subject, {{"num_alloc_retries", 0}, {"segment", 1}});
    capture.end();
    subject.memory().allocate(60 * kMiB);
  });

  on_cuda("the_cache_cannot_be_emptied_during_a_capture", {"MEM-016", "MEM-023"},
          [](Session& subject) {
            const Capturing capture(subject);
            capture.begin();

            expect_error([&] { subject.memory().empty_cache(); }, ErrorKind::kInternal);

            capture.end();
            subject.memory().empty_cache();
          });

  on_cuda("asking_the_driver_for_memory_does_not_end_a_capture", {"MEM-023"}, [](Session& subject) {
    const Capturing capture(subject);
    capture.begin();

    const MemoryBlock inside = capture.allocate(12 * kMiB);
    const MemoryBlock outside = subject.memory().allocate(12 * kMiB);

    expect_equal(subject.runtime().capture_status(capture.stream()), "active");
    capture.end();
  });
}

}  // namespace assay::suites
