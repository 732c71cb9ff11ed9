// Blocks that other streams use too: record_stream, and when such a block becomes free
// (MEM-006 to MEM-010, MEM-015).
#include "harness/suite/clients/core.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// A block of the first stream, used by a second one behind a gate.
struct Shared {
  StreamObject own;
  StreamObject user;
  GateObject gate;
  MemoryBlock block;
  BlockInfo place;
};

Shared shared(Session& subject, std::int64_t size_bytes) {
  const auto own = subject.runtime().pool_stream();
  const auto user = subject.runtime().pool_stream();
  const MemoryBlock block = subject.memory().allocate(size_bytes, {.stream = own});
  const BlockInfo place = block.info();
  return {own, user, subject.runtime().gate(user), block, place};
}

/// Makes the allocator process its events, without taking a block of interest.
void look(Session& subject) {
  subject.memory().allocate(64 * kMiB, {.stream = subject.runtime().pool_stream()}).free();
}

/// A block of `own` stays in use until `user` completes, and current devices are unchanged.
void expect_kept_for_user(Session& subject, const StreamObject& own, const StreamObject& user) {
  const MemoryBlock block = subject.memory().allocate(3 * kMiB, {.stream = own});
  const auto gate = subject.runtime().gate(user);
  block.record_stream(user);

  block.free();

  look(subject);
  expect_counters(subject, {{"active_bytes", 3 * kMiB}});
  expect_equal(subject.runtime().get_device(), subject.device(0));
  gate.open();
  look(subject);
  expect_counters(subject, {{"active_bytes", 0}});
}

}  // namespace

