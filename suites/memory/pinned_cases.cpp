// Pinned host memory (MEM-028).
#include "harness/suite/clients/core.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

Ref on_host(Session& subject, const TensorValue& value) {
  return subject.core().tensor(on(value, {"cpu", -1}));
}

}  // namespace

CASES("memory/pinned") {
  on_cuda("sizes_are_powers_of_two", {"MEM-028"}, [](Session& subject) {
    for (const auto& [asked, size] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1, 1}, {512, 512}, {513, 1024}, {5000, 8192}, {8192, 8192}, {8193, 16384}}) {
      const ScopedTrace place(std::to_string(asked));
      expect_equal(subject.memory().pin(asked).info().size_bytes, size);
    }
  }).since(Release::k2_4);

  on_cuda("nothing_asked_is_null", {"MEM-028"}, [](Session& subject) {
    calls(subject);

    const MemoryBlock nothing = subject.memory().pin(0);

    expect_true(nothing.is_null(), "the address of no bytes is null");
    expect_equal(count_of(calls(subject), "host_alloc"), 0);
    nothing.free();
  });

  on_cuda("a_block_that_no_stream_used_is_free_at_once", {"MEM-028"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().pin(4096);
    const BlockInfo place = block.info();
    calls(subject);

    block.free();

    expect_equal(count_of(calls(subject), "event_record"), 0);
    expect_same_place(subject.memory().pin(4096).info(), place);
    expect_true(subject.memory().pin(4096).info().address != place.address,
                "a block in use is not taken again");
  });

  on_cuda("blocks_are_never_split", {"MEM-028"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().pin(8192);
    const BlockInfo place = block.info();
    block.free();

    const MemoryBlock small = subject.memory().pin(100);

    expect_true(small.info().address != place.address, "another size gets another block");
    expect_same_place(subject.memory().pin(8192).info(), place);
  }).since(Release::k2_4);

  on_cuda("a_block_says_what_was_asked_and_what_it_is", {"MEM-028"}, [](Session& subject) {
    const auto expect_info = [&](const MemoryBlock& block, std::int64_t asked, Where where) {
      const BlockInfo info = block.info();
      expect_equal(info.requested_bytes, asked, where);
      expect_equal(info.size_bytes, since(subject, Release::k2_4) ? 8192 : 5000, where);
      expect_equal(info.segment, info.address, where);
      expect_equal(info.offset, 0, where);
    };
    const MemoryBlock block = subject.memory().pin(5000);
    expect_info(block, 5000, Where::current());
    block.free();

    expect_info(subject.memory().pin(4097), 4097, Where::current());
  });

  on_cuda("the_smallest_block_that_suffices_was_taken", {"MEM-028"}, [](Session& subject) {
    for (const bool is_larger_first : {true, false}) {
      const MemoryBlock first = subject.memory().pin(is_larger_first ? 9000 : 5000);
      const MemoryBlock second = subject.memory().pin(is_larger_first ? 5000 : 9000);
      const BlockInfo smaller = (is_larger_first ? second : first).info();
      const BlockInfo larger = (is_larger_first ? first : second).info();
      first.free();
      second.free();

      const MemoryBlock taken = subject.memory().pin(4000);
      const MemoryBlock next = subject.memory().pin(4000);

      expect_same_place(taken.info(), smaller);
      expect_same_place(next.info(), larger);
      taken.free();
      next.free();
      subject.memory().empty_host_cache();
    }
  }).until(Release::k1_13);

  on_cuda("a_block_is_free_for_every_stream", {"MEM-028"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().pin(4096);
    const BlockInfo place = block.info();
    expect_true(block.pinned_record(stream), "it is ours");
    block.free();
    subject.runtime().set_current_stream(subject.runtime().pool_stream());

    expect_same_place(subject.memory().pin(4096).info(), place);
  });

  on_cuda("a_block_that_streams_use_waits_for_all_of_them", {"MEM-028"}, [](Session& subject) {
    const auto one = subject.runtime().pool_stream();
    const auto two = subject.runtime().pool_stream();
    const auto gate_one = subject.runtime().gate(one);
    const auto gate_two = subject.runtime().gate(two);
    const MemoryBlock block = subject.memory().pin(4096);
    const BlockInfo place = block.info();
    block.pinned_record(one);
    block.pinned_record(two);
    block.pinned_record(two);
    calls(subject);

    block.free();

    expect_equal(count_of(calls(subject), "event_record"), 2);
    expect_true(subject.memory().pin(4096).info().address != place.address,
                "it is not taken while both streams use it");
    gate_two.open();
    expect_true(subject.memory().pin(4096).info().address != place.address,
                "it is not taken while one stream uses it");
    gate_one.open();
    subject.memory().pin(kMiB);  // processes events
    expect_same_place(subject.memory().pin(4096).info(), place);
  });

  on_cuda("work_after_the_free_is_not_waited_for", {"MEM-028"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().pin(4096);
    const BlockInfo place = block.info();
    block.pinned_record(stream);

    block.free();
    const auto gate = subject.runtime().gate(stream);

    subject.memory().pin(kMiB);  // processes events
    expect_same_place(subject.memory().pin(4096).info(), place);
    gate.open();
  });

  on_cuda("foreign_memory_is_told_apart", {"MEM-028"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().pin(4096);

    expect_true(block.pinned_record(stream), "it is ours");
    expect_false(block.pinned_record(stream, true), "a foreign one is not ours");
  });

  on_cuda("pinning_makes_a_pinned_copy", {"MEM-028"}, [](Session& subject) {
    const Ref plain = on_host(subject, f32({1, 2, 3}));

    const Ref pinned = subject.memory().pin_memory(plain);

    expect_false(subject.memory().is_pinned(plain), "the tensor itself is not pinned");
    expect_true(subject.memory().is_pinned(pinned), "the copy is pinned");
    expect_bits(subject.core().read(pinned), f32({1, 2, 3}));
    expect_false(subject.alias(plain.name, pinned.name), "they share no memory");
  });

  on_cuda("a_pinned_tensor_is_its_own_copy", {"MEM-028"}, [](Session& subject) {
    const Ref pinned = subject.memory().pin_memory(on_host(subject, f32({1, 2})));

    const Ref again = subject.memory().pin_memory(pinned);

    expect_true(subject.same(pinned.name, again.name), "the tensor itself");
  });

  on_cuda("a_tensor_on_a_device_cannot_be_pinned", {"MEM-028"}, [](Session& subject) {
    const Ref there = subject.core().tensor(f32({1, 2}));

    expect_error([&] { subject.memory().pin_memory(there); }, ErrorKind::kError, {"pin"});
    expect_false(subject.memory().is_pinned(there), "memory of a device is not pinned");
  });

  on_cuda("memory_that_is_dropped_is_free_again", {"MEM-028"}, [](Session& subject) {
    const Ref first = subject.memory().pin_memory(on_host(subject, filled(Dtype::kFloat32, 64, 1)));
    subject.drop(first.name);
    calls(subject);

    subject.memory().pin_memory(on_host(subject, filled(Dtype::kFloat32, 64, 2)));

    expect_equal(count_of(calls(subject), "host_alloc"), 0);
  });

  on_cuda("a_non_blocking_strided_copy_to_the_host_is_pinned", {"MEM-028"}, [](Session& subject) {
    const Ref there = subject.core().tensor(f32({1, 2, 3}));

    const Ref here = subject.core().to(there, {.device = Device{"cpu", -1}, .non_blocking = true});

    expect_true(subject.memory().is_pinned(here), "the result is pinned");
    subject.runtime().synchronize_device();
    expect_bits(subject.core().read(here), f32({1, 2, 3}));
  });

  on_cuda("a_blocking_copy_to_the_host_is_not", {"MEM-028"}, [](Session& subject) {
    const Ref there = subject.core().tensor(f32({1, 2, 3}));

    const Ref here = subject.core().to(there, {.device = Device{"cpu", -1}});

    expect_false(subject.memory().is_pinned(here), "the result is not pinned");
  });

  conformance("without_devices_nothing_can_be_pinned", {"MEM-028"}, [](Session& subject) {
    const Ref plain = subject.core().tensor(f32({1, 2}));

    expect_error([&] { subject.memory().pin_memory(plain); }, ErrorKind::kError);
    expect_false(subject.memory().is_pinned(plain), "it is not pinned");
  }).only(DeviceRules::kCpu);
}

}  // namespace assay::suites
