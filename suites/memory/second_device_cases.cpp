// The state of a second device's allocator while the first device is current: counters, limit,
// memory, and out-of-memory messages (MEM-012, MEM-013, MEM-016, MEM-021).
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/graph.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// Limits the second of two devices with 128 MiB each to a half; the first has 40 MiB allocated.
void limit_second(Session& subject) {
  subject.sim().machine({.memory = 128 * kMiB});
  subject.memory().allocate(40 * kMiB, {.device = subject.device(0)});
  subject.memory().set_fraction(0.5, subject.device(1));
  subject.runtime().set_device(subject.device(0));  // MEM-012: before 2.11 it stayed changed
}

MemoryBlock on_second(Session& subject, std::int64_t size_bytes) {
  return subject.memory().allocate(size_bytes, {.device = subject.device(1)});
}

std::int64_t of_second(Session& subject, const std::string& counter) {
  return subject.memory().stats(subject.device(1))[counter];
}

}  // namespace

CASES("memory/second_device") {
  on_cuda("its_figures_are_its_own", {"MEM-021"}, [](Session& subject) {
    const MemoryBlock here = subject.memory().allocate(512);
    const MemoryBlock large = on_second(subject, 3 * kMiB);
    const MemoryBlock small = on_second(subject, 2048);

    expect_equal(of_second(subject, "allocated_bytes.all.current"), 3 * kMiB + 2048);
    expect_equal(of_second(subject, "segment.large_pool.current"), 1);
    expect_equal(of_second(subject, "reserved_bytes.all.current"), 22 * kMiB);
    large.free();
    expect_equal(of_second(subject, "allocated_bytes.all.current"), 2048);
    expect_equal(of_second(subject, "allocated_bytes.all.peak"), 3 * kMiB + 2048);
    expect_counters(subject, {{"allocated_bytes", 512}, {"allocation.all.freed", 0}});
  });

  on_cuda("its_peak_is_reset_alone", {"MEM-021"}, [](Session& subject) {
    subject.memory().allocate(3 * kMiB).free();
    on_second(subject, 3 * kMiB).free();

    subject.memory().reset_peak(subject.device(1));

    expect_equal(of_second(subject, "allocated_bytes.all.peak"), 0);
    expect_counters(subject, {{"allocated_bytes.all.peak", 3 * kMiB}});
  });

  on_cuda("what_it_has_counted_is_reset_alone", {"MEM-021"}, [](Session& subject) {
    subject.memory().allocate(512).free();
    on_second(subject, 512).free();

    subject.memory().reset_accumulated(subject.device(1));

    expect_equal(of_second(subject, "allocation.all.allocated"), 0);
    expect_equal(of_second(subject, "allocation.all.freed"), 0);
    expect_counters(subject, {{"allocation.all.allocated", 1}, {"allocation.all.freed", 1}});
  });

  on_cuda("its_limit_is_a_part_of_its_own_memory", {"MEM-012"}, [](Session& subject) {
    limit_second(subject);

    const MemoryBlock all = on_second(subject, 64 * kMiB);
    expect_error([&] { on_second(subject, 1); }, ErrorKind::kOutOfMemory);
    subject.memory().allocate(64 * kMiB);

    expect_equal(of_second(subject, "num_ooms"), 1);
    expect_counters(subject, {{"num_ooms", 0}});
  });

  on_cuda("its_limit_is_set_from_where_the_caller_stands", {"MEM-012"}, [](Session& subject) {
    subject.memory().set_fraction(0.5, subject.device(1));

    expect_equal(subject.runtime().get_device(), subject.device(0));
  }).since(Release::k2_11);

  on_cuda("setting_its_limit_went_there", {"MEM-012"},
          [](Session& subject) {
            subject.memory().set_fraction(0.5, subject.device(1));

            expect_equal(subject.runtime().get_device(), subject.device(1));
            subject.runtime().set_device(subject.device(0));
          })
      .until(Release::k2_4)
      .only(Deviations::kCompat);

  on_cuda("its_shortage_names_it_and_what_it_has", {"MEM-013"}, [](Session& subject) {
    limit_second(subject);
    const MemoryBlock kept = on_second(subject, 20 * kMiB);

    // 20 of its 128 MiB are allocated; 40 of the first device's.
    expect_error([&] { on_second(subject, 60 * kMiB); }, ErrorKind::kOutOfMemory,
                 {"60.00 MiB", "GPU 1", "128.00 MiB", "108.00 MiB", "20.00 MiB"});
    expect_equal(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("its_limit_is_named", {"MEM-013"}, [](Session& subject) {
    limit_second(subject);

    expect_error([&] { on_second(subject, 100 * kMiB); }, ErrorKind::kOutOfMemory,
                 {"GPU 1", "64.00 MiB"});
    // The first device has no limit.
    expect_error([&] { subject.memory().allocate(100 * kMiB); }, ErrorKind::kOutOfMemory,
                 {"GPU 0", "88.00 MiB"});
  }).since(Release::k2_11);

  on_cuda("without_an_index_it_is_meant_if_it_is_current", {"MEM-021"}, [](Session& subject) {
    const Device any{"cuda", -1};
    subject.memory().allocate(512).free();
    subject.runtime().set_device(subject.device(1));
    const MemoryBlock block = subject.memory().allocate(3 * kMiB, {.device = any});

    expect_equal(of_second(subject, "allocated_bytes.all.current"), 3 * kMiB);
    expect_equal(subject.memory().stats(any)["allocated_bytes.all.current"], 3 * kMiB);
    block.free();
    subject.memory().reset_peak(any);
    subject.memory().reset_accumulated(any);
    expect_equal(of_second(subject, "allocated_bytes.all.peak"), 0);
    expect_equal(of_second(subject, "allocation.all.allocated"), 0);
    const auto first = subject.memory().stats(subject.device(0));
    expect_equal(first["allocation.all.allocated"], 1);
    expect_equal(first["allocated_bytes.all.peak"], 512);
  });

  on_cuda("a_limit_needs_an_index", {"MEM-012"}, [](Session& subject) {
    expect_error(
        [&] {
          subject.memory().set_fraction(0.5, Device{"cuda", -1});
        },
        ErrorKind::kValue, {"index"});
  });

  on_cuda("its_current_stream_is_its_own_without_an_index", {"MEM-006"}, [](Session& subject) {
    subject.runtime().set_device(subject.device(1));
    const MemoryBlock block = on_second(subject, 3 * kMiB);
    const BlockInfo place = block.info();
    block.record_stream(subject.runtime().stream({"cuda", -1}, 0));
    calls(subject);

    block.free();

    expect_equal(count_of(calls(subject), "event_record"), 0);
    expect_same_place(on_second(subject, 3 * kMiB).info(), place);
  }).only(Deviations::kStrict);

  on_cuda("another_device_s_stream_is_no_own_one_without_an_index", {"MEM-006", "MEM-007"},
          [](Session& subject) {
            const MemoryBlock block = subject.memory().allocate(3 * kMiB);
            subject.runtime().set_device(subject.device(1));
            block.record_stream(subject.runtime().stream({"cuda", -1}, 0));
            subject.runtime().set_device(subject.device(0));
            calls(subject);

            block.free();

            expect_equal(count_of(calls(subject), "event_record"), 1);
          })
      .only(Deviations::kStrict);

  on_cuda("a_capture_there_has_a_pool_there", {"MEM-023", "CAP-005"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.device = subject.device(1)});
    const MemoryBlock before =
        subject.memory().allocate(12 * kMiB, {.stream = stream, .device = subject.device(1)});
    const BlockInfo outside = before.info();
    before.free();
    const auto graph = GraphClient(subject).make();
    graph.begin({.stream = stream});
    const MemoryBlock during =
        subject.memory().allocate(12 * kMiB, {.stream = stream, .device = subject.device(1)});
    const BlockInfo inside = during.info();
    subject.runtime().set_device(subject.device(1));
    graph.end();

    expect_true(inside.segment != outside.segment, "a segment of the private pool");
    during.free();
    graph.reset();
    subject.memory().empty_cache();
    expect_equal(of_second(subject, "segment.large_pool.current"), 0);
  });

  on_cuda("an_observer_hears_which_device_is_short", {"MEM-013"}, [](Session& subject) {
    limit_second(subject);
    const Ref seen = subject.core().tensor(on(f32({-1}), {"cpu", -1}));
    subject.memory().set_observer(subject.callback(
        "observer", subject.block([&](Session& s) { s.core().fill_(seen, Ref{"$0"}); })));

    expect_error([&] { on_second(subject, 100 * kMiB); }, ErrorKind::kOutOfMemory);

    expect_bits(subject.core().read(seen), f32({1}));
  });

  on_cuda("its_memory_is_tried_again_alone", {"MEM-011", "MEM-016"}, [](Session& subject) {
    limit_second(subject);
    subject.memory().allocate(12 * kMiB).free();
    on_second(subject, 40 * kMiB).free();

    on_second(subject, 60 * kMiB);

    expect_equal(of_second(subject, "num_alloc_retries"), 1);
    expect_equal(of_second(subject, "reserved_bytes.all.current"), 60 * kMiB);
    expect_counters(subject, {{"reserved_bytes", 52 * kMiB}, {"num_alloc_retries", 0}});
  });

  on_cuda("its_cache_is_emptied_too", {"MEM-016"}, [](Session& subject) {
    subject.memory().allocate(512).free();
    on_second(subject, 512).free();

    subject.memory().empty_cache();

    expect_equal(of_second(subject, "segment.all.current"), 0);
    expect_counters(subject, {{"segment", 0}});
    expect_equal(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("its_segments_are_listed_apart", {"MEM-021", "MEM-004"}, [](Session& subject) {
    const MemoryBlock here = subject.memory().allocate(512);
    const MemoryBlock there = on_second(subject, 3 * kMiB);

    const auto segments = subject.memory().segments(subject.device(1));

    expect_equal(static_cast<std::int64_t>(segments.size()), 1);
    expect_equal(segments.at(0).address, there.info().segment);
    expect_equal(segments.at(0).size_bytes, kLargeSegment);
    expect_equal(segments.at(0).pool, "large");
  });

  on_cuda("without_a_cache_its_limit_is_its_own", {"MEM-024", "MEM-012"},
          [](Session& subject) {
            subject.memory().set_backend("async");
            limit_second(subject);
            const MemoryBlock kept = on_second(subject, 60 * kMiB);

            expect_error([&] { on_second(subject, 6 * kMiB); }, ErrorKind::kOutOfMemory,
                         {"Allocation on device 1", "60.00 MiB", "6.00 MiB", "64.00 MiB"});
            subject.memory().allocate(66 * kMiB);
          })
      .since(Release::k2_4)
      .fresh();
}

}  // namespace assay::suites
