// Other modes of allocation: stream-ordered (MEM-024), and without a cache (MEM-027).
#include "harness/suite/device_error.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {

CASES("memory/async") {
  on_cuda("memory_comes_and_goes_in_the_order_of_a_stream", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            calls(subject);

            subject.memory().allocate(5000).free();

            const auto made = calls(subject);
            expect_equal(count_of(made, "malloc_async"), 1);
            expect_equal(count_of(made, "free_async"), 1);
            expect_equal(count_of(made, "malloc"), 0);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("it_takes_the_first_stream_of_the_pool", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            subject.memory().allocate(512);

            expect_equal(subject.runtime().pool_stream().id(), 35);  // T6
            expect_equal(subject.runtime().pool_stream({.high = true}).id() >> 5, 0);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("it_takes_its_stream_once_that_can_be_made", {"MEM-024", "FLT-014"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            subject.sim().faults({{.call = "stream_create", .code = 400, .occurrence = 1}});

            expect_device_error(
                subject, [&] { subject.memory().allocate(512); }, 400);

            subject.sim().faults({});
            subject.memory().allocate(512);
            expect_equal(subject.runtime().pool_stream().id(), 35);
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict)
      .fresh();

  on_cuda("a_block_that_others_use_is_freed_behind_all_of_them", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            const auto own = subject.runtime().pool_stream();
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock block = subject.memory().allocate(3 * kMiB, {.stream = own});
            const auto gate = subject.runtime().gate(user);
            block.record_stream(user);
            calls(subject);

            block.free();

            const auto made = calls(subject);
            expect_equal(count_of(made, "event_record"), 2);
            expect_equal(count_of(made, "stream_wait"), 2);
            expect_equal(count_of(made, "free_async"), 1);
            const std::int64_t live = subject.sim().live().device_blocks;
            gate.open();
            subject.runtime().synchronize_device();
            expect_equal(subject.sim().live().device_blocks, live - 1);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("a_block_is_as_large_as_was_asked", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            const MemoryBlock block = subject.memory().allocate(5000);

            const BlockInfo info = block.info();

            expect_equal(info.size_bytes, 5000);
            expect_equal(info.requested_bytes, 5000);
            expect_equal(info.segment, info.address);
            block.free();
            expect_error([&] { block.info(); }, ErrorKind::kError);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("each_other_user_is_waited_for_once", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            const auto own = subject.runtime().pool_stream();
            const auto user = subject.runtime().pool_stream();
            const MemoryBlock mine = subject.memory().allocate(512, {.stream = own});
            const MemoryBlock shared = subject.memory().allocate(512, {.stream = own});
            mine.record_stream(own);
            for (const auto& stream : {user, own, user}) shared.record_stream(stream);
            calls(subject);

            mine.free();
            expect_equal(count_of(calls(subject), "event_record"), 0);
            shared.free();
            const auto made = calls(subject);

            expect_equal(count_of(made, "event_record"), 2);
            expect_equal(count_of(made, "stream_wait"), 2);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("what_a_capture_holds_back_is_not_freed_by_requests_in_it", {"MEM-024"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            const auto stream = subject.runtime().pool_stream();
            const MemoryBlock before = subject.memory().allocate(512);
            subject.runtime().capture_begin(stream);
            before.free();
            calls(subject);

            const MemoryBlock during = subject.memory().allocate(512, {.stream = stream});
            const std::int64_t freed = count_of(calls(subject), "free_async");
            during.free();
            const std::int64_t of_capture = count_of(calls(subject), "free_async");
            subject.runtime().capture_end(stream);

            expect_equal(freed, 0);
            expect_equal(of_capture, 1);
            subject.memory().allocate(512);
            expect_equal(count_of(calls(subject), "free_async"), 1);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("the_environment_chooses_it", {"MEM-024", "MEM-019"},
          [](Session& subject) {
            subject.memory().configure("backend:cudaMallocAsync", "cuda_alloc_conf");
            calls(subject);

            subject.memory().allocate(512);

            expect_equal(count_of(calls(subject), "malloc_async"), 1);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("the_message_has_its_own_layout", {"MEM-024", "MEM-013"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            subject.sim().machine({.memory = 64 * kMiB});

            expect_error(
                [&] { subject.memory().allocate(100 * kMiB); }, ErrorKind::kOutOfMemory,
                {"Allocation on device 0 would exceed allowed memory. (out of memory)",
                 "Currently allocated", "Requested", "Device limit", "Free", "PyTorch limit"});
            expect_equal(subject.runtime().peek_last_error(), 0);
            subject.memory().allocate(10 * kMiB);
          })
      .since(Release::k2_4)
      .fresh();
}

CASES("memory/uncached") {
  on_cuda("every_request_and_every_free_is_the_driver_s", {"MEM-027"}, [](Session& subject) {
    subject.memory().set_uncached(true);
    calls(subject);

    for (int i = 0; i < 3; ++i) subject.memory().allocate(512).free();

    expect_calls(calls(subject, {"malloc", "free"}),
                 {"malloc", "free", "malloc", "free", "malloc", "free"});
    expect_equal(subject.sim().live().device_blocks, 0);
  }).fresh();

  on_cuda("nothing_is_counted", {"MEM-027"}, [](Session& subject) {
    subject.memory().set_uncached(true);

    const MemoryBlock kept = subject.memory().allocate(512);

    expect_counters(subject, {{"allocation", 0},
                              {"allocated_bytes", 0},
                              {"reserved_bytes", 0},
                              {"segment", 0},
                              {"allocated_bytes.all.allocated", 0}});
    kept.free();
  }).fresh();

  on_cuda("recorded_streams_have_no_effect", {"MEM-027"}, [](Session& subject) {
    subject.memory().set_uncached(true);
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(512);
    block.record_stream(user);
    calls(subject);

    block.free();

    const auto made = calls(subject);
    expect_equal(count_of(made, "event_record"), 0);
    expect_equal(count_of(made, "free"), 1);
  }).fresh();

  on_cuda("a_capture_cannot_allocate", {"MEM-027"}, [](Session& subject) {
    subject.memory().set_uncached(true);
    const auto stream = subject.runtime().pool_stream();
    subject.runtime().capture_begin(stream);

    expect_error([&] { subject.memory().allocate(512, {.stream = stream}); }, ErrorKind::kDevice);
  }).fresh();
}

}  // namespace assay::suites
