// Settings: garbage collection of old segments (MEM-017), unsplittable blocks (MEM-018), and
// invalid settings (MEM-019).
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

void expect_refused(Session& subject, const std::string& options,
                    const std::vector<std::string>& tokens, Where where = Where::current()) {
  const ScopedTrace place(options);
  expect_error([&] { subject.memory().configure(options); }, {ErrorKind::kError, ErrorKind::kValue},
               tokens, where);
}

/// Two free segments of 20 MiB, the first older; 52 MiB in total with a limit of 100.
struct Cached {
  std::int64_t older;
  std::int64_t younger;
};

Cached cached(Session& subject) {
  limit_memory(subject, 200 * kMiB, 0.5);
  const auto other = subject.runtime().pool_stream();
  const MemoryBlock first = subject.memory().allocate(20 * kMiB);
  const MemoryBlock second = subject.memory().allocate(20 * kMiB);
  const Cached made{first.info().segment, second.info().segment};
  first.free();
  subject.memory().allocate(12 * kMiB, {.stream = other});  // a search, which ages the first
  second.free();
  return made;
}

bool has_segment(Session& subject, std::int64_t address) {
  for (const SegmentInfo& segment : subject.memory().segments()) {
    if (segment.address == address) return true;
  }
  return false;
}

}  // namespace

