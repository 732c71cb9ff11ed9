// Sizes at exact limits: unsplittable blocks (MEM-018), and the threshold of garbage collection
// (MEM-017).
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

constexpr const char* kFrom32 = "max_split_size_mb:32";

BlockInfo freed(Session& subject, std::int64_t size_bytes) {
  const MemoryBlock block = subject.memory().allocate(size_bytes);
  const BlockInfo place = block.info();
  block.free();
  return place;
}

}  // namespace

CASES("memory/boundary") {
  on_cuda("a_block_of_just_the_size_serves_no_smaller_request", {"MEM-018"}, [](Session& subject) {
    subject.memory().configure(kFrom32);
    const BlockInfo place = freed(subject, 32 * kMiB);

    const MemoryBlock smaller = subject.memory().allocate(32 * kMiB - 512);
    const MemoryBlock equal = subject.memory().allocate(32 * kMiB);

    expect_true(smaller.info().segment != place.segment, "it is never split");
    expect_same_place(equal.info(), place);
  });

  on_cuda("a_request_of_just_the_size_splits_nothing", {"MEM-018", "MEM-003"},
          [](Session& subject) {
            subject.memory().configure(kFrom32);
            const BlockInfo place = freed(subject, 50 * kMiB);

            const MemoryBlock part = subject.memory().allocate(32 * kMiB);

            expect_same_place(part.info(), place);
            expect_equal(part.info().size_bytes, 50 * kMiB);
            expect_counters(subject, {{"inactive_split", 0}});
          });

  on_cuda("a_block_of_just_the_size_counts_as_oversize", {"MEM-021", "MEM-018"},
          [](Session& subject) {
            subject.memory().configure(kFrom32);
            const MemoryBlock below = subject.memory().allocate(30 * kMiB);
            const MemoryBlock exact = subject.memory().allocate(32 * kMiB);

            expect_counters(
                subject, {{"oversize_allocations.current", 1}, {"oversize_segments.current", 1}});
            exact.free();
            expect_counters(subject, {{"oversize_allocations.current", 0}});
            subject.memory().empty_cache();
            expect_counters(subject,
                            {{"oversize_segments.current", 0}, {"oversize_segments.freed", 1}});
          });

  on_cuda("a_block_of_just_the_size_goes_first_when_memory_is_short", {"MEM-018", "MEM-011"},
          [](Session& subject) {
            subject.memory().configure(kFrom32);
            limit_memory(subject, 200 * kMiB, 0.5);
            freed(subject, 32 * kMiB);
            const MemoryBlock small = subject.memory().allocate(12 * kMiB);
            freed(subject, 24 * kMiB);

            subject.memory().allocate(36 * kMiB);

            // A request below the limit needs a block that is not.
            expect_counters(subject, {{"num_alloc_retries", 1}, {"reserved_bytes", 48 * kMiB}});
          });

  on_cuda("one_oversize_block_makes_room_for_a_smaller_request", {"MEM-018", "MEM-011"},
          [](Session& subject) {
            subject.memory().configure(kFrom32);
            limit_memory(subject, 200 * kMiB, 0.5);
            freed(subject, 32 * kMiB);
            const MemoryBlock kept = subject.memory().allocate(60 * kMiB);
            calls(subject);

            subject.memory().allocate(24 * kMiB);

            expect_calls(calls(subject, {"malloc", "free"}), {"free", "malloc"});
            expect_counters(subject, {{"num_alloc_retries", 0}, {"reserved_bytes", 84 * kMiB}});
          });

  on_cuda("20_mib_is_enough", {"MEM-018", "MEM-019"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:20");

    expect_counters(subject, {{"max_split_size", 20 * kMiB}});
  }).since(Release::k2_11);

  on_cuda("20_mib_were_not_enough", {"MEM-018", "MEM-019"}, [](Session& subject) {
    expect_error([&] { subject.memory().configure("max_split_size_mb:20"); },
                 {ErrorKind::kError, ErrorKind::kValue}, {"max_split_size"});
  }).until(Release::k2_4);

  on_cuda("a_waste_below_20_mib_is_refused", {"MEM-018", "MEM-019"}, [](Session& subject) {
    expect_error([&] { subject.memory().configure("max_non_split_rounding_mb:19"); },
                 ErrorKind::kValue, {"max_non_split_rounding"});
    subject.memory().configure("max_non_split_rounding_mb:20");
  }).since(Release::k2_11);

  on_cuda("what_just_meets_the_threshold_is_not_too_much", {"MEM-017"}, [](Session& subject) {
    subject.memory().configure("garbage_collection_threshold:0.5");
    limit_memory(subject, 200 * kMiB, 0.5);
    freed(subject, 20 * kMiB);
    const MemoryBlock kept = subject.memory().allocate(30 * kMiB);
    calls(subject);

    subject.memory().allocate(32 * kMiB);  // 50 of 100 MiB are reserved

    expect_equal(count_of(calls(subject), "free"), 0);
    subject.memory().allocate(24 * kMiB);  // now the threshold is exceeded
    expect_equal(count_of(calls(subject), "free"), 1);
  });

  on_cuda("what_is_of_one_age_goes_together", {"MEM-017"}, [](Session& subject) {
    subject.memory().configure("garbage_collection_threshold:0.3");
    limit_memory(subject, 200 * kMiB, 0.5);
    const MemoryBlock first = subject.memory().allocate(20 * kMiB);
    const MemoryBlock second = subject.memory().allocate(22 * kMiB);
    first.free();
    second.free();
    calls(subject);

    subject.memory().allocate(30 * kMiB);

    expect_equal(count_of(calls(subject), "free"), 2);
    expect_counters(subject, {{"reserved_bytes", 30 * kMiB}});
  });

  on_cuda("it_goes_on_until_the_threshold_is_reached", {"MEM-017"}, [](Session& subject) {
    subject.memory().configure("garbage_collection_threshold:0.44");
    limit_memory(subject, 200 * kMiB, 0.5);
    const MemoryBlock old = subject.memory().allocate(10 * kMiB);
    const MemoryBlock young = subject.memory().allocate(32 * kMiB);
    const auto other = subject.runtime().pool_stream();
    old.free();
    const MemoryBlock kept = subject.memory().allocate(14 * kMiB, {.stream = other});
    young.free();
    calls(subject);

    subject.memory().allocate(40 * kMiB);

    // Without the older one, 46 of 56 MiB remain, still more than 44.
    expect_equal(count_of(calls(subject), "free"), 2);
  });
}

}  // namespace assay::suites
