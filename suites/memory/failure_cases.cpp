// The allocator after failures of the driver (MEM-025, FLT-011).
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// Leaves `code` in the calling thread's error register, as an ignored failing call does.
void ignore_a_failure(Session& subject, std::int64_t code) {
  subject.sim().faults({{.call = "get_device", .code = code, .occurrence = 1}});
  subject.runtime().checked({.call = "get_device", .how = "handled"});
  subject.sim().faults({});
  expect_equal(subject.runtime().peek_last_error(), code);
}

}  // namespace

CASES("memory/failures") {
  on_cuda("an_older_error_is_raised_before_anything_is_allocated", {"MEM-025", "FLT-011"},
          [](Session& subject) {
            ignore_a_failure(subject, 1);
            calls(subject);

            expect_device_error(
                subject, [&] { subject.memory().allocate(512); }, 1);  // T33

            expect_equal(count_of(calls(subject), "malloc"), 0);
            expect_equal(subject.runtime().peek_last_error(), 0);
            subject.memory().allocate(512);
          });

  on_cuda("any_other_failure_is_raised_at_once", {"MEM-025", "FLT-011"}, [](Session& subject) {
    subject.memory().allocate(30 * kMiB).free();
    subject.sim().faults({{.call = "malloc", .code = 1, .occurrence = 1}});
    calls(subject);

    expect_device_error(
        subject, [&] { subject.memory().allocate(40 * kMiB); }, 1);

    const auto made = calls(subject);
    expect_equal(count_of(made, "malloc"), 1);
    expect_equal(count_of(made, "free"), 0);
    expect_counters(subject,
                    {{"num_alloc_retries", 0}, {"num_ooms", 0}, {"allocation", 0}, {"segment", 1}});
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_lack_of_memory_is_tried_once_again", {"FLT-011", "MEM-011"}, [](Session& subject) {
    subject.sim().faults({{.call = "malloc", .code = 2, .occurrence = 1}});
    calls(subject);

    subject.memory().allocate(512);

    expect_equal(count_of(calls(subject), "malloc"), 2);
    expect_counters(subject, {{"num_alloc_retries", 1}, {"num_ooms", 0}});
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_lack_of_memory_that_stays_is_out_of_memory", {"FLT-011", "MEM-013"},
          [](Session& subject) {
            subject.sim().faults({{.call = "malloc", .code = 2, .occurrence = 0}});
            calls(subject);

            expect_error([&] { subject.memory().allocate(512); }, ErrorKind::kOutOfMemory);

            expect_equal(count_of(calls(subject), "malloc"), 2);
            expect_counters(subject, {{"num_alloc_retries", 1}, {"num_ooms", 1}});
            expect_equal(subject.runtime().peek_last_error(), 0);
            subject.sim().faults({});
            subject.memory().allocate(512);
          });

  on_cuda("a_free_that_fails_while_memory_is_short_is_raised", {"FLT-011"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    subject.memory().allocate(40 * kMiB).free();
    subject.sim().faults({{.call = "free", .code = 1, .occurrence = 1}});

    expect_device_error(
        subject, [&] { subject.memory().allocate(60 * kMiB); }, 1);

    expect_counters(subject, {{"num_ooms", 0}});
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_segment_that_went_although_its_release_failed_is_not_released_again", {"MEM-016"},
          [](Session& subject) {
            const MemoryBlock first = subject.memory().allocate(40 * kMiB);
            const MemoryBlock second = subject.memory().allocate(30 * kMiB);
            first.free();
            second.free();
            subject.sim().faults({{.call = "free", .code = 1, .occurrence = 1, .after = true}});
            calls(subject);

            expect_device_error(
                subject, [&] { subject.memory().empty_cache(); }, 1);

            subject.memory().empty_cache();
            expect_equal(count_of(calls(subject), "free"), 2);
            expect_counters(subject, {{"reserved_bytes", 0}, {"segment", 0}});
          })
      .only(Deviations::kStrict);

  on_cuda("a_segment_whose_release_failed_is_released_later", {"MEM-016"}, [](Session& subject) {
    const MemoryBlock first = subject.memory().allocate(40 * kMiB);
    const MemoryBlock second = subject.memory().allocate(30 * kMiB);
    first.free();
    second.free();
    subject.sim().faults({{.call = "free", .code = 1, .occurrence = 2}});
    calls(subject);

    expect_device_error(
        subject, [&] { subject.memory().empty_cache(); }, 1);

    expect_counters(subject, {{"segment", 1}});
    subject.memory().empty_cache();
    expect_equal(count_of(calls(subject), "free"), 3);
    expect_counters(subject, {{"reserved_bytes", 0}, {"segment", 0}});
  }).only(Deviations::kStrict);

  on_cuda("a_release_that_fails_is_the_last_one", {"MEM-016", "FLT-011"}, [](Session& subject) {
    for (const std::int64_t size : {30 * kMiB, 40 * kMiB}) subject.memory().allocate(size).free();
    subject.memory().allocate(512).free();
    const std::int64_t live = subject.sim().live().device_blocks;
    subject.sim().faults({{.call = "free", .code = 1, .occurrence = 1}});

    expect_device_error(
        subject, [&] { subject.memory().empty_cache(); }, 1);

    subject.sim().faults({});
    expect_equal(subject.sim().live().device_blocks, live);
    expect_counters(subject, {{"segment", 3}});
    subject.memory().empty_cache();
    expect_equal(subject.sim().live().device_blocks, live - 3);
    expect_counters(subject, {{"reserved_bytes", 0}, {"segment", 0}});
  });

  on_cuda("no_memory_is_lost_when_the_mode_of_captures_cannot_be_put_back", {"MEM-023", "MEM-030"},
          [](Session& subject) {
            const auto graph = GraphClient(subject).make();
            graph.begin({.stream = subject.runtime().pool_stream()});
            subject.runtime().kernel();
            const LiveObjects before = subject.sim().live();
            const auto twice = [&](const std::function<void()>& allocate) {
              subject.sim().faults({{.call = "exchange_capture_mode", .code = 1, .occurrence = 2}});
              try {
                allocate();
              } catch (const SubjectError&) {
                // Whether the call is made, and where, is the runtime's own affair.
              }
              subject.sim().faults({});
              allocate();
            };

            twice([&] { subject.memory().allocate(512); });
            twice([&] { subject.memory().pin(5000).free(); });

            const LiveObjects now = subject.sim().live();
            expect_equal(now.device_blocks, before.device_blocks + 1);
            expect_equal(now.host_blocks, before.host_blocks + 1);
            graph.end();
          })
      .since(Release::k2_11);

  on_cuda("a_message_that_cannot_be_made_is_that_failure", {"FLT-011"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);
    subject.sim().faults({{.call = "mem_info", .code = 1, .occurrence = 0}});

    expect_device_error(
        subject, [&] { subject.memory().allocate(100 * kMiB); }, 1);
  });

  on_cuda("an_event_that_cannot_be_made_is_raised_by_free", {"MEM-025", "FLT-012"},
          [](Session& subject) {
            for (const char* call : {"event_create", "event_record"}) {
              const ScopedTrace place(call);
              const auto user = subject.runtime().pool_stream();
              const MemoryBlock block = subject.memory().allocate(512);
              block.record_stream(user);
              subject.sim().faults({{.call = call, .code = 400, .occurrence = 1}});

              expect_device_error(
                  subject, [&] { block.free(); }, 400);

              subject.sim().faults({});
              expect_equal(subject.runtime().peek_last_error(), 0);
              expect_equal(subject.runtime().get_device(), subject.device(0));
            }
          })
      .only(Deviations::kStrict);

  on_cuda("a_query_that_fails_is_raised_by_the_request", {"MEM-025"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(512);
    block.record_stream(user);
    block.free();
    subject.sim().faults({{.call = "event_query", .code = 400, .occurrence = 1}});

    expect_device_error(
        subject, [&] { subject.memory().allocate(512); }, 400);

    expect_equal(subject.runtime().peek_last_error(), 0);
    expect_counters(subject, {{"allocation", 0}, {"active", 1}});
    // PyTorch has lost the event by then, and crashes at the next request.
    if (subject.contract().strict()) subject.memory().allocate(512);
  });

  on_cuda("an_event_that_is_not_ready_leaves_no_error", {"MEM-025", "FLT-007"},
          [](Session& subject) {
            const auto user = subject.runtime().pool_stream();
            const auto gate = subject.runtime().gate(user);
            const MemoryBlock block = subject.memory().allocate(512);
            block.record_stream(user);
            block.free();

            subject.memory().allocate(512);

            expect_equal(subject.runtime().peek_last_error(), 0);
            subject.runtime().launch_check();
            gate.open();
          });
}

}  // namespace assay::suites