CASES("memory/options") {
  on_cuda("what_is_older_than_average_goes_back_above_the_threshold", {"MEM-017", "MEM-011"},
          [](Session& subject) {
            subject.memory().configure("garbage_collection_threshold:0.5");
            const Cached there = cached(subject);
            calls(subject);

            subject.memory().allocate(22 * kMiB);

            expect_calls(
                calls(subject, {"free", "malloc", "event_sync", "stream_sync", "device_sync"}),
                {"free", "malloc"});
            expect_false(has_segment(subject, there.older), "the older segment is freed");
            expect_true(has_segment(subject, there.younger), "the younger segment stays");
            expect_counters(subject, {{"num_alloc_retries", 0}});
          });

  on_cuda("below_the_threshold_nothing_goes_back", {"MEM-017"}, [](Session& subject) {
    subject.memory().configure("garbage_collection_threshold:0.6");
    cached(subject);
    calls(subject);

    subject.memory().allocate(22 * kMiB);

    expect_equal(count_of(calls(subject), "free"), 0);
  });

  on_cuda("without_a_limit_nothing_goes_back", {"MEM-017"}, [](Session& subject) {
    subject.memory().configure("garbage_collection_threshold:0.01");
    subject.memory().allocate(20 * kMiB).free();
    calls(subject);

    subject.memory().allocate(22 * kMiB);

    expect_equal(count_of(calls(subject), "free"), 0);
  });

  on_cuda("small_and_split_segments_stay", {"MEM-017"}, [](Session& subject) {
    subject.memory().configure("garbage_collection_threshold:0.1");
    limit_memory(subject, 200 * kMiB, 0.5);
    const MemoryBlock split = subject.memory().allocate(5 * kMiB);
    calls(subject);
    subject.memory().allocate(1).free();

    subject.memory().allocate(22 * kMiB);

    expect_equal(count_of(calls(subject), "free"), 0);
  });

  on_cuda("a_block_that_serves_the_request_is_not_given_back", {"MEM-017", "MEM-011"},
          [](Session& subject) {
            subject.memory().configure("garbage_collection_threshold:0.5");
            cached(subject);
            calls(subject);

            subject.memory().allocate(20 * kMiB);

            expect_equal(count_of(calls(subject), "free"), 0);
          });

  on_cuda("oversize_blocks_serve_only_oversize_requests", {"MEM-018"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:32");
    const MemoryBlock large = subject.memory().allocate(64 * kMiB);
    const BlockInfo place = large.info();
    large.free();

    const MemoryBlock small = subject.memory().allocate(10 * kMiB);
    expect_true(small.info().segment != place.segment, "too small a request gets another segment");
    const MemoryBlock wasteful = subject.memory().allocate(44 * kMiB);
    expect_true(wasteful.info().segment != place.segment,
                "what would lose 20 MiB gets another segment");
    const MemoryBlock fits = subject.memory().allocate(44 * kMiB + 1);
    expect_same_place(fits.info(), place);
    expect_equal(fits.info().size_bytes, 64 * kMiB);
  });

  on_cuda("below_the_size_blocks_are_split_as_ever", {"MEM-018"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:32");
    const MemoryBlock first = subject.memory().allocate(30 * kMiB);
    const BlockInfo place = first.info();
    first.free();

    const MemoryBlock part = subject.memory().allocate(12 * kMiB);

    expect_same_place(part.info(), place);
    expect_equal(part.info().size_bytes, 12 * kMiB);
  });

  on_cuda("the_waste_that_is_allowed_may_be_set", {"MEM-018"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:32,max_non_split_rounding_mb:30");
    const MemoryBlock large = subject.memory().allocate(64 * kMiB);
    const BlockInfo place = large.info();
    large.free();

    expect_true(subject.memory().allocate(34 * kMiB).info().segment != place.segment,
                "what would lose 30 MiB gets another segment");
    expect_same_place(subject.memory().allocate(34 * kMiB + 1).info(), place);
  }).since(Release::k2_11);

  on_cuda("oversize_blocks_of_the_stream_go_first_when_memory_is_short", {"MEM-018", "MEM-011"},
          [](Session& subject) {
            subject.memory().configure("max_split_size_mb:32");
            limit_memory(subject, 200 * kMiB, 0.5);
            subject.memory().allocate(64 * kMiB).free();
            subject.memory().allocate(2 * kMiB).free();
            calls(subject);

            subject.memory().allocate(40 * kMiB);

            expect_calls(calls(subject, {"malloc", "free", "event_sync", "device_sync"}),
                         {"free", "malloc"});
            expect_counters(subject, {{"num_alloc_retries", 0}, {"reserved_bytes", 60 * kMiB}});
          });

  on_cuda("oversize_blocks_of_another_stream_stay_in_that_step", {"MEM-018", "MEM-011"},
          [](Session& subject) {
            subject.memory().configure("max_split_size_mb:32");
            limit_memory(subject, 200 * kMiB, 0.5);
            const auto other = subject.runtime().pool_stream();
            subject.memory().allocate(64 * kMiB, {.stream = other}).free();

            subject.memory().allocate(40 * kMiB);

            // It is freed in the step that frees all cached segments.
            expect_counters(subject, {{"num_alloc_retries", 1}, {"reserved_bytes", 40 * kMiB}});
          });

  on_cuda("oversize_blocks_and_segments_are_counted", {"MEM-018", "MEM-021"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:32");
    const MemoryBlock large = subject.memory().allocate(64 * kMiB);
    const MemoryBlock small = subject.memory().allocate(30 * kMiB);

    expect_counters(subject, {{"max_split_size", 32 * kMiB},
                              {"oversize_allocations.current", 1},
                              {"oversize_segments.current", 1}});
    large.free();
    expect_counters(subject, {{"oversize_allocations.current", 0},
                              {"oversize_allocations.freed", 1},
                              {"oversize_segments.current", 1}});
    subject.memory().empty_cache();
    expect_counters(subject, {{"oversize_segments.current", 0}});
  });

  on_cuda("a_size_below_20_mib_is_refused", {"MEM-018", "MEM-019"}, [](Session& subject) {
    expect_refused(subject, "max_split_size_mb:19", {"max_split_size"});
    subject.memory().configure("max_split_size_mb:21");
  });

  on_cuda("what_cannot_be_configured_is_named", {"MEM-019"}, [](Session& subject) {
    expect_refused(subject, "no_such_option:1", {"no_such_option"});
    expect_refused(subject, "garbage_collection_threshold:0", {"garbage_collect"});
    expect_refused(subject, "garbage_collection_threshold:1.0", {"garbage_collect"});
    expect_refused(subject, "roundup_power2_divisions:3", {"power of 2"});
  });

  on_cuda("a_number_that_no_integer_holds_is_refused", {"MEM-019"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:64");
    for (const std::string number : {"100000000000000000000", "99999999999999999999999999"}) {
      const ScopedTrace place(number);
      expect_error([&] { subject.memory().configure("max_split_size_mb:" + number); },
                   {ErrorKind::kError, ErrorKind::kValue, ErrorKind::kIndex}, {});
    }
    subject.memory().configure("max_split_size_mb:64");
  });

  on_cuda("a_bool_is_spelt_true_or_false", {"MEM-019"}, [](Session& subject) {
    for (const char* spelling : {"true", "1", "yes", "TRUE"}) {
      expect_refused(subject, std::string("expandable_segments:") + spelling, {"True"});
    }
    subject.memory().configure("expandable_segments:False");
  }).since(Release::k2_4);

  on_cuda("the_backend_is_chosen_once", {"MEM-019"}, [](Session& subject) {
    subject.memory().allocate(1);

    expect_error([&] { subject.memory().configure("backend:cudaMallocAsync"); },
                 {ErrorKind::kError, ErrorKind::kValue, ErrorKind::kInternal}, {"backend"});
  }).since(Release::k2_4);

  on_cuda("the_variable_for_all_devices_takes_precedence", {"MEM-019"},
          [](Session& subject) {
            subject.memory().configure("max_split_size_mb:64", "cuda_alloc_conf");
            subject.memory().configure("max_split_size_mb:32", "alloc_conf");

            subject.memory().allocate(1);

            expect_counters(subject, {{"max_split_size", 32 * kMiB}});
          })
      .since(Release::k2_11)
      .fresh();

  on_cuda("a_call_comes_after_the_variable_even_if_it_is_the_first_use", {"MEM-019", "MEM-029"},
          [](Session& subject) {
            subject.memory().configure("roundup_power2_divisions:4", "cuda_alloc_conf");

            subject.memory().configure("max_split_size_mb:64");

            expect_equal(subject.memory().round(1100 * kKiB), 1100 * kKiB);
            expect_counters(subject, {{"max_split_size", 64 * kMiB}});
          })
      .fresh();

  on_cuda("the_variable_for_cuda_counts_alone", {"MEM-019"}, [](Session& subject) {
    subject.memory().configure("max_split_size_mb:64", "cuda_alloc_conf");

    subject.memory().allocate(1);

    expect_counters(subject, {{"max_split_size", 64 * kMiB}});
  }).fresh();
}

}  // namespace assay::suites
