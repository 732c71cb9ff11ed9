// Emptying the cache of pinned memory (MEM-031).
#include "harness/suite/clients/core.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// Empties the cache and returns how many blocks went back to the runtime.
std::int64_t emptied(Session& subject) {
  calls(subject);
  subject.memory().empty_host_cache();
  return count_of(calls(subject), "host_free");
}

/// A freed block that a stream still uses until the gate opens.
GateObject wait_for_a_stream(Session& subject, std::int64_t size_bytes) {
  const auto stream = subject.runtime().pool_stream();
  GateObject gate = subject.runtime().gate(stream);
  const MemoryBlock block = subject.memory().pin(size_bytes);
  block.pinned_record(stream);
  block.free();
  return gate;
}

void cache_three(Session& subject) {
  const MemoryBlock one = subject.memory().pin(1024);
  const MemoryBlock two = subject.memory().pin(4096);
  const MemoryBlock three = subject.memory().pin(4096);
  one.free();
  two.free();
  three.free();
}

}  // namespace

CASES("memory/host_cache") {
  on_cuda("free_blocks_go_back_to_the_runtime", {"MEM-031"}, [](Session& subject) {
    cache_three(subject);

    expect_equal(emptied(subject), 3);

    expect_equal(emptied(subject), 0);
    subject.memory().pin(4096);
    expect_equal(count_of(calls(subject), "host_alloc"), 1);
  });

  on_cuda("without_pinned_memory_nothing_is_done", {"MEM-031"}, [](Session& subject) {
    expect_equal(emptied(subject), 0);
    expect_false(subject.memory().pin(512).is_null(), "memory can be pinned afterwards");
  });

  on_cuda("blocks_in_use_stay", {"MEM-031"}, [](Session& subject) {
    const MemoryBlock kept = subject.memory().pin(4096);
    const BlockInfo place = kept.info();
    kept.write(7, {.count = 2});
    subject.memory().pin(4096).free();

    expect_equal(emptied(subject), 1);

    expect_equal(kept.read(0, 2), "0707");
    kept.free();
    expect_same_place(subject.memory().pin(4096).info(), place);
  });

  on_cuda("a_pinned_tensor_keeps_its_values", {"MEM-031"}, [](Session& subject) {
    const TensorValue value = on(f32({1, -2, kInf}), {"cpu", -1});
    const Ref pinned = subject.memory().pin_memory(subject.core().tensor(value));
    subject.drop(subject.memory().pin_memory(subject.core().tensor(value)).name);

    subject.memory().empty_host_cache();

    expect_true(subject.memory().is_pinned(pinned), "it is still pinned");
    expect_bits(subject.core().read(pinned), value);
    expect_bits(subject.core().read(subject.memory().pin_memory(subject.core().tensor(value))),
                value);
  });

  on_cuda("a_block_that_a_stream_uses_stays_until_that_is_done", {"MEM-031"}, [](Session& subject) {
    const auto one = wait_for_a_stream(subject, 4096);
    const auto two = wait_for_a_stream(subject, 4096);

    expect_equal(emptied(subject), 0);  // and does not wait

    two.open();
    subject.sim().run();
    expect_equal(emptied(subject), 1);
    one.open();
    subject.sim().run();
    expect_equal(emptied(subject), 1);
  });

  on_cuda("each_cache_is_emptied_alone", {"MEM-031", "MEM-016"}, [](Session& subject) {
    subject.memory().pin(4096).free();
    subject.memory().allocate(512).free();
    calls(subject);

    subject.memory().empty_host_cache();
    expect_equal(count_of(calls(subject), "free"), 0);
    expect_counters(subject, {{"segment", 1}});

    subject.memory().pin(4096).free();
    calls(subject);
    subject.memory().empty_cache();
    expect_equal(count_of(calls(subject), "host_free"), 0);
  });

  on_cuda("a_release_that_fails_is_the_last_one", {"MEM-031", "FLT-011"}, [](Session& subject) {
    cache_three(subject);
    subject.sim().faults({{.call = "host_free", .code = 1, .occurrence = 2}});
    calls(subject);

    expect_device_error(
        subject, [&] { subject.memory().empty_host_cache(); }, 1);

    expect_equal(count_of(calls(subject), "host_free"), 2);
    expect_equal(subject.runtime().peek_last_error(), 0);
    subject.sim().faults({});
    if (subject.contract().strict()) expect_equal(emptied(subject), 2);
    subject.memory().empty_host_cache();
    expect_equal(emptied(subject), 0);
  });

  on_cuda(
      "a_block_that_went_although_its_release_failed_is_not_released_again", {"MEM-031"},
      [](Session& subject) {
        subject.memory().pin(4096).free();
        subject.sim().faults({{.call = "host_free", .code = 1, .occurrence = 1, .after = true}});

        expect_device_error(
            subject, [&] { subject.memory().empty_host_cache(); }, 1);

        subject.sim().faults({});
        expect_equal(emptied(subject), 0);
        subject.memory().pin(4096);
      });

  on_cuda("a_lack_of_pinned_memory_is_raised_at_once", {"MEM-028", "FLT-011"},
          [](Session& subject) {
            subject.memory().pin(512).free();
            subject.sim().faults({{.call = "host_alloc", .code = 2, .occurrence = 1}});
            calls(subject);

            expect_device_error(
                subject, [&] { subject.memory().pin(4096); }, 2);

            const auto made = calls(subject);
            expect_equal(count_of(made, "host_alloc"), 1);
            expect_equal(count_of(made, "host_free"), 0);
            expect_equal(subject.runtime().peek_last_error(), 0);
            expect_false(subject.memory().pin(4096).is_null(), "the next request is served");
          });
}

}  // namespace assay::suites
