// Events of freed blocks, and blocks freed during a capture.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {

CASES("memory/events") {
  on_cuda("used_events_are_used_again", {"MEM-026"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock first = subject.memory().allocate(512);
    first.record_stream(user);
    first.free();
    const MemoryBlock second = subject.memory().allocate(512);
    second.record_stream(user);
    calls(subject);

    second.free();

    const auto made = calls(subject);
    expect_equal(count_of(made, "event_record"), 1);
    expect_equal(count_of(made, "event_create"), 0);
  });

  on_cuda("an_event_stays_on_its_device", {"MEM-007", "MEM-026"}, [](Session& subject) {
    const auto near = subject.runtime().pool_stream();
    const auto far = subject.runtime().pool_stream({.device = subject.device(1)});
    const MemoryBlock first = subject.memory().allocate(512);
    first.record_stream(far);
    first.free();
    const MemoryBlock second = subject.memory().allocate(512);
    second.record_stream(near);

    second.free();

    subject.memory().allocate(512);
    expect_counters(subject, {{"active", 1}, {"allocation", 1}});
  });

  on_cuda("a_pinned_tensor_waits_for_its_copy", {"MEM-028", "STR-033"}, [](Session& subject) {
    TensorValue plain = f32({1, 2});
    plain.device = {"cpu", -1};
    const Ref pinned = subject.memory().pin_memory(subject.core().tensor(plain));
    const Ref there = subject.core().tensor(f32({0, 0}));
    subject.core().copy_(there, pinned, true);
    calls(subject);

    subject.drop(pinned.name);

    expect_equal(count_of(calls(subject), "event_record"), 1);
  });

  on_cuda("emptying_the_cache_waits_for_each_event", {"MEM-016"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(12 * kMiB);
    block.record_stream(user);
    block.free();
    calls(subject);

    subject.memory().empty_cache();

    expect_calls(calls(subject, {"event_sync", "free"}), {"event_sync", "free"});
  });

  on_cuda("the_message_tells_what_private_pools_hold", {"MEM-013", "MEM-023"},
          [](Session& subject) {
            subject.sim().machine({.memory = 64 * kMiB});
            const auto stream = subject.runtime().pool_stream();
            subject.memory().capture_pool(stream);
            subject.runtime().capture_begin(stream);
            subject.memory().allocate(10 * kMiB, {.stream = stream});
            subject.runtime().capture_end(stream);

            expect_error([&] { subject.memory().allocate(100 * kMiB); }, ErrorKind::kOutOfMemory,
                         {"10.00 MiB", "private pools"});
          })
      .since(Release::k2_4);

  on_cuda("the_other_backend_frees_after_the_capture", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            const MemoryBlock block = subject.memory().allocate(512);
            const auto stream = subject.runtime().pool_stream();
            subject.runtime().capture_begin(stream);
            calls(subject);

            block.free();

            expect_equal(count_of(calls(subject), "free_async"), 0);
            subject.runtime().capture_end(stream);
            subject.memory().allocate(512);
            expect_equal(count_of(calls(subject), "free_async"), 1);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("the_other_backend_frees_it_though_the_first_attempt_fails", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            const MemoryBlock block = subject.memory().allocate(512);
            const auto stream = subject.runtime().pool_stream();
            subject.runtime().capture_begin(stream);
            block.free();
            subject.runtime().capture_end(stream);
            subject.sim().faults({{.call = "free_async", .code = 400, .occurrence = 1}});
            expect_device_error(
                subject, [&] { subject.memory().allocate(512); }, 400);
            subject.sim().faults({});
            calls(subject);

            subject.memory().allocate(512);

            expect_equal(count_of(calls(subject), "free_async"), 1);
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict)
      .fresh();
}

}  // namespace assay::suites
