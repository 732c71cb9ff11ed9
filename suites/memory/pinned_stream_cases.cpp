// Pinned memory that streams still use after it was freed (MEM-028).
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// A block used by a stream, and a gate that blocks the stream.
struct Used {
  StreamObject stream;
  GateObject gate;
  MemoryBlock block;
  BlockInfo place;
};

Used used(Session& subject, int device = 0) {
  const auto stream = subject.runtime().pool_stream({.device = subject.device(device)});
  const auto gate = subject.runtime().gate(stream);
  const MemoryBlock block = subject.memory().pin(4096);
  const BlockInfo place = block.info();
  block.pinned_record(stream);
  return {stream, gate, block, place};
}

/// Makes the allocator process its events.
void look(Session& subject) { subject.memory().pin(kMiB); }

}  // namespace

CASES("memory/pinned_streams") {
  on_cuda("a_busy_stream_holds_back_its_own_block_alone", {"MEM-028"}, [](Session& subject) {
    const Used slow = used(subject);
    const Used fast = used(subject);
    slow.block.free();
    fast.block.free();

    fast.gate.open();
    look(subject);

    expect_same_place(subject.memory().pin(4096).info(), fast.place);
    expect_true(subject.memory().pin(4096).info().address != slow.place.address, "it is in use");
    slow.gate.open();
    look(subject);
    expect_same_place(subject.memory().pin(4096).info(), slow.place);
  });

  on_cuda("both_streams_of_a_block_hold_it_back", {"MEM-028"}, [](Session& subject) {
    const Used first = used(subject);
    const auto second = subject.runtime().pool_stream();
    const auto gate = subject.runtime().gate(second);
    first.block.pinned_record(second);
    first.block.free();

    first.gate.open();
    look(subject);
    expect_true(subject.memory().pin(4096).info().address != first.place.address,
                "the second stream uses it");
    gate.open();
    look(subject);
    expect_same_place(subject.memory().pin(4096).info(), first.place);
  });

  on_cuda("a_block_of_two_streams_holds_up_no_other_of_the_first", {"MEM-028"},
          [](Session& subject) {
            const auto first = subject.runtime().pool_stream();
            const Used both = used(subject);
            const MemoryBlock one = subject.memory().pin(8192);
            const BlockInfo place = one.info();
            const MemoryBlock shared = subject.memory().pin(4096);
            shared.pinned_record(first);
            shared.pinned_record(both.stream);
            one.pinned_record(first);
            shared.free();
            one.free();

            look(subject);

            expect_same_place(subject.memory().pin(8192).info(), place);
            both.gate.open();
          });

  on_cuda("a_stream_of_a_second_device_holds_it_back", {"MEM-028"}, [](Session& subject) {
    const Used there = used(subject, 1);
    calls(subject);

    there.block.free();

    expect_equal(count_of(calls(subject), "event_record"), 1);
    look(subject);
    expect_true(subject.memory().pin(4096).info().address != there.place.address, "it is in use");
    expect_equal(subject.runtime().get_device(), subject.device(0));
    there.gate.open();
    look(subject);
    expect_same_place(subject.memory().pin(4096).info(), there.place);
  });

  on_cuda("its_users_are_forgotten_once_it_is_free", {"MEM-028"}, [](Session& subject) {
    const Used first = used(subject);
    first.block.free();
    first.gate.open();
    look(subject);
    const MemoryBlock again = subject.memory().pin(4096);
    expect_same_place(again.info(), first.place);
    const auto gate = subject.runtime().gate(first.stream);
    calls(subject);

    again.free();

    expect_equal(count_of(calls(subject), "event_record"), 0);
    expect_same_place(subject.memory().pin(4096).info(), first.place);
    gate.open();
  });

  on_cuda("default_streams_of_two_devices_are_two", {"MEM-028"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().pin(4096);
    block.pinned_record(subject.runtime().default_stream(subject.device(0)));
    block.pinned_record(subject.runtime().default_stream(subject.device(1)));
    calls(subject);

    block.free();

    expect_equal(count_of(calls(subject), "event_record"), 2);
  });
}

}  // namespace assay::suites