CASES("memory/streams") {
  on_cuda("a_block_that_another_stream_uses_is_not_reused_before_that_is_done",
          {"MEM-006", "MEM-007", "MEM-009"}, [](Session& subject) {
            const Shared it = shared(subject, 3 * kMiB);
            it.block.record_stream(it.user);

            it.block.free();

            const MemoryBlock early = subject.memory().allocate(3 * kMiB, {.stream = it.own});
            expect_true(early.info().address != it.place.address, "it is still in use");
            it.gate.open();
            const MemoryBlock late = subject.memory().allocate(3 * kMiB, {.stream = it.own});
            expect_same_place(late.info(), it.place);
          });

  on_cuda("freed_and_in_use_is_active_and_not_allocated", {"MEM-007", "MEM-008"},
          [](Session& subject) {
            const Shared it = shared(subject, 2 * kMiB);
            it.block.record_stream(it.user);
            it.block.record_stream(it.user);
            it.block.record_stream(it.own);
            calls(subject);

            it.block.free();

            // V-85, T28
            expect_counters(subject, {{"allocated_bytes", 0},
                                      {"allocation", 0},
                                      {"active", 1},
                                      {"active_bytes", 2'097'152}});
            expect_equal(count_of(calls(subject), "event_record"), 1);
            const MemoryBlock next = subject.memory().allocate(2 * kMiB, {.stream = it.own});
            expect_equal(next.info().offset, 2'097'152);
            expect_equal(next.info().segment, it.place.segment);

            it.gate.open();
            expect_counters(subject, {{"active", 2}});  // events are not processed yet
            const MemoryBlock last = subject.memory().allocate(2 * kMiB, {.stream = it.own});
            expect_same_place(last.info(), it.place);
            expect_counters(subject, {{"active", 2}});
          });

  on_cuda("its_own_stream_is_no_other_user", {"MEM-006"}, [](Session& subject) {
    const Shared it = shared(subject, 2 * kMiB);
    const auto gate = subject.runtime().gate(it.own);
    it.block.record_stream(it.own);
    it.block.record_stream(
        subject.runtime().external_stream(it.own.handle().handle, subject.device(0)));
    calls(subject);

    it.block.free();

    expect_equal(count_of(calls(subject), "event_record"), 0);  // T31
    const MemoryBlock again = subject.memory().allocate(2 * kMiB, {.stream = it.own});
    expect_same_place(again.info(), it.place);
    gate.open();
    it.gate.open();
  });

  on_cuda("recording_a_stream_is_no_work_and_no_wait", {"MEM-006"}, [](Session& subject) {
    const Shared it = shared(subject, 512);
    calls(subject);

    it.block.record_stream(it.user);

    const std::vector<std::string> made = calls(subject);
    for (const char* kind : {"event_create", "event_record", "stream_wait", "stream_sync",
                             "event_query", "launch", "device_sync"}) {
      expect_equal(count_of(made, kind), 0);
    }
    it.gate.open();
  });

  on_cuda("null_and_foreign_memory_have_no_streams", {"MEM-006"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const MemoryBlock nothing = subject.memory().allocate(0);
    const Ref host = subject.core().tensor(on(f32({1, 2}), {"cpu", -1}));
    calls(subject);

    nothing.record_stream(stream);
    subject.memory().record_tensor_stream(host, stream);

    expect_equal(count_of(calls(subject), "event_record"), 0);
  });

  on_cuda("a_view_records_the_whole_block", {"MEM-006", "MEM-007"}, [](Session& subject) {
    const auto user = subject.runtime().pool_stream();
    const Ref whole = subject.core().tensor(filled(Dtype::kFloat32, 1024, 1));
    const Ref view =
        subject.core().as_strided(whole, {.shape = {8}, .strides = {1}, .offset = 1000});
    const auto gate = subject.runtime().gate(user);
    const std::int64_t before = subject.memory().stats()["active_bytes.all.current"];

    subject.memory().record_tensor_stream(view, user);
    subject.drop(view.name);
    subject.drop(whole.name);

    expect_counters(subject, {{"allocated_bytes", before - 4096}, {"active_bytes", before}});
    gate.open();
    look(subject);
    expect_counters(subject, {{"active_bytes", before - 4096}});
  });

  on_cuda("an_event_is_recorded_on_each_stream_when_the_block_is_freed", {"MEM-007"},
          [](Session& subject) {
            const Shared it = shared(subject, 512);
            const auto third = subject.runtime().pool_stream();
            it.block.record_stream(it.user);
            it.block.record_stream(third);
            calls(subject);

            it.block.free();

            expect_equal(count_of(calls(subject), "event_record"), 2);
            it.gate.open();
          });

  on_cuda("all_streams_must_be_done", {"MEM-007", "MEM-009"}, [](Session& subject) {
    const Shared it = shared(subject, 3 * kMiB);
    const auto third = subject.runtime().pool_stream();
    const auto gate = subject.runtime().gate(third);
    it.block.record_stream(it.user);
    it.block.record_stream(third);
    it.block.free();

    it.gate.open();
    look(subject);
    expect_counters(subject, {{"active_bytes", 3 * kMiB}});
    gate.open();
    look(subject);
    expect_counters(subject, {{"active_bytes", 0}});
  });

  on_cuda("work_that_comes_after_the_free_is_not_waited_for", {"MEM-007"}, [](Session& subject) {
    const auto own = subject.runtime().pool_stream();
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(3 * kMiB, {.stream = own});
    const BlockInfo place = block.info();
    block.record_stream(user);

    block.free();
    const auto gate = subject.runtime().gate(user);  // T30

    const MemoryBlock again = subject.memory().allocate(3 * kMiB, {.stream = own});
    expect_same_place(again.info(), place);
    gate.open();
  });

  on_cuda("work_that_comes_before_the_free_is_waited_for", {"MEM-007"}, [](Session& subject) {
    const auto own = subject.runtime().pool_stream();
    const auto user = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(3 * kMiB, {.stream = own});
    const BlockInfo place = block.info();
    block.record_stream(user);
    const auto gate = subject.runtime().gate(user);  // after record_stream

    block.free();

    const MemoryBlock other = subject.memory().allocate(3 * kMiB, {.stream = own});
    expect_true(other.info().address != place.address, "the event stands at the free");
    gate.open();
  });

  on_cuda("freeing_leaves_the_current_device", {"MEM-007"}, [](Session& subject) {
    const auto own = subject.runtime().pool_stream({.device = subject.device(1)});
    const auto user = subject.runtime().pool_stream({.device = subject.device(1)});
    const MemoryBlock block =
        subject.memory().allocate(512, {.stream = own, .device = subject.device(1)});
    block.record_stream(user);

    block.free();

    expect_equal(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("a_stream_of_another_device_may_use_it", {"MEM-007", "MEM-009"}, [](Session& subject) {
    expect_kept_for_user(subject, subject.runtime().pool_stream(),
                         subject.runtime().pool_stream({.device = subject.device(1)}));
  });

  // PyTorch compares handles, and the default streams of all devices have the same handle.
  on_cuda("another_device_s_default_stream_is_another_stream", {"MEM-006", "MEM-007"},
          [](Session& subject) {
            expect_kept_for_user(subject, subject.runtime().default_stream(subject.device(0)),
                                 subject.runtime().default_stream(subject.device(1)));
          })
      .only(Deviations::kStrict);

  on_cuda("events_of_one_stream_are_looked_at_in_order", {"MEM-008"}, [](Session& subject) {
    const auto own = subject.runtime().pool_stream();
    const auto two = subject.runtime().pool_stream();
    const auto three = subject.runtime().pool_stream();
    const MemoryBlock p = subject.memory().allocate(30 * kMiB, {.stream = own});
    const MemoryBlock q = subject.memory().allocate(40 * kMiB, {.stream = own});
    p.record_stream(two);
    q.record_stream(two);
    q.record_stream(three);
    const auto gate_two = subject.runtime().gate(two);
    const auto gate_three = subject.runtime().gate(three);
    p.free();
    q.free();
    look(subject);
    expect_counters(subject, {{"active_bytes", 73'400'320}});

    gate_three.open();  // V-86
    look(subject);
    expect_counters(subject, {{"active_bytes", 73'400'320}});

    gate_two.open();
    look(subject);
    expect_counters(subject, {{"active_bytes", 0}});
  });

  on_cuda("streams_do_not_hold_up_each_other", {"MEM-008"}, [](Session& subject) {
    const auto own = subject.runtime().pool_stream();
    const auto stalled = subject.runtime().pool_stream();
    const auto idle = subject.runtime().pool_stream();
    const MemoryBlock first = subject.memory().allocate(30 * kMiB, {.stream = own});
    const MemoryBlock second = subject.memory().allocate(40 * kMiB, {.stream = own});
    const BlockInfo place = second.info();
    const auto gate = subject.runtime().gate(stalled);
    first.record_stream(stalled);
    second.record_stream(idle);

    first.free();
    second.free();

    const MemoryBlock again = subject.memory().allocate(40 * kMiB, {.stream = own});
    expect_same_place(again.info(), place);
    gate.open();
  });

  on_cuda("polling_stops_at_the_first_event_that_is_not_complete", {"MEM-008"},
          [](Session& subject) {
            const Shared it = shared(subject, 512);
            for (int i = 0; i < 4; ++i) {
              const MemoryBlock more = subject.memory().allocate(512, {.stream = it.own});
              more.record_stream(it.user);
              more.free();
            }
            it.block.record_stream(it.user);
            it.block.free();
            calls(subject);

            look(subject);

            expect_equal(count_of(calls(subject), "event_query"), 1);
            it.gate.open();
          });

  on_cuda("a_block_comes_back_to_its_own_stream_only", {"MEM-009", "MEM-004"},
          [](Session& subject) {
            const Shared it = shared(subject, 3 * kMiB);
            it.block.record_stream(it.user);
            it.block.free();
            it.gate.open();

            const MemoryBlock theirs = subject.memory().allocate(3 * kMiB, {.stream = it.user});
            expect_true(theirs.info().segment != it.place.segment, "it is not the user's block");
            const MemoryBlock ours = subject.memory().allocate(3 * kMiB, {.stream = it.own});
            expect_same_place(ours.info(), it.place);
          });

  on_cuda("without_record_stream_the_block_may_come_back_at_once", {"MEM-010"},
          [](Session& subject) {
            const Shared it = shared(subject, 3 * kMiB);
            it.block.write(0x11, {.count = 16, .stream = it.user});  // behind the gate

            it.block.free();

            // No error is raised; whether the address is the same is unspecified.
            const MemoryBlock again = subject.memory().allocate(3 * kMiB, {.stream = it.own});
            expect_counters(subject, {{"active_bytes", 3 * kMiB}, {"allocated_bytes", 3 * kMiB}});
            again.write(0x22, {.count = 16, .stream = it.own});
            it.gate.open();
            subject.runtime().synchronize_device();
            const std::string seen = again.read(0, 1);
            expect_true(seen == "11" || seen == "22", "the data is from one of the two writes");
          });

  on_cuda(
      "what_only_waits_for_events_is_no_lack_of_memory", {"MEM-015", "MEM-011"},
      [](Session& subject) {
        limit_memory(subject, 128 * kMiB, 0.5);
        const auto own = subject.runtime().pool_stream();
        const auto user = subject.runtime().pool_stream();
        const MemoryBlock x = subject.memory().allocate(30 * kMiB, {.stream = own});
        const MemoryBlock y = subject.memory().allocate(30 * kMiB, {.stream = own});
        subject.sim().schedule("manual");
        subject.runtime().kernel({.stream = user});
        x.record_stream(user);
        x.free();

        const MemoryBlock large = subject.memory().allocate(32 * kMiB, {.stream = own});

        expect_equal(large.info().size_bytes, 32 * kMiB);  // V-87
        expect_counters(
            subject, {{"num_alloc_retries", 1}, {"num_ooms", 0}, {"allocated_bytes", 65'011'712}});

        expect_error([&] { subject.memory().allocate(20 * kMiB, {.stream = own}); },
                     ErrorKind::kOutOfMemory);  // V-88
        expect_counters(
            subject, {{"num_alloc_retries", 2}, {"num_ooms", 1}, {"allocated_bytes", 65'011'712}});
      });
}

}  // namespace assay::suites
